import { createHash } from 'node:crypto'

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
export const fromHex = (hex: string): Uint8Array => Buffer.from(hex, 'hex')

export const sha256 = (...parts: readonly Uint8Array[]): Uint8Array => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const LEAF = Uint8Array.of(0)
const INNER = Uint8Array.of(1)

/** CometBFT's Merkle root (RFC 6962 without the length): of no leaves, the hash of nothing. */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return sha256(LEAF, leaves[0] as Uint8Array)
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  return sha256(INNER, merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split)))
}

/** What proves that leaf `index` is below the root: the hashes beside its way up, nearest first. */
export function merkleAunts(leaves: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  if (leaves.length <= 1) return []
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split
    ? [...merkleAunts(left, index), merkleRoot(right)]
    : [...merkleAunts(right, index - split), merkleRoot(left)]
}

/** The hash of one leaf, as proofs state it. */
export const leafHash = (leaf: Uint8Array): Uint8Array => sha256(LEAF, leaf)

/** A transaction's name: the SHA-256 of its bytes, upper-case hex. */
export const txHash = (tx: Uint8Array): string => toHex(sha256(tx))
