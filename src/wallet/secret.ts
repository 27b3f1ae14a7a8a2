/**
 * What a key is made of: the entropy of a mnemonic (16 to 32 bytes, a multiple of 4), or the 32
 * bytes of a private key. Never text; whoever holds it wipes it.
 */
export type Secret = {
  readonly kind: 'mnemonic' | 'private_key'
  readonly bytes: Buffer
}

/** Arrays up to this size lie where the engine's collector moves them, and leaves what it moved. */
const MOVED = 64

/** Zeros in memory that stays where it is, so that nothing is left of a secret once it is wiped. */
export const secretBuffer = (length: number): Buffer =>
  Buffer.alloc(length + MOVED + 1).subarray(0, length)

/** A copy in memory of its own, so that nothing is left of it when it is wiped. */
export function copyOf(secret: Uint8Array): Buffer {
  const copy = secretBuffer(secret.length)
  copy.set(secret)
  return copy
}

/** Overwrites secrets. The engine may have made copies that nobody can reach: this is best effort. */
export function wipe(...secrets: readonly (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0)
}
