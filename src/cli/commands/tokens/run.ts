import { suggest } from '../../../config/suggest.js'
import { stringify } from '../../../operations/json.js'
import { type TokensAnswer, tokens } from '../../../operations/tokens/tokens.js'
import { type CsvColumn, csv, foreign } from '../../../render/csv.js'
import { namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import type { Context } from '../../command.js'
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
export async function runTokens(
  { app, config, out, form }: Context,
  args: readonly string[],
): Promise<void> {
  const [query] = args
  const answer = filtered(await tokens(app), query, config.aliases)
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(answer.tokens.map(({ denom }) => denom).join('\n'))
  if (form.kind === 'json') {
    return out.result(stringify(answer))
  }
  if (form.kind === 'csv') {
    return out.result(tokensCsv(answer))
  }
  const { market } = await app.openMarket()
  const suggestions =
    query === undefined
      ? []
      : suggest(
          query,
          [...market.tokens.values()].map((token) => token.symbol),
        )
  return out.result(
    renderTokens(
      answer,
      { query, aliases: config.aliases, suggestions, known: market.tokens },
      out.style,
    ),
  )
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
