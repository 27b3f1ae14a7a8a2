/** Go's word for where a character was not expected. */
const AT = {
  value: 'looking for beginning of value',
  key: 'looking for beginning of object key string',
  colon: 'after object key',
  pair: 'after object key:value pair',
  element: 'after array element',
  end: 'after top-level value',
  string: 'in string literal',
  escape: 'in string escape code',
  unicode: 'in \\u hexadecimal character escape',
  number: 'in numeric literal',
  point: 'after decimal point in numeric literal',
  exponent: 'in exponent of numeric literal',
} as const

class Fault extends Error {
  override name = 'Fault'
}

const END = 'unexpected end of JSON input'

const quoted = (char: string): string =>
  char === "'" ? "'\\''" : char === '"' ? "'\"'" : `'${JSON.stringify(char).slice(1, -1)}'`

/** Reads JSON as Go's scanner does, for the words of its errors; nesting costs no stack. */
class Scan {
  #at = 0
  constructor(readonly text: string) {}

  document(): void {
    // What is open: an object waits for `}`, an array for `]`.
    const open: ('}' | ']')[] = []
    for (;;) {
      let char = this.#next()
      if (char === '{') {
        if (this.#peek() === '}') this.#at++
        else {
          open.push('}')
          this.#key()
          continue
        }
      } else if (char === '[') {
        if (this.#peek() === ']') this.#at++
        else {
          open.push(']')
          continue
        }
      } else this.#scalar(char)
      for (let close = open.at(-1); ; close = open.at(-1)) {
        if (close === undefined) {
          const rest = this.#peek()
          if (rest !== undefined) this.#fail(rest, AT.end)
          return
        }
        char = this.#next()
        if (char === close) open.pop()
        else if (char !== ',') this.#fail(char, close === '}' ? AT.pair : AT.element)
        else {
          if (close === '}') this.#key()
          break
        }
      }
    }
  }

  #peek(): string | undefined {
    while (/[ \t\r\n]/.test(this.text[this.#at] ?? '')) this.#at++
    const point = this.text.codePointAt(this.#at)
    return point === undefined ? undefined : String.fromCodePoint(point)
  }

  #next(): string {
    const char = this.#peek()
    if (char === undefined) throw new Fault(END)
    this.#at += char.length
    return char
  }

  /** The very next character, spaces included. */
  #raw(): string {
    const point = this.text.codePointAt(this.#at)
    if (point === undefined) throw new Fault(END)
    const char = String.fromCodePoint(point)
    this.#at += char.length
    return char
  }

  #fail(char: string, where: string): never {
    throw new Fault(`invalid character ${quoted(char)} ${where}`)
  }

  #key(): void {
    const char = this.#next()
    if (char !== '"') this.#fail(char, AT.key)
    this.#string()
    const colon = this.#next()
    if (colon !== ':') this.#fail(colon, AT.colon)
  }

  #scalar(first: string): void {
    if (first === '"') this.#string()
    else if (first === 't') this.#word('true')
    else if (first === 'f') this.#word('false')
    else if (first === 'n') this.#word('null')
    else if (first === '-' || /[0-9]/.test(first)) this.#number(first)
    else this.#fail(first, AT.value)
  }

  #word(word: string): void {
    for (const wanted of word.slice(1)) {
      const char = this.#raw()
      if (char !== wanted) this.#fail(char, `in literal ${word} (expecting '${wanted}')`)
    }
  }

  #string(): void {
    for (let char = this.#raw(); char !== '"'; char = this.#raw()) {
      if (char < ' ') this.#fail(char, AT.string)
      if (char !== '\\') continue
      const sign = this.#raw()
      if (sign === 'u')
        for (let digit = 0; digit < 4; digit++) {
          const hex = this.#raw()
          if (!/[0-9a-fA-F]/.test(hex)) this.#fail(hex, AT.unicode)
        }
      else if (!'"\\/bfnrt'.includes(sign)) this.#fail(sign, AT.escape)
    }
  }

  #number(first: string): void {
    const lead = first === '-' ? this.#digit(AT.number) : first
    if (lead !== '0') this.#digits()
    if (this.text[this.#at] === '.') {
      this.#at++
      this.#digit(AT.point)
      this.#digits()
    }
    if (/[eE]/.test(this.text[this.#at] ?? '')) {
      this.#at++
      if (/[+-]/.test(this.text[this.#at] ?? '')) this.#at++
      this.#digit(AT.exponent)
      this.#digits()
    }
  }

  #digit(where: string): string {
    const char = this.#raw()
    if (!/[0-9]/.test(char)) this.#fail(char, where)
    return char
  }

  #digits(): void {
    while (/[0-9]/.test(this.text[this.#at] ?? '')) this.#at++
  }
}

/** Why a text is no JSON, in the words of Go; `undefined` when it is. */
export function jsonError(text: string): string | undefined {
  try {
    new Scan(text).document()
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

/** What Go calls a JSON value's kind in its errors. */
export const jsonKind = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value

const ESCAPES: { readonly [char: string]: string } = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** JSON text as Go writes it: safe inside HTML. */
export const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (char) => ESCAPES[char] ?? char)
