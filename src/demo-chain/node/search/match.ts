import type { ChainEvent } from '../../modules/events.js'
import type { Condition, Operator } from './query-text.js'

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
