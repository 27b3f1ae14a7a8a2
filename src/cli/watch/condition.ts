import { invalidRequest, type SwapError } from '../../engine/errors.js'
import { quote } from '../../render/width.js'

/** An exact decimal: `digits` times ten to the power of minus `places`. */
export type Exact = { readonly digits: bigint; readonly places: number }

/**
 * Parses the number on the right of a condition. For hints it is given what is on the left, such as `impact<=`.
 *
 * @throws SwapError INVALID_REQUEST
 */
type ReadNumber = (text: string, left: string) => Exact

/** The numbers that a condition may name, with the parser of each. */
export type Measures = Readonly<Record<string, ReadNumber>>

/** A condition such as `output>=39500`. */
export type Condition = {
  readonly measure: string
  /** False for an unknown (`undefined`) value. */
  holds(value: Exact | undefined): boolean
}

const tests: Readonly<Record<string, (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
}

/** @example readCondition('output>=39500', { output: plainNumber }) */
export function readCondition(text: string, measures: Measures): Condition {
  const [, measure = '', sign = '', right = ''] =
    /^\s*([a-z_]+)\s*(>=|<=|>|<)(?!=)\s*(\S.*?)\s*$/i.exec(text) ?? []
  const read = Object.hasOwn(measures, measure) ? measures[measure] : undefined
  if (read === undefined || right === '')
    throw invalidCondition(text, measure, Object.keys(measures))
  const limit = read(right, `${measure}${sign}`)
  const test = tests[sign]!
  return {
    measure,
    holds: (value) => value !== undefined && test(compare(value, limit)),
  }
}

/** Whether the condition of `--until`, where there is one, holds for the value of its measure. */
export function untilOf(
  text: string | undefined,
  measures: Measures,
): (valueFor: (measure: string) => Exact | undefined) => boolean {
  if (text === undefined) return () => false
  const condition = readCondition(text, measures)
  return (valueFor) => condition.holds(valueFor(condition.measure))
}

function invalidCondition(text: string, measure: string, known: readonly string[]): SwapError {
  const why =
    measure === ''
      ? 'a condition is a name, one of >= <= > <, and a number'
      : `${quote(measure)} is not watched; the measures are ${known.join(', ')}`
  return invalidRequest(`${quote(text)} cannot be used for --until`, '/until', {
    why,
    hint: `write e.g. --until '${known[0]}>=1'; the quotes keep the shell from reading > itself`,
  })
}

/** Negative, zero or positive, as `a` is less than, equal to or greater than `b`. */
function compare(a: Exact, b: Exact): number {
  const places = Math.max(a.places, b.places)
  const scaled = (each: Exact) => each.digits * 10n ** BigInt(places - each.places)
  const [left, right] = [scaled(a), scaled(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** A decimal without sign or exponent. @throws SwapError INVALID_REQUEST */
export function plainNumber(text: string, left: string): Exact {
  const number = decimalOf(text)
  if (number !== undefined) return number
  throw invalidRequest(`${quote(text)} is no number of a condition`, '/until', {
    why: 'the number is written in plain digits, e.g. 39500 or 0.25',
    hint: `write e.g. --until '${left}39500'`,
  })
}

function decimalOf(text: string): Exact | undefined {
  const [, whole = '', fraction = ''] = /^(\d{0,30})(?:\.(\d{1,30}))?$/.exec(text) ?? []
  if (whole + fraction === '') return undefined
  return { digits: BigInt(whole + fraction), places: fraction.length }
}

/** Parses a decimal string of a document; `undefined` for an unknown value. */
export const exactOf = (decimal: string | null | undefined): Exact | undefined =>
  decimal === null || decimal === undefined ? undefined : signedNumber(decimal)

function signedNumber(decimal: string): Exact | undefined {
  const isNegative = decimal.startsWith('-')
  const size = decimalOf(isNegative ? decimal.slice(1) : decimal)
  return size && { ...size, digits: isNegative ? -size.digits : size.digits }
}

export const exactCount = (count: number): Exact => ({ digits: BigInt(count), places: 0 })

/** Basis points or a percentage of a document, rounded to its two decimals. */
export const exactBps = (bps: number | null): Exact | undefined =>
  bps === null ? undefined : { digits: BigInt(Math.round(bps * 100)), places: 2 }
