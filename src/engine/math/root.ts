/** The greatest integer whose square is not above a `value` of 0 or more. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  // From above, Newton's steps fall until they pass the root.
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
