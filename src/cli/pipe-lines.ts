import type { CoinDocument } from '../operations/document-schema.js'
import { printable } from '../platform/printable.js'
import type { Names } from '../render/names.js'

type Value = string | number | boolean | null | undefined | readonly Value[] | PipeMembers
/** The members of a document. */
export type PipeMembers = { readonly [name: string]: Value }

/** What lines of amounts need beside the document. */
type PipeContext = {
  readonly names?: Names
  /** The denom of members that are amounts without one, such as `expected_output`. */
  readonly output?: string
}

/** Members that are atomics of the output; a line with the units follows theirs. */
const OUTPUT_AMOUNTS: ReadonlySet<string> = new Set([
  ...['expected_output', 'min_return', 'simulated_output', 'gross_output', 'returned'],
  ...['protocol_fee', 'referral_fee', 'affiliate_fee'],
])

/**
 * A document for a pipe, safe for `cut` and `awk`: a line `key<TAB>value` for each member in its order,
 * nested names joined with dots, an empty value for `null`. Objects of an array are counted from 1;
 * other elements repeat the key. With names, a denom has its symbol, unless the document says it, and an amount
 * its units beside it.
 */
export function pipeLines(document: PipeMembers, { names, output }: PipeContext = {}): string {
  const unitsOf = (amount: Value, denom: Value): string =>
    names === undefined || typeof amount !== 'string'
      ? ''
      : names.units({ denom: `${denom}`, amount })

  function linesOf(value: Value, key: string): readonly string[] {
    if (value === undefined) return []
    if (value === null || typeof value !== 'object') return [`${key}\t${cleaned(value)}`]
    const under = (name: string | number) => (key === '' ? `${name}` : `${key}.${name}`)
    if (Array.isArray(value))
      return value.flatMap((each: Value, i) =>
        linesOf(each, typeof each === 'object' ? under(i + 1) : key),
      )
    return Object.entries(value as PipeMembers).flatMap(([name, each]) =>
      memberLines(value as PipeMembers, name, each, under),
    )
  }

  function memberLines(
    { denom, symbol }: PipeMembers,
    name: string,
    value: Value,
    under: (name: string) => string,
  ): readonly string[] {
    const lines = linesOf(value, under(name))
    if (names === undefined || value === undefined) return lines
    if (name === 'denom' && symbol === undefined)
      return [`${under('symbol')}\t${value === null ? '' : names.symbol(`${value}`)}`, ...lines]
    const unit = name === 'amount' ? denom : OUTPUT_AMOUNTS.has(name) ? output : undefined
    const isAmount = unit !== undefined && (value === null || typeof value === 'string')
    return isAmount ? [...lines, `${under(`${name}_human`)}\t${unitsOf(value, unit)}`] : lines
  }

  return linesOf(document, '').join('\n')
}

/** A coin in a pipe: atomics and denom. */
export const coinText = ({ amount, denom }: CoinDocument): string => `${amount} ${denom}`

const cleaned = (value: string | number | boolean | null): string =>
  printable(`${value ?? ''}`.replaceAll(/[\t\r\n]+/g, ' '))
