import type { Config } from '../config/load.js'
import type { Market } from '../engine/market/market.js'
import { formatUnits } from '../engine/math/units.js'
import type { CoinDocument } from '../operations/document-schema.js'
import { stringify } from '../operations/json.js'
import { type CsvColumn, csv, harmless } from '../render/csv.js'
import type { Naming, PairDenoms } from '../render/names.js'
import type { Context } from './command.js'
import { type PipeMembers, pipeLines } from './pipe-lines.js'

const columns: readonly CsvColumn<readonly [key: string, value: string]>[] = [
  ['key', ([key]) => harmless(key)],
  ['value', ([, value]) => (Number.isFinite(Number(value)) ? value : harmless(value))],
]

/** A document without rows of its own as CSV: a row `key,value` for each line of `pipeLines`. */
export const documentCsv = (document: object): string =>
  csv(
    columns,
    pipeLines(document as PipeMembers)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const tab = line.indexOf('\t')
        return [line.slice(0, tab), line.slice(tab + 1)] as const
      }),
  )

type Text = string | Promise<string>

/** An answer beside its document. */
type AnswerForms = {
  /** The one value that a script wants: `-q`. */
  quiet(): Text
  /** Without it rows for a spreadsheet are the document's members: `documentCsv`. */
  csv?(): Text
  human(): Text
}

/** Prints an answer in the form that flags and configuration name; `-qq` prints nothing. */
export async function printAnswer(
  { form, out }: Context,
  document: object,
  forms: AnswerForms,
): Promise<void> {
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(await forms.quiet())
  if (form.kind === 'json') return out.result(stringify(document))
  const { csv = () => documentCsv(document) } = forms
  return out.result(await (form.kind === 'csv' ? csv() : forms.human()))
}

/** An amount for a script: in units, with `--atomic` in atomics; empty where there is none. */
export function amountText(
  { form }: Pick<Context, 'form'>,
  coin: CoinDocument | null,
  tokens: Naming['tokens'],
): string {
  if (coin === null || form.atomic) return coin?.amount ?? ''
  return formatUnits(BigInt(coin.amount), tokens.get(coin.denom)?.decimals ?? 0)
}

/** The names of the tokens and pairs of the market that a command answers from. */
export const namingIn = async ({ app, config }: Pick<Context, 'app' | 'config'>) =>
  marketNaming((await app.openMarket()).market, config)

/** The denoms of a market's pairs by address, which name the pairs; also of those without a readable book. */
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
