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
export class QuerySyntaxError extends Error {
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
    throw new QuerySyntaxError(`offset ${this.pos}: ${text}`)
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

export type Operator = '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS'

/** What a condition compares with. */
export type Argument = {
  readonly kind: 'text' | 'number' | 'time' | 'date'
  readonly text: string
}

/** One condition on what a composite key (`transfer.amount`) holds. */
export type Condition = {
  readonly key: string
  readonly operator: Operator
  /** `undefined` with EXISTS alone. */
  readonly argument: Argument | undefined
}

const OPERATORS: readonly Token[] = [
  '<= operator',
  '>= operator',
  '< operator',
  '> operator',
  '= operator',
  'CONTAINS operator',
  'EXISTS operator',
]
const ORDERED: readonly Token[] = ['number', 'timestamp', 'datestamp']

const KINDS: { readonly [token: string]: Argument['kind'] } = {
  'quoted string': 'text',
  number: 'number',
  timestamp: 'time',
  datestamp: 'date',
}

/**
 * A query of the index or of a subscription: conditions joined by AND.
 *
 * @throws QueryTextError worded and placed as CometBFT's
 */
export function parseQuery(text: string): readonly Condition[] {
  const scanner = new Scanner(text)
  const conditions = [conditionOf(scanner)]
  while (scanner.next()) {
    if (scanner.token !== 'AND operator') scanner.fail(`got ${scanner.token}, want AND operator`)
    conditions.push(conditionOf(scanner))
  }
  return conditions
}

function conditionOf(scanner: Scanner): Condition {
  require(scanner, ['tag'])
  const key = scanner.text
  const operator = require(scanner, OPERATORS).replace(' operator', '') as Operator
  if (operator === 'EXISTS') return { key, operator, argument: undefined }
  const kind =
    KINDS[
      require(scanner, operator === 'CONTAINS'
        ? ['quoted string']
        : operator === '='
          ? [...ORDERED, 'quoted string']
          : ORDERED)
    ]
  return { key, operator, argument: { kind: kind ?? 'text', text: scanner.text } }
}

function require(scanner: Scanner, wanted: readonly Token[]): Token {
  if (!scanner.next()) scanner.fail('EOF')
  const { token } = scanner
  if (token !== undefined && wanted.includes(token)) return token
  const last = wanted.at(-1)
  const list = wanted.length > 1 ? `${wanted.slice(0, -1).join(', ')} or ${last}` : last
  return scanner.fail(`got ${token}, wanted ${list}`)
}
