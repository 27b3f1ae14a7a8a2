import { randomBytes } from 'node:crypto'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa'
import { isPrivateKey } from '../derive.js'
import { InvalidKeyDocument } from '../keyfile/document.js'
import { wipe } from '../secret.js'
import { readArmor, writeArmor } from './ascii-armor.js'
import { bcryptKey, NONCE, protectionOf } from './cosmos-protection.js'
import type { ForeignKey, KeyExport } from './foreign.js'

const TYPE = 'TENDERMINT PRIVATE KEY'
const ALGORITHM = 'secp256k1'

/** Amino's mark of a secp256k1 private key, and its length of 32. */
const AMINO = Buffer.from('e1b0f79b20', 'hex')

/** What `keys export` of a Cosmos SDK chain prints. The cipher follows from the derivation. */
export function readCosmosArmor(given: string): ForeignKey {
  const armored = readArmor(given)
  if (armored.type !== TYPE)
    throw new InvalidKeyDocument(`it is not a ${TYPE}, which is all that can be imported`)
  const algorithm = armored.headers.get('type') ?? ALGORITHM
  if (algorithm !== ALGORITHM)
    throw new InvalidKeyDocument('its type is another than secp256k1: addresses would be different')
  const protection = protectionOf(armored)
  return {
    format: 'armor',
    description: `Cosmos armored key, ${protection.cost.description}`,
    weak: protection.cost.weak,
    cost: protection.cost,
    encrypted: true,
    open: async (password) => {
      const inside = Buffer.from(await protection.open(password, armored.body))
      const bytes = Buffer.from(inside.subarray(AMINO.length))
      const isKey = inside.subarray(0, AMINO.length).equals(AMINO) && isPrivateKey(bytes)
      wipe(inside)
      if (isKey) return { secret: { kind: 'private_key', bytes } }
      wipe(bytes)
      throw new InvalidKeyDocument(
        'the password opens it, and what is inside is no private key of secp256k1',
      )
    },
  }
}

/** As the SDK's releases write it: bcrypt and XSalsa20-Poly1305, which all of them read. */
export async function writeCosmosArmor(
  { privateKey }: KeyExport,
  password: Uint8Array,
): Promise<string> {
  const salt = randomBytes(16)
  const inside = Buffer.concat([AMINO, privateKey])
  const key = await bcryptKey(password, salt)
  try {
    const nonce = randomBytes(NONCE)
    return writeArmor({
      type: TYPE,
      headers: new Map([
        ['kdf', 'bcrypt'],
        ['salt', salt.toString('hex').toUpperCase()],
        ['type', ALGORITHM],
      ]),
      body: Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(inside)]),
    })
  } finally {
    wipe(inside, key)
  }
}
