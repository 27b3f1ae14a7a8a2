import type { TokensAnswer } from '../../../operations/tokens/tokens.js'
import { type CsvColumn, csv, foreign } from '../../../render/csv.js'
import { namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'

/** One row for each token, under the names of the document. */
export function tokensCsv(answer: TokensAnswer): string {
  const names = namesOf({ tokens: new Map() }, plainStyle)
  const text = (value: string | null) => (value === null ? null : foreign(names, value))
  const columns: readonly CsvColumn<TokensAnswer['tokens'][number]>[] = [
    ['denom', ({ denom }) => text(denom)],
    ['symbol', ({ symbol }) => text(symbol)],
    ['name', ({ name }) => text(name)],
    ['chain', ({ chain }) => text(chain)],
    ['kind', ({ kind }) => text(kind)],
    ['contract', ({ contract }) => text(contract)],
    ['decimals', ({ decimals }) => decimals],
    ['price_usd', ({ price_usd }) => price_usd],
    ['pairs', ({ pairs }) => pairs],
    ['logo_uri', ({ logo_uri }) => text(logo_uri)],
  ]
  return csv(columns, answer.tokens)
}
