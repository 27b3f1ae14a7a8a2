import { pbkdf2, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/** Node's PBKDF2 as a promise. */
export const pbkdf2Key = promisify(pbkdf2)

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
  if (n < 2 ** (16 * r)) return native(password, salt, { n, r, p })
  const { scryptAsync } = await import('@noble/hashes/scrypt')
  const maxmem = 128 * r * (n + p + 2)
  return Buffer.from(await scryptAsync(password, salt, { N: n, r, p, dkLen: 32, maxmem }))
}

const native = (password: Uint8Array, salt: Uint8Array, { n, r, p }: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const maxmem = 128 * r * (n + p + 2) + 2 ** 20
    scrypt(password, salt, 32, { N: n, r, p, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
