/** What a query is made of. Operators stand in the order in which errors list them. */
export type Token =
  | 'tag'
  | 'quoted string'
  | 'number'
  | 'timestamp'
  | 'datestamp'
  | 'AND operator'
  | 'CONTAINS operator'
  | 'EXISTS operator'
  | '= operator'
  | '< operator'
  | '<= operator'
  | '> operator'
  | '>= operator'

/** A text is no query of the index; the message is CometBFT's. */
export class QueryTextError extends Error {
  override name = 'QueryTextError'
}

const WORDS: { readonly [word: string]: Token } = {
  AND: 'AND operator',
  EXISTS: 'EXISTS operator',
  CONTAINS: 'CONTAINS operator',
}

const isSpace = (char: string): boolean => /\s/u.test(char)
const isDigit = (char: string): boolean => char >= '0' && char <= '9'
const isTagRune = (char: string): boolean => /[\p{L}\p{Nd}._-]/u.test(char)
const isTimeRune = (char: string): boolean => /[0-9TZ:.+-]/.test(char)

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** Cuts a query into tokens. Positions count bytes, as the errors do. */
export class Scanner {
  readonly #chars: readonly string[]
  #at = 0
  /** Bytes before the present token, and behind what was read. */
  pos = 0
  #end = 0
  token: Token | undefined
  text = ''

  constructor(query: string) {
    this.#chars = [...query]
  }

  /** Whether there is another token; it is then in `token` and `text`. @throws QueryTextError */
  next(): boolean {
    this.token = undefined
    this.text = ''
    for (;;) {
      this.pos = this.#end
      const char = this.#take()
      if (char === undefined) return false
      if (isSpace(char)) continue
      if (isDigit(char)) this.#number(char)
      else if (isTagRune(char)) this.#word(char)
      else if (char === "'") this.#quoted()
      else this.#operator(char)
      return true
    }
  }

  /** @throws QueryTextError always */
  fail(text: string): never {
    throw new QueryTextError(`offset ${this.pos}: ${text}`)
  }

  #take(): string | undefined {
    const char = this.#chars[this.#at]
    if (char === undefined) return undefined
    this.#at++
    this.#end += Buffer.byteLength(char)
    return char
  }

  #back(char: string): void {
    this.#at--
    this.#end -= Buffer.byteLength(char)
  }

  #takeWhile(wanted: (char: string) => boolean): void {
    for (let char = this.#take(); char !== undefined; char = this.#take()) {
      if (!wanted(char)) {
        this.#back(char)
        return
      }
      this.text += char
    }
  }

  #number(first: string): void {
    this.token = 'number'
    this.text = first
    this.#takeWhile(isDigit)
    const char = this.#take()
    if (char === '.') {
      this.text += char
      this.#takeWhile(isDigit)
    } else if (char !== undefined) this.#back(char)
  }

  #quoted(): void {
    for (let char = this.#take(); char !== undefined; char = this.#take()) {
      if (char === "'") {
        this.token = 'quoted string'
        return
      }
      this.text += char
    }
    this.fail('EOF')
  }

  #operator(first: string): void {
    if (first === '=') {
      this.token = '= operator'
      return
    }
    if (first !== '<' && first !== '>') this.fail(`invalid input ${first} at offset ${this.#end}`)
    const char = this.#take()
    if (char === '=') this.token = first === '<' ? '<= operator' : '>= operator'
    else {
      if (char !== undefined) this.#back(char)
      this.token = first === '<' ? '< operator' : '> operator'
    }
  }

  #word(first: string): void {
    this.text = first
    this.#takeWhile(isTagRune)
    if ((this.text === 'TIME' || this.text === 'DATE') && this.#chars[this.#at] === ' ')
      this.#stamp(this.text)
    else this.token = WORDS[this.text] ?? 'tag'
  }

  #stamp(kind: 'TIME' | 'DATE'): void {
    this.#take()
    this.text = ''
    this.#takeWhile(isTimeRune)
    const layout = kind === 'TIME' ? '2006-01-02T15:04:05Z07:00' : '2006-01-02'
    if (!(kind === 'TIME' ? TIME : DATE).test(this.text) || Number.isNaN(Date.parse(this.text)))
      this.fail(`invalid ${kind} value: parsing time "${this.text}" as "${layout}": cannot parse`)
    this.token = kind === 'TIME' ? 'timestamp' : 'datestamp'
  }
}
