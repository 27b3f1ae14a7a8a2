/** Where the first element that is not below `key` stands in a sorted list. */
export function startOf(sorted: readonly string[], key: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Puts a key that is not there yet in its place. */
export function insertSorted(sorted: string[], key: string): void {
  const last = sorted.at(-1)
  if (last === undefined || last < key) sorted.push(key)
  else sorted.splice(startOf(sorted, key), 0, key)
}
