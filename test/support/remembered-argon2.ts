import { createHash } from 'node:crypto'
import { argon2idAsync as derive } from '@noble/hashes/argon2.js'

const known = new Map<string, Promise<Uint8Array>>()

/**
 * Replaces `argon2idAsync` of `@noble/hashes/argon2`: derives each key once a worker, which takes a second.
 */
export async function argon2idAsync(
  ...[password, salt, options]: Parameters<typeof derive>
): Promise<Uint8Array> {
  const name = createHash('sha256')
    .update(JSON.stringify([password.length, options]))
    .update(password)
    .update(salt)
    .digest('hex')
  const key = known.get(name) ?? derive(password, salt, options)
  known.set(name, key)
  return Uint8Array.from(await key)
}
