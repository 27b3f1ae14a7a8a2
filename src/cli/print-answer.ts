import type { Config } from '../config/load.js'
import { invalidRequest } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import type { PairDenoms } from '../engine/market/pair.js'
import { formatUnits } from '../engine/math/units.js'
import type { CoinDocument } from '../operations/document-schema.js'
import { printable } from '../platform/printable.js'
import { csv, harmless } from '../render/csv.js'
import type { Names, Naming } from '../render/names.js'
import type { Context } from './command.js'

/** CSV of a document without rows of its own: a row `key,value` for each line of `pipeLines`. */
export function documentCsv(document: object): string {
  const lines = pipeLines(document as PipeMembers).split('\n')
  const rows = lines.filter((line) => line !== '').map((line) => line.split(/\t(.*)/s, 2))
  return csv(rows, [
    ['key', ([key = '']) => harmless(key)],
    ['value', ([, value = '']) => (Number.isFinite(Number(value)) ? value : harmless(value))],
  ])
}

type Text = string | Promise<string>

/** Representations of an answer beside its document. */
type AnswerForms = {
  /** The value of `-q`. */
  quiet(): Text
  /** Rows for a spreadsheet; by default the document's members: `documentCsv`. */
  csv?(): Text
  human(): Text
}

type Printing = Pick<Context, 'form' | 'out'>

/** @throws SwapError INVALID_REQUEST for CSV of events */
export function refuseCsv({ form }: Pick<Context, 'form'>, what: string): void {
  if (form.kind !== 'csv') return
  throw invalidRequest(`CSV does not go with ${what}`, '/output', {
    why: 'rows of one table are not events',
    hint: 'take --json: an event a line, each complete on its own',
  })
}

/** Prints an answer in the configured form; `-qq` prints nothing. */
export async function printAnswer(
  { form, out }: Printing,
  document: object,
  forms: AnswerForms,
): Promise<void> {
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(await forms.quiet())
  if (form.kind === 'json') return out.result(JSON.stringify(document))
  const { csv = () => documentCsv(document) } = forms
  return out.result(await (form.kind === 'csv' ? csv() : forms.human()))
}

/** Prints the result of an action: its document, or a text, whose lines are escaped; `-q` prints nothing. */
export async function printOutcome(
  context: Printing,
  document: object,
  text: string,
): Promise<void> {
  if (context.form.quiet > 0) return
  const human = () => text.split('\n').map(printable).join('\n')
  return printAnswer(context, document, { quiet: () => '', human })
}

/** An amount for a script: in units, with `--atomic` in atomics; empty if absent. */
export function amountText(
  { form }: Pick<Context, 'form'>,
  coin: CoinDocument | null,
  tokens: Naming['tokens'],
): string {
  if (coin === null || form.atomic) return coin?.amount ?? ''
  return formatUnits(BigInt(coin.amount), tokens.get(coin.denom)?.decimals ?? 0)
}

/** Token and pair names of the market that a command uses. */
export const namingIn = async ({ app, config }: Pick<Context, 'app' | 'config'>) =>
  marketNaming((await app.openMarket()).market, config)

/** The denoms of a market's pairs by address, for their names; includes pairs without a readable book. */
export const pairsOf = (
  market: Pick<Market, 'books'> & Partial<Pick<Market, 'excluded'>>,
): ReadonlyMap<string, PairDenoms> =>
  new Map([
    ...[...market.books].map(([address, book]) => [address, book.state.pair] as const),
    ...(market.excluded ?? []).flatMap(({ address, pair }) =>
      pair === undefined ? [] : [[address, pair] as const],
    ),
  ])

/** The names of a market's tokens and pairs. */
export const marketNaming = (
  market: Pick<Market, 'tokens' | 'books'> & Partial<Pick<Market, 'excluded'>>,
  { aliases }: Pick<Config, 'aliases'>,
): Naming & Required<Pick<Naming, 'aliases' | 'pairs'>> => ({
  tokens: market.tokens,
  pairs: pairsOf(market),
  aliases,
})

type Value = string | number | boolean | null | undefined | readonly Value[] | PipeMembers
/** The members of a document. */
export type PipeMembers = { readonly [name: string]: Value }

/** Context for lines with amounts. */
type PipeContext = {
  readonly names?: Names
  /** The denom of amount members without one, such as `expected_output`. */
  readonly output?: string
}

/** Members that are atomics of the output; a line in units follows theirs. */
const OUTPUT_AMOUNTS: ReadonlySet<string> = new Set([
  'expected_output',
  'min_return',
  'simulated_output',
  'gross_output',
  'returned',
  'protocol_fee',
  'referral_fee',
  'affiliate_fee',
])

/**
 * A document for a pipe, safe for `cut` and `awk`: a line `key<TAB>value` for each member in its order, except that the
 * pairs left out, `excluded`, come after the answer; nested names joined with dots, an empty value for `null`. Objects
 * in an array are counted from 1; other elements repeat the key. With names, a denom is followed by its symbol unless
 * the document has it, and an amount by its units.
 */
export function pipeLines(document: PipeMembers, { names, output }: PipeContext = {}): string {
  function linesOf(value: Value, key: string): readonly string[] {
    if (value === undefined) return []
    if (value === null || typeof value !== 'object') return [`${key}\t${cleanCell(value)}`]
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
    if (unit === undefined || (value !== null && typeof value !== 'string')) return lines
    const units = value === null ? '' : names.units({ denom: `${unit}`, amount: value })
    return [...lines, `${under(`${name}_human`)}\t${units}`]
  }

  const { excluded, ...members } = document
  const ordered = Array.isArray(excluded) ? { ...members, excluded } : document
  return linesOf(ordered, '').join('\n')
}

/** A coin in a pipe: atomics and denom. */
export const coinText = ({ amount, denom }: CoinDocument): string => `${amount} ${denom}`

const cleanCell = (value: string | number | boolean | null): string =>
  printable(`${value ?? ''}`.replaceAll(/[\t\r\n]+/g, ' '))
