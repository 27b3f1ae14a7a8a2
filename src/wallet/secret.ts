/**
 * The secret of a key: the entropy of a mnemonic (16 to 32 bytes, a multiple of 4), or a private key of 32 bytes.
 * Never a string, which cannot be wiped; the owner wipes it.
 */
export type Secret = {
  readonly kind: 'mnemonic' | 'private_key'
  readonly bytes: Buffer
}

/** V8 keeps arrays up to this size on its heap, whose collector moves them and leaves copies. */
const MOVED = 64

/** Zeroed memory off the V8 heap, so that wiping leaves no copy. */
export const secretBuffer = (length: number): Buffer =>
  Buffer.alloc(length + MOVED + 1).subarray(0, length)

/** A copy off the V8 heap, so that wiping leaves no copy. */
export function copyOf(secret: Uint8Array): Buffer {
  const copy = secretBuffer(secret.length)
  copy.set(secret)
  return copy
}

/** The bytes of a stream in one buffer, its chunks wiped; `undefined` if there are more than `most`. */
export async function secretBytes(
  most: number,
  stream: AsyncIterable<Buffer | string>,
): Promise<Buffer | undefined> {
  const held = Buffer.alloc(most)
  let length = 0
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (length + bytes.length > most) {
      wipe(held, bytes)
      return undefined
    }
    bytes.copy(held, length)
    length += bytes.length
    wipe(bytes)
  }
  return held.subarray(0, length)
}

/** Overwrites secrets. Best effort: the engine may have made copies. */
export function wipe(...secrets: readonly (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0)
}
