import { suggest } from '../../../config/suggest.js'
import { stringify } from '../../../operations/json.js'
import { type TokensAnswer, tokens } from '../../../operations/tokens/tokens.js'
import type { Context } from '../../command.js'
import { renderTokens } from './render.js'
import { tokensCsv } from './tokens-csv.js'

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
      { query, aliases: config.aliases, suggestions, known: market.tokens, human: form.human },
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
