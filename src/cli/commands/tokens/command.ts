import type { Command } from '../../command.js'
import { blockFlags } from '../../flags/quote-flags.js'

export const tokensCommand: Command = {
  name: 'tokens',
  summary: 'List the tokens that can be swapped',
  usage: 'all of them, or those whose names hold the query',
  examples: {
    'swap tokens': 'every token with its denom and price',
    'swap tokens usd': 'those with "usd" in symbol, name, denom or chain',
    'swap tokens rune -q': 'the denom',
    "swap tokens --json | jq -r '.tokens[].denom'": 'for a script',
  },
  arguments: [{ form: '[query]', meaning: 'the query', values: ['token'] }],
  flags: { BLOCK: blockFlags },
  exit: '0 ok (also when nothing matches), 2 usage, 4 unreachable',
  load: async () => (await import('./run.js')).runTokens,
}
