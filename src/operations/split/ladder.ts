/** `count` sizes from one `count`-th of `most` up to it, evenly spaced, without repeats. */
export const evenSizes = (most: bigint, count: number): readonly bigint[] => {
  const sizes = Array.from({ length: count }, (_, i) => (most * BigInt(i + 1)) / BigInt(count))
  return [...new Set(sizes)].filter((size) => size > 0n)
}

/** Significant digits of the sizes of a ladder: enough to differ, few enough to read. */
const KEPT = 3

/**
 * At most `count` sizes from one amount to another, evenly spaced in their ratio and rounded to three
 * digits; both ends as they are. Floats only choose where the round numbers between the ends lie.
 */
export function ladderOf(from: bigint, to: bigint, count: number): readonly bigint[] {
  if (to <= from || count < 2) return [from]
  const step = (Math.log(Number(to)) - Math.log(Number(from))) / (count - 1)
  const inner = Array.from({ length: count - 2 }, (_, i) =>
    roundedDown(BigInt(Math.floor(Math.exp(Math.log(Number(from)) + step * (i + 1)) + 1e-6))),
  )
  return [...new Set([from, ...inner.filter((size) => size > from && size < to), to])]
}

function roundedDown(amount: bigint): bigint {
  const places = amount.toString().length - KEPT
  return places <= 0 ? amount : amount - (amount % 10n ** BigInt(places))
}
