/** Most levels of nesting; real documents have fewer than twenty. Writing deeper ones would overflow the stack. */
const DEPTH = 64

/** A JSON text is within the byte limit, but would take too much memory, time or stack. */
export class JsonLimitError extends Error {
  override readonly name = 'JsonLimitError'
}

/** The value of a JSON text, its size checked before it is parsed. @throws JsonLimitError, SyntaxError */
export function parseWithin(text: string, items = Number.POSITIVE_INFINITY): unknown {
  checkSize(text, items)
  return JSON.parse(text)
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Counts brackets and commas outside of strings; the parser checks the rest. */
function checkSize(text: string, most: number): void {
  let depth = 0
  let items = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA) items += 1
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      items += 1
      depth += 1
      if (depth > DEPTH) throw new JsonLimitError(`JSON of more than ${DEPTH} levels`)
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
    if (items > most) throw new JsonLimitError(`JSON of more than ${most} items`)
  }
}

/** The index of the quote that ends a string, or the end of the text. */
function endOfString(text: string, begin: number): number {
  for (let at = text.indexOf('"', begin + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return text.length
}
