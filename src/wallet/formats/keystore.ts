import { randomBytes, randomUUID } from 'node:crypto'
import { Secp256k1 } from '@cosmjs/crypto'
import { keccak_256 } from '@noble/hashes/sha3'
import { isPrivateKey } from '../derive.js'
import { InvalidKeyDocument } from '../keyfile/document.js'
import { COST } from '../keyfile/limits.js'
import { scryptKey } from '../keyfile/scrypt.js'
import { wipe } from '../secret.js'
import type { ForeignKey, KeyExport } from './foreign.js'
import { count, group, type Members, text } from './members.js'
import { openEnvelope, readEnvelope, sealEnvelope } from './web3.js'

const macOf = (...parts: readonly Uint8Array[]): Uint8Array => keccak_256(Buffer.concat(parts))

/** Ethereum's keystore, version 3: one private key. */
export function readKeystore(given: Members): ForeignKey {
  if (count(given, 'version') !== 3) throw new InvalidKeyDocument('its version is another than 3')
  const envelope = readEnvelope(group(given, 'crypto' in given ? 'crypto' : 'Crypto'))
  const claimed = given['address'] === undefined ? undefined : text(given, 'address')
  return {
    format: 'keystore',
    description: `Ethereum keystore, ${envelope.kdf.cost.description}`,
    weak: envelope.kdf.cost.weak,
    cost: envelope.kdf.cost,
    encrypted: true,
    open: async (password) => {
      const bytes = await openEnvelope(envelope, password, macOf)
      const fault = faultOf(bytes, claimed)
      if (fault === undefined) return { secret: { kind: 'private_key', bytes } }
      wipe(bytes)
      throw new InvalidKeyDocument(fault)
    },
  }
}

/** The file that `readKeystore` reads, in clear text JSON. */
export async function writeKeystore(
  { privateKey }: KeyExport,
  password: Uint8Array,
): Promise<string> {
  const salt = randomBytes(32)
  const key = await scryptKey(password, salt, COST)
  try {
    const crypto = {
      ...sealEnvelope(privateKey, key, randomBytes(16), macOf),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, ...COST, salt: salt.toString('hex') },
    }
    const address = ethereumAddress(privateKey)
    return `${JSON.stringify({ version: 3, id: randomUUID(), address, crypto })}\n`
  } finally {
    wipe(key)
  }
}

/** Why what the password has opened cannot be used; `undefined` where it can. */
function faultOf(bytes: Uint8Array, claimed: string | undefined): string | undefined {
  if (!isPrivateKey(bytes)) return 'the password opens it, and what is inside is no private key'
  if (claimed === undefined || isOf(bytes, claimed)) return undefined
  return 'the password opens it, and its address is not that of the key inside'
}

const isOf = (privateKey: Uint8Array, claimed: string): boolean =>
  claimed.toLowerCase().replace(/^0x/, '') === ethereumAddress(privateKey)

/** The last 20 bytes of the key's Keccak-256, in hex without `0x`. */
const ethereumAddress = (privateKey: Uint8Array): string => {
  const { pubkey } = Secp256k1.makeKeypair(privateKey)
  return Buffer.from(keccak_256(pubkey.subarray(1)).subarray(-20)).toString('hex')
}
