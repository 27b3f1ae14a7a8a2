/** Joins parts that arrive one by one. They are copied, since a part of a single byte takes a hundred in memory. */
export function partsWithin(most: number) {
  let bytes = new Uint8Array(0)
  let size = 0
  return {
    /** @returns whether there are at most `most` bytes with this part, which is otherwise left out */
    add(part: Uint8Array): boolean {
      const newSize = size + part.length
      if (newSize > most) return false
      if (newSize > bytes.length) {
        const before = bytes
        bytes = new Uint8Array(Math.min(most, Math.max(2 * size, newSize)))
        bytes.set(before)
      }
      bytes.set(part, size)
      size = newSize
      return true
    },
    joined: (): Uint8Array => bytes.subarray(0, size),
  }
}
