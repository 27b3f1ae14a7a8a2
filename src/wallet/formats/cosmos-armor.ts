import { randomBytes } from 'node:crypto'
import { chacha20poly1305 } from '@noble/ciphers/chacha'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa'
import { argon2idAsync } from '@noble/hashes/argon2'
import bcrypt from 'bcryptjs'
import { sha256 } from '../../platform/encoding.js'
import { isPrivateKey } from '../derive.js'
import { bcryptCost, type KdfCost, scryptCost, sdkArgon2Cost } from '../keyfile/kdf-cost.js'
import { InvalidKeyDocument } from '../keyfile/key-document.js'
import { scryptKey } from '../keyfile/scrypt.js'
import { wipe } from '../secret.js'
import { type ForeignKey, type KeyExport, openSealed } from './foreign.js'

/** Bytes of the nonce before a box. */
const NONCE = 24

/** Cost of bcrypt, which the format fixes. */
const BCRYPT = 12

/** A key derivation of the Cosmos SDK with its cipher; the header `kdf` names it. */
type Protection = {
  readonly cost: KdfCost
  open(password: Uint8Array, body: Buffer): Promise<Uint8Array>
}

/** The protection that the headers of an armored key name. @throws InvalidKeyDocument */
export function protectionOf({ headers }: ArmorBlock): Protection {
  const salt = Buffer.from(saltOf(headers), 'hex')
  const kdf = headers.get('kdf')
  if (kdf === 'bcrypt')
    return {
      cost: bcryptCost,
      open: async (password, body) => openBox(await bcryptKey(password, salt), body),
    }
  if (kdf === 'argon2')
    return {
      cost: sdkArgon2Cost,
      open: async (password, body) => openChacha(await argon2Key(password, salt), body),
    }
  if (kdf === 'scrypt') return scryptProtection(headers, salt)
  throw new InvalidKeyDocument('its kdf is none of bcrypt, argon2 and scrypt')
}

function scryptProtection(headers: ArmorBlock['headers'], salt: Buffer): Protection {
  const params = /^n=(\d{1,9}),r=(\d{1,6}),p=(\d{1,6}),dklen=32$/.exec(
    headers.get('kdfparams') ?? '',
  )
  if (params === null) throw new InvalidKeyDocument('its kdfparams cannot be read')
  const [n, r, p] = params.slice(1).map(Number) as [number, number, number]
  return {
    cost: scryptCost({ n, r, p }),
    open: async (password, body) => openBox(await scryptKey(password, salt, { n, r, p }), body),
  }
}

function saltOf(headers: ArmorBlock['headers']): string {
  const salt = headers.get('salt') ?? ''
  if (!/^[0-9a-fA-F]{32}$/.test(salt)) throw new InvalidKeyDocument('its salt is not of 16 bytes')
  return salt
}

/** A key of 32 bytes: the SDK hashes the text form of the bcrypt hash. */
export async function bcryptKey(
  password: Uint8Array,
  salt: Uint8Array,
  cost = BCRYPT,
): Promise<Buffer> {
  const setting = `$2a$${cost}$${bcrypt.encodeBase64([...salt] as never, 16)}`
  const hash = await bcrypt.hash(Buffer.from(password).toString('utf8'), setting)
  return sha256(hash)
}

const argon2Key = (password: Uint8Array, salt: Uint8Array): Promise<Uint8Array> =>
  argon2idAsync(password, salt, { t: 1, m: 64 * 1024, p: 4, dkLen: 32 })

/** Opens XSalsa20-Poly1305 with the nonce in front. */
function openBox(key: Uint8Array, body: Buffer): Uint8Array {
  const nonce = body.subarray(0, NONCE)
  return openSealed(key, () => xsalsa20poly1305(key, nonce).decrypt(body.subarray(NONCE)))
}

/** Opens ChaCha20-Poly1305 with a nonce of zeros: every key is used once. */
const openChacha = (key: Uint8Array, body: Buffer): Uint8Array =>
  openSealed(key, () => chacha20poly1305(key, new Uint8Array(12)).decrypt(body))

/** Bytes between two marked lines, with headers: the armor of OpenPGP (RFC 4880, 6.2). */
type ArmorBlock = {
  readonly type: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

const LINE = 64

/** The first armored block of a text, with its checksum verified. Text around it is ignored. */
export function readArmor(given: string): ArmorBlock {
  const block = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)\r?\n-----END \1-----/.exec(given)
  if (block === null)
    throw new InvalidKeyDocument('it has no BEGIN and END line that belong together')
  const lines = (block[2] ?? '').split(/\r?\n/).map((line) => line.trim())
  const gap = lines.indexOf('')
  const head = gap < 0 ? [] : lines.slice(0, gap)
  const rest = lines.slice(gap + 1).filter((line) => line !== '')
  const checksum = rest.at(-1)?.startsWith('=') ? rest.pop() : undefined
  const text = rest.join('')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new InvalidKeyDocument('its body is not base64')
  const body = Buffer.from(text, 'base64')
  if (checksum !== undefined && checksum !== `=${checksumOf(body)}`)
    throw new InvalidKeyDocument('its checksum does not hold: it was not copied whole')
  return { type: block[1] ?? '', headers: new Map(head.map(headerOf)), body }
}

/** Writes the format of `readArmor`, headers in alphabetical order. */
export function writeArmor({ type, headers, body }: ArmorBlock): string {
  const text = body.toString('base64')
  const lines = text.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []
  const head = [...headers].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    `-----BEGIN ${type}-----`,
    ...head.map(([name, value]) => `${name}: ${value}`),
    '',
    ...lines,
    `=${checksumOf(body)}`,
    `-----END ${type}-----`,
    '',
  ].join('\n')
}

function headerOf(line: string): readonly [string, string] {
  const at = line.indexOf(': ')
  if (at < 1) throw new InvalidKeyDocument('one of its headers cannot be read')
  return [line.slice(0, at), line.slice(at + 2)]
}

/** CRC-24 of RFC 4880, 6.1, in base64. */
function checksumOf(bytes: Uint8Array): string {
  let crc = 0xb704ce
  for (const byte of bytes) {
    crc ^= byte << 16
    for (let bit = 0; bit < 8; bit++) {
      crc <<= 1
      if (crc & 0x1000000) crc ^= 0x1864cfb
    }
  }
  return Buffer.from([(crc >> 16) & 0xff, (crc >> 8) & 0xff, crc & 0xff]).toString('base64')
}

const TYPE = 'TENDERMINT PRIVATE KEY'
const ALGORITHM = 'secp256k1'

/** Amino's type prefix of a secp256k1 private key, and its length of 32. */
const AMINO = Buffer.from('e1b0f79b20', 'hex')

/** Parses the output of `keys export` of Cosmos SDK programs. The cipher follows from the derivation. */
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
    cost: protection.cost,
    open: async (password) => {
      const inside = Buffer.from(await protection.open(password, armored.body))
      const bytes = Buffer.from(inside.subarray(AMINO.length))
      const isKey = inside.subarray(0, AMINO.length).equals(AMINO) && isPrivateKey(bytes)
      wipe(inside)
      if (isKey) return { secret: { kind: 'private_key', bytes } }
      wipe(bytes)
      throw new InvalidKeyDocument(
        'the password opens it, and what is inside is not a private key of secp256k1',
      )
    },
  }
}

/** Writes bcrypt and XSalsa20-Poly1305, which all releases of the SDK read. */
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
