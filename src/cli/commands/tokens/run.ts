import { suggest } from '../../../config/suggest.js'
import { tokens } from '../../../operations/tokens/tokens.js'
import type { TokensAnswer } from '../../../operations/tokens/tokens-answer.js'
import { type CsvColumn, csv, foreign } from '../../../render/csv.js'
import { namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import type { Context } from '../../command.js'
import { printAnswer } from '../../print-answer.js'
import { renderTokens } from './render.js'

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

/** Lists the tokens of the market, or those that a query names. */
export async function runTokens(context: Context, [query]: readonly string[]): Promise<void> {
  const { app, config, out } = context
  const answer = filtered(await tokens(app), query, config.aliases)
  return printAnswer(context, answer, {
    quiet: () => answer.tokens.map(({ denom }) => denom).join('\n'),
    csv: () => tokensCsv(answer),
    async human() {
      const { tokens: known } = (await app.openMarket()).market
      const symbols = [...known.values()].map(({ symbol }) => symbol)
      const suggestions = query === undefined ? [] : suggest(query, symbols)
      return renderTokens(answer, { query, aliases: config.aliases, suggestions, known }, out.style)
    },
  })
}

/** Keeps the tokens that a query names: by alias, or as part of symbol, name, denom or chain. */
function filtered(
  answer: TokensAnswer,
  query: string | undefined,
  aliases: ReadonlyMap<string, string>,
): TokensAnswer {
  if (query === undefined) return answer
  const wanted = query.toLowerCase()
  const alias = aliases.get(wanted)
  return {
    ...answer,
    tokens: answer.tokens.filter(
      ({ symbol, name, denom, chain }) =>
        denom === alias ||
        [symbol, name, denom, chain].some((text) => text.toLowerCase().includes(wanted)),
    ),
  }
}
