const OFFSET = 0xcbf29ce484222325n
const PRIME = 0x100000001b3n
const MASK = (1n << 64n) - 1n

/**
 * A name for a path: 16 hex digits of FNV-1a (64 bit) over its pair addresses in order of execution,
 * each followed by a line feed. Depends on nothing else, so a path keeps its id from block to block.
 */
export function pathId(addresses: readonly string[]): string {
  let hash = OFFSET
  for (const byte of new TextEncoder().encode(addresses.map((a) => `${a}\n`).join('')))
    hash = ((hash ^ BigInt(byte)) * PRIME) & MASK
  return hash.toString(16).padStart(16, '0')
}
