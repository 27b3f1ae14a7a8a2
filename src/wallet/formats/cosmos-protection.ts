import { createHash } from 'node:crypto'
import { chacha20poly1305 } from '@noble/ciphers/chacha'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa'
import { argon2idAsync } from '@noble/hashes/argon2'
import bcrypt from 'bcryptjs'
import { InvalidKeyDocument } from '../keyfile/document.js'
import { bcryptCost, type KdfCost, scryptCost, sdkArgon2Cost } from '../keyfile/kdf-cost.js'
import { scryptKey } from '../keyfile/scrypt.js'
import { DecryptionFailed } from '../keyfile/seal.js'
import { wipe } from '../secret.js'
import type { Armored } from './ascii-armor.js'

/** Bytes of the nonce before a box. */
export const NONCE = 24

/** Cost of bcrypt, whatever the file: it has no word for another. */
const BCRYPT = 12

/** One way to protect a key of the Cosmos SDK. Its name is in the header `kdf`. */
export type Protection = {
  readonly cost: KdfCost
  open(password: Uint8Array, body: Buffer): Promise<Uint8Array>
}

/** How an armored key is protected, by its headers. @throws NoKeyDocument */
export function protectionOf({ headers }: Armored): Protection {
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

function scryptProtection(headers: Armored['headers'], salt: Buffer): Protection {
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

function saltOf(headers: Armored['headers']): string {
  const salt = headers.get('salt') ?? ''
  if (!/^[0-9a-fA-F]{32}$/.test(salt)) throw new InvalidKeyDocument('its salt is not of 16 bytes')
  return salt
}

/** 32 bytes: the SDK hashes the printed form of bcrypt's answer. */
export async function bcryptKey(
  password: Uint8Array,
  salt: Uint8Array,
  cost = BCRYPT,
): Promise<Buffer> {
  const setting = `$2a$${cost}$${bcrypt.encodeBase64([...salt] as never, 16)}`
  const hash = await bcrypt.hash(Buffer.from(password).toString('utf8'), setting)
  return createHash('sha256').update(hash).digest()
}

const argon2Key = (password: Uint8Array, salt: Uint8Array): Promise<Uint8Array> =>
  argon2idAsync(password, salt, { t: 1, m: 64 * 1024, p: 4, dkLen: 32 })

/** XSalsa20-Poly1305, the nonce before it. */
function openBox(key: Uint8Array, body: Buffer): Uint8Array {
  const nonce = body.subarray(0, NONCE)
  return opened(key, () => xsalsa20poly1305(key, nonce).decrypt(body.subarray(NONCE)))
}

/** ChaCha20-Poly1305 with a nonce of zeros: every key is used once. */
const openChacha = (key: Uint8Array, body: Buffer): Uint8Array =>
  opened(key, () => chacha20poly1305(key, new Uint8Array(12)).decrypt(body))

function opened(key: Uint8Array, decrypt: () => Uint8Array): Uint8Array {
  try {
    return decrypt()
  } catch {
    throw new DecryptionFailed()
  } finally {
    wipe(key)
  }
}
