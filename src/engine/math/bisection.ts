/**
 * The first of a range for which something holds that holds from there on, galloping from below;
 * none where it is over before that.
 */
export function firstFrom(
  from: bigint,
  last: bigint,
  holds: (size: bigint) => boolean,
  isOver: (size: bigint) => boolean = () => false,
): bigint | undefined {
  if (from > last) return undefined
  if (holds(from)) return from
  let low = from
  for (let step = 1n; ; step *= 2n) {
    const high = from + step < last ? from + step : last
    if (holds(high)) return lastFalse(low, high, holds) + 1n
    if (high === last || isOver(high)) return undefined
    low = high
  }
}

/** Between `low`, where something does not hold, and `high`, where it does: the last that does not. */
export function lastFalse(low: bigint, high: bigint, holds: (size: bigint) => boolean): bigint {
  let [no, yes] = [low, high]
  while (yes - no > 1n) {
    const middle = (yes + no) / 2n
    if (holds(middle)) yes = middle
    else no = middle
  }
  return no
}
