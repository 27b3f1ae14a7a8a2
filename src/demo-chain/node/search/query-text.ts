export type Operator = '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS'

/** The value that a condition compares with. */
export type Argument = { readonly kind: 'text' | 'number'; readonly text: string }

/** One condition on the values of a composite key such as `transfer.amount`. */
export type Condition = {
  readonly key: string
  readonly operator: Operator
  /** `undefined` with EXISTS alone. */
  readonly argument: Argument | undefined
}

/** Text that is not a query; the message is CometBFT's. */
export class QuerySyntaxError extends Error {
  override name = 'QuerySyntaxError'
}

/** `kind` is the name that CometBFT's errors use; `offset` counts bytes. */
type Token = { readonly kind: string; readonly text: string; readonly offset: number }

const TOKEN = /^(?:'([^']*)'|(\d+(?:\.\d*)?)|([\p{L}\p{Nd}._-]+)|<=|>=|<|>|=)/u
const KEYWORDS: readonly string[] = ['AND', 'CONTAINS', 'EXISTS']

const OPERATORS = ['<=', '>=', '<', '>', '=', 'CONTAINS', 'EXISTS'].map(
  (each) => `${each} operator`,
)
// CometBFT also compares with times and dates, which no client of this chain uses.
const ORDERED = ['number', 'timestamp', 'datestamp']

/**
 * A query of the index or of a subscription: conditions joined by AND.
 *
 * @throws QuerySyntaxError
 */
export function parseQuery(text: string): readonly Condition[] {
  const tokens = tokensOf(text)
  const conditions = [conditionOf(tokens)]
  for (;;) {
    const { kind, offset } = tokens.next().value
    if (kind === 'EOF') return conditions
    if (kind !== 'AND operator') fail(offset, `got ${kind}, want AND operator`)
    conditions.push(conditionOf(tokens))
  }
}

/** The tokens of a query; after the last one, `EOF` again and again. */
function* tokensOf(text: string): Generator<Token, never> {
  for (let at = 0; ; ) {
    at += /^\s*/u.exec(text.slice(at))?.[0].length ?? 0
    const rest = text.slice(at)
    const offset = Buffer.byteLength(text.slice(0, at))
    const [token = '', quoted, number, word] = TOKEN.exec(rest) ?? []
    const [char = ''] = rest
    if (token === '' && char !== '' && char !== "'")
      fail(offset, `invalid input ${char} at offset ${offset + Buffer.byteLength(char)}`)
    at += token.length
    yield token === ''
      ? { kind: 'EOF', text: '', offset }
      : quoted !== undefined
        ? { kind: 'quoted string', text: quoted, offset }
        : { kind: kindOf(token, number, word), text: token, offset }
  }
}

const kindOf = (token: string, number?: string, word?: string): string =>
  number !== undefined
    ? 'number'
    : word !== undefined && !KEYWORDS.includes(word)
      ? 'tag'
      : `${token} operator`

function conditionOf(tokens: Generator<Token, never>): Condition {
  const key = expect(tokens, ['tag']).text
  const operator = expect(tokens, OPERATORS).text as Operator
  if (operator === 'EXISTS') return { key, operator, argument: undefined }
  const wanted =
    operator === 'CONTAINS'
      ? ['quoted string']
      : operator === '='
        ? [...ORDERED, 'quoted string']
        : ORDERED
  const { kind, text } = expect(tokens, wanted)
  return { key, operator, argument: { kind: kind === 'number' ? 'number' : 'text', text } }
}

function expect(tokens: Generator<Token, never>, wanted: readonly string[]): Token {
  const token = tokens.next().value
  if (token.kind === 'EOF') fail(token.offset, 'EOF')
  if (wanted.includes(token.kind)) return token
  const last = wanted.at(-1)
  const list = wanted.length > 1 ? `${wanted.slice(0, -1).join(', ')} or ${last}` : last
  return fail(token.offset, `got ${token.kind}, wanted ${list}`)
}

function fail(offset: number, text: string): never {
  throw new QuerySyntaxError(`offset ${offset}: ${text}`)
}
