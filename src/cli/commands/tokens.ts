import { stringify } from '../../app/json.js'
import { type TokensAnswer, tokens } from '../../app/tokens.js'
import { suggest } from '../../config/suggest.js'
import { tokensCsv } from '../../render/csv.js'
import { renderTokens } from '../../render/tokens.js'
import { refuseMore } from '../arguments.js'
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
    refuseMore('tokens', more)
    const answer = filtered(await tokens(app), query, config.aliases)
    if (form.quiet > 1) return
    if (form.quiet === 1) return out.result(answer.tokens.map(({ denom }) => denom).join('\n'))
    if (form.kind === 'json') {
      return out.result(stringify(answer))
    }
    if (form.kind === 'csv') {
      return out.result(tokensCsv(answer))
    }
    const { market } = await app.venue()
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
