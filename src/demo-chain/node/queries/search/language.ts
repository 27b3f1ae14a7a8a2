import { Scanner, type Token } from './scanner.js'

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
