import type { ChainEvent } from '../../modules/contract.js'

const ordered = (order: number, operator: Operator): boolean =>
  operator === '<'
    ? order < 0
    : operator === '<='
      ? order <= 0
      : operator === '>'
        ? order > 0
        : order >= 0

/** Which of two decimals is larger, however long they are. */
export function compareDecimals(left: string, right: string): number {
  const [leftWhole = '', leftRest = ''] = left.split('.')
  const [rightWhole = '', rightRest = ''] = right.split('.')
  const digits = Math.max(leftRest.length, rightRest.length)
  const difference =
    BigInt(leftWhole + leftRest.padEnd(digits, '0')) -
    BigInt(rightWhole + rightRest.padEnd(digits, '0'))
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

/** Numbers have at most 100 digits: no amount has more, and comparing longer ones would cost time. */
const NUMBER = /^\d{1,100}(?:\.\d{1,100})?$/

/** Whether a value meets a condition: equal means the same text, an ordered value is a number. */
export function meets(value: string, { operator, argument }: Condition): boolean {
  if (operator === 'EXISTS' || !argument) return true
  if (operator === 'CONTAINS') return value.includes(argument.text)
  if (operator === '=') return value === argument.text
  return NUMBER.test(value) && ordered(compareDecimals(value, argument.text), operator)
}

/** Composite keys with all their values, in the order of the events. */
export type Tags = ReadonlyMap<string, readonly string[]>

export function tagsOf(events: readonly ChainEvent[], own: Iterable<[string, string]>): Tags {
  const tags = new Map<string, string[]>()
  const add = (key: string, value: string): void => {
    const values = tags.get(key)
    if (values) values.push(value)
    else tags.set(key, [value])
  }
  for (const { type, attributes } of events)
    for (const { key, value } of attributes) add(`${type}.${key}`, value)
  for (const [key, value] of own) add(key, value)
  return tags
}

/** Whether a subscription's conditions are met, each by any value of its key. */
export const tagsMeet = (tags: Tags, conditions: readonly Condition[]): boolean =>
  conditions.every((condition) =>
    (tags.get(condition.key) ?? []).some((value) => meets(value, condition)),
  )

/** Whether a single event meets all conditions, as the index requires. */
export const someEventMeets = (
  events: readonly ChainEvent[],
  conditions: readonly Condition[],
): boolean =>
  conditions.length === 0 ||
  events.some(({ type, attributes }) =>
    conditions.every((condition) => {
      if (!condition.key.startsWith(`${type}.`)) return false
      const key = condition.key.slice(type.length + 1)
      return attributes.some((each) => each.key === key && meets(each.value, condition))
    }),
  )

type Operator = '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS'

/** The value that a condition compares with. */
type Argument = { readonly kind: 'text' | 'number'; readonly text: string }

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
