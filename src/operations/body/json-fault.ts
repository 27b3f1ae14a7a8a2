const VALUE = 'a value'
const FIRST_VALUE = 'a value or "]"'
const FIRST_NAME = 'a name in double quotes or "}"'
const NAME = 'a name in double quotes'
const COLON = '":"'
const NEXT_NAME = '"," or "}"'
const NEXT_VALUE = '"," or "]"'
const END = 'the end'

const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
/** Characters of a string but for quotation marks, backslashes and control characters. */
const UNESCAPED = /[ !#-[\]-\uffff]+/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/**
 * Why a text is not JSON, by position; `undefined` for JSON. Unlike parsers' messages it repeats no part of
 * the text, which may be a secret.
 *
 * @param use called with each token up to the fault: a bracket, a mark, a name, or another value
 * @example jsonFault('{"a" 1}') // '":" is expected at column 6'
 */
export function jsonFault(
  text: string,
  use: (token: string, isName: boolean) => void = () => {},
): string | undefined {
  const open: string[] = []
  let expected = VALUE
  let at = 0
  const close = () => {
    open.pop()
    expected = nextIn(open)
  }
  for (;;) {
    while (' \t\n\r'.includes(text[at] ?? '.')) at += 1
    const first = text[at]
    if (first === undefined)
      return expected === END ? undefined : `${expected} is expected at its end`
    const isValue = expected === VALUE || expected === FIRST_VALUE
    const isName = expected === NAME || expected === FIRST_NAME
    let length = 1
    if (isValue && (first === '{' || first === '[')) {
      open.push(first)
      expected = first === '{' ? FIRST_NAME : FIRST_VALUE
    } else if (first === '}' && (expected === FIRST_NAME || expected === NEXT_NAME)) close()
    else if (first === ']' && (expected === FIRST_VALUE || expected === NEXT_VALUE)) close()
    else if (first === ',' && expected === NEXT_NAME) expected = NAME
    else if (first === ',' && expected === NEXT_VALUE) expected = VALUE
    else if (first === ':' && expected === COLON) expected = VALUE
    else if (first === '"' && (isValue || isName)) {
      const end = endOfString(text, at + 1)
      if (text[end] === undefined) return 'a quotation mark is expected at its end'
      if (text[end] !== '"') return `a character has to be escaped at ${place(text, end)}`
      length = end + 1 - at
      expected = isValue ? nextIn(open) : COLON
    } else {
      length = isValue ? lengthOf(WORD, text, at) : 0
      if (length === 0) return `${expected} is expected at ${place(text, at)}`
      expected = nextIn(open)
    }
    use(text.slice(at, at + length), isName)
    at += length
  }
}

/** The name of a member, of its token. */
export const nameIn = (token: string): string =>
  token.includes('\\') ? JSON.parse(token) : token.slice(1, -1)

/** The first name that an object of a JSON text gives a second time: `JSON.parse` takes the last one's value. */
export function repeatedName(text: string): string | undefined {
  const open: Set<string>[] = []
  let repeated: string | undefined
  jsonFault(text, (token, isName) => {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (isName) {
      const name = nameIn(token)
      if (open.at(-1)!.has(name)) repeated ??= name
      open.at(-1)!.add(name)
    }
  })
  return repeated
}

/** Tokens that may follow a value. */
const nextIn = (open: readonly string[]): string =>
  open.length === 0 ? END : open.at(-1) === '{' ? NEXT_NAME : NEXT_VALUE

/** The position of the closing quotation mark, or of the first character not allowed in a string. */
function endOfString(text: string, begin: number): number {
  let at = begin
  for (;;) {
    const character = text[at]
    if (character === undefined || character === '"') return at
    const length = lengthOf(character === '\\' ? ESCAPE : UNESCAPED, text, at)
    if (length === 0) return at
    at += length
  }
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex - at : 0
}

function place(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n')
  const column = `column ${lines.at(-1)!.length + 1}`
  return text.includes('\n') ? `line ${lines.length}, ${column}` : column
}
