import { type BinaryLike, pbkdf2, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/** Node's PBKDF2 and scrypt as promises. */
export const pbkdf2Key = promisify(pbkdf2)
const native = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

/** Cost of scrypt: memory is 128·n·r bytes, time is proportional to n·r·p. */
export type ScryptCost = { readonly n: number; readonly r: number; readonly p: number }

/**
 * Derives a key of 32 bytes. RFC 7914 requires n below 2^(16·r), which OpenSSL enforces and some keystores of Ethereum
 * violate: those are derived in JavaScript, four times slower.
 */
export async function scryptKey(
  password: Uint8Array,
  salt: Uint8Array,
  { n, r, p }: ScryptCost,
): Promise<Buffer> {
  const memory = 128 * r * (n + p + 2)
  if (n < 2 ** (16 * r)) return native(password, salt, 32, { N: n, r, p, maxmem: memory + 2 ** 20 })
  const { scryptAsync } = await import('@noble/hashes/scrypt')
  const options = { N: n, r, p, dkLen: 32, maxmem: memory }
  return Buffer.from(await scryptAsync(password, salt, options))
}
