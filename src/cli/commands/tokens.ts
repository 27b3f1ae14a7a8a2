import type { TokensAnswer } from '../../app/tokens.js'
import type { Command } from '../command.js'

export const tokensCommand: Command = {
  name: 'tokens',
  summary: 'List the tokens that can be swapped',
  usage: [['swap tokens [query]', 'all of them, or those whose names hold the query']],
  examples: [
    ['swap tokens', 'every token with its denom and price'],
    ['swap tokens usd', 'those with "usd" in symbol, name, denom or chain'],
    ['swap tokens rune -q', 'the denom'],
    ["swap tokens --json | jq -r '.tokens[].denom'", 'for a script'],
  ],
  groups: [],
  exit: '0 ok (also when nothing matches), 2 usage',
  async run({ app, config, out, form }, args) {
    const [query, ...more] = args
    const { refuseMore } = await import('../arguments.js')
    refuseMore('tokens', more)
    const { tokens } = await import('../../app/tokens.js')
    const answer = filtered(await tokens(app), query, config.aliases)
    if (form.quiet > 1) return
    if (form.quiet === 1) return out.result(answer.tokens.map(({ denom }) => denom).join('\n'))
    if (form.kind === 'json') {
      const { stringify } = await import('../../app/json.js')
      return out.result(stringify(answer))
    }
    if (form.kind === 'csv') {
      const { tokensCsv } = await import('../../render/csv.js')
      return out.result(tokensCsv(answer))
    }
    const { renderTokens } = await import('../../render/tokens.js')
    const { suggest } = await import('../../config/suggest.js')
    const { market } = await app.venue()
    const suggestions =
      query === undefined
        ? []
        : suggest(
            query,
            [...market.tokens.values()].map((token) => token.symbol),
          )
    return out.result(
      renderTokens(answer, { query, aliases: config.aliases, suggestions }, out.style),
    )
  },
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
