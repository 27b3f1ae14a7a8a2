import BigNumber from 'bignumber.js'
import { invalidRequest, type SwapError } from '../../engine/errors.js'
import { quote } from '../../render/width.js'

/**
 * Parses the number on the right of a condition. For hints it is given what is on the left, such as `impact<=`.
 *
 * @throws SwapError INVALID_REQUEST
 */
type ReadNumber = (text: string, left: string) => BigNumber

/** The numbers that a condition may name, with the parser of each. */
type Measures = Readonly<Record<string, ReadNumber>>

/** A condition such as `output>=39500`. */
export type Condition = {
  readonly measure: string
  /** False for an unknown (`undefined`) value. */
  holds(value: BigNumber | undefined): boolean
}

const tests: Readonly<Record<string, (value: BigNumber, limit: BigNumber) => boolean>> = {
  '>=': (value, limit) => value.gte(limit),
  '<=': (value, limit) => value.lte(limit),
  '>': (value, limit) => value.gt(limit),
  '<': (value, limit) => value.lt(limit),
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
  return { measure, holds: (value) => value !== undefined && test(value, limit) }
}

/** A number of an answer that a condition may name: how the limit is written, and the value. */
type MeasureOf<Answer> = readonly [read: ReadNumber, value: (answer: Answer) => DocumentNumber]

/** The reader of `--until` for a kind of answer. */
export const conditionOn =
  <Answer>(measures: Readonly<Record<string, MeasureOf<Answer>>>) =>
  (until: string): ((answer: Answer) => boolean) => {
    const readers = Object.entries(measures).map(([name, [read]]) => [name, read] as const)
    const { measure, holds } = readCondition(until, Object.fromEntries(readers))
    const [, value] = measures[measure]!
    return (answer) => holds(exactOf(value(answer)))
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

/** A decimal without sign or exponent. @throws SwapError INVALID_REQUEST */
export function plainNumber(text: string, left: string): BigNumber {
  if (/^(\d{1,30}(\.\d{1,30})?|\.\d{1,30})$/.test(text)) return new BigNumber(text)
  throw invalidRequest(`${quote(text)} cannot be used for --until`, '/until', {
    why: 'the number is written in plain digits, e.g. 39500 or 0.25',
    hint: `write e.g. --until '${left}39500'`,
  })
}

/** A number of a document; `null` is unknown. */
type DocumentNumber = string | number | null

/** The same for comparisons; `undefined` for an unknown value. */
export const exactOf = (number: DocumentNumber): BigNumber | undefined =>
  number === null ? undefined : new BigNumber(number)
