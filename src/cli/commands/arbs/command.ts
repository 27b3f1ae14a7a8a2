import { type Command, flag } from '../../command.js'
import { atFlags, watchFlags } from '../../flags/quote-flags.js'
import { requestFlag } from '../../flags/request-flags.js'

export const arbsCommand: Command = {
  name: 'arbs',
  summary: 'Find arbitrage loops that are profitable after all fees',
  usage: { 'swap arbs': 'every profitable loop, from each listed denom with its fixed amount' },
  examples: {
    'swap arbs': 'the best percentage first',
    'swap arbs --min-percent 0.1 --min-profit-usd 1': 'only what is worth it',
    "swap arbs --json | jq -r '.opportunities[0].tx'": 'for a script',
  },
  flags: {
    FILTER: [
      requestFlag('arbs', 'minPercent'),
      requestFlag('arbs', 'min_profit_usd'),
      requestFlag('arbs', 'max_hops'),
      requestFlag('arbs', 'limit', { fallback: 'all' }),
    ],
    ...watchFlags("'percent>=0.5', 'usd>=1', 'loops>=1'"),
    OUTPUT: [flag('--exit-code', 'exit with 3 if no loop is profitable'), ...atFlags],
  },
  exit: '0 ok, 2 usage, 3 no profitable loop with --exit-code, 4 unreachable',
  topics: ['watching'],
  ownFlags: ['limit'],
  load: async () => (await import('./run.js')).runArbs,
}
