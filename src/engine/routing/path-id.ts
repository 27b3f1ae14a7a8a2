/** The offset basis of 64-bit FNV-1a, as its upper and lower half. */
const [OFFSET_HIGH, OFFSET_LOW] = [0xcbf29ce4, 0x84222325]

/** The prime is 2^40 + 0x1b3: the shift is what the lower half moves into the upper one. */
const PRIME_LOW = 0x1b3

/** Ids of paths that were named lately: the same few thousand are named again in every block. */
const known = new Map<string, string>()
const MOST_KNOWN = 4096

/**
 * A name for a path: 16 hex digits of FNV-1a (64 bit) over its pair addresses in order of execution,
 * each followed by a line feed. Depends on nothing else, so a path keeps its id from block to block.
 * Computed in two halves, whose products stay below 2^53: a bigint here cost a third of a quote.
 */
export function pathId(addresses: readonly string[]): string {
  const text = addresses.map((address) => `${address}\n`).join('')
  let id = known.get(text)
  if (id === undefined) {
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(text, (id = hashOf(text)))
  }
  return id
}

function hashOf(text: string): string {
  let [high, low] = [OFFSET_HIGH, OFFSET_LOW]
  for (const byte of new TextEncoder().encode(text)) {
    low = (low ^ byte) >>> 0
    const product = low * PRIME_LOW
    const carried = Math.floor(product / 2 ** 32)
    high = (high * PRIME_LOW + carried + ((low << 8) >>> 0)) % 2 ** 32
    low = product % 2 ** 32
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
}
