/** A line of input, or a marker for one that is too long. */
export type Line = { readonly text: string } | { readonly tooLong: true }

/**
 * Splits a stream of bytes into lines without ever holding more than one, and none longer than
 * `most` bytes. A carriage return before the line feed is dropped; a last line needs no line feed.
 */
export async function* linesOf(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let held = 0
  let skipping = false
  const take = (): Line => {
    const line: Line = skipping
      ? { tooLong: true }
      : { text: Buffer.concat(parts).toString('utf8').replace(/\r$/, '') }
    parts = []
    held = 0
    skipping = false
    return line
  }
  for await (const chunk of source) {
    let from = 0
    for (let at = chunk.indexOf(10, from); at >= 0; at = chunk.indexOf(10, from)) {
      hold(chunk.subarray(from, at))
      yield take()
      from = at + 1
    }
    hold(chunk.subarray(from))
  }
  if (held > 0 || skipping) yield take()

  function hold(part: Buffer): void {
    if (skipping || part.length === 0) return
    held += part.length
    if (held > most) {
      skipping = true
      parts = []
    } else parts.push(part)
  }
}
