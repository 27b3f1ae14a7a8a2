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

/** Text that is not a query. */
export class QuerySyntaxError extends Error {
  override name = 'QuerySyntaxError'
}

const KEY = String.raw`(?<key>(?!AND\b)[\p{L}\p{Nd}._-]+)`
const OPERATOR = '(?<operator>EXISTS|CONTAINS|<=|>=|<|>|=)'
// CometBFT also compares with times and dates, which no client of this chain uses.
const ARGUMENT = String.raw`(?:'(?<text>[^']*)'|(?<number>\d+(?:\.\d*)?))?`
const CONDITION = String.raw`\s*${KEY}\s*${OPERATOR}\s*${ARGUMENT}\s*(?<next>AND\b|$)`

/** The kinds of argument that an operator compares with. */
const accepts = (operator: Operator, kind: Argument['kind'] | undefined): boolean =>
  operator === 'EXISTS'
    ? kind === undefined
    : operator === '='
      ? kind !== undefined
      : kind === (operator === 'CONTAINS' ? 'text' : 'number')

/**
 * A query of the index or of a subscription: conditions joined by AND.
 *
 * @throws QuerySyntaxError
 */
export function parseQuery(query: string): readonly Condition[] {
  const conditions: Condition[] = []
  const pattern = new RegExp(CONDITION, 'uy')
  for (let next = 'AND'; next === 'AND'; ) {
    const at = pattern.lastIndex
    const found = pattern.exec(query)?.groups
    const { key = '', text, number } = found ?? {}
    const operator = found?.['operator'] as Operator
    const argument: Argument | undefined =
      text !== undefined
        ? { kind: 'text', text }
        : number !== undefined
          ? { kind: 'number', text: number }
          : undefined
    if (!found || !accepts(operator, argument?.kind))
      throw new QuerySyntaxError(`no condition at character ${at}`)
    conditions.push({ key, operator, argument })
    next = found['next'] ?? ''
  }
  return conditions
}
