import { type Command, flag } from '../../command.js'
import { slippageBpsFlag } from '../../flags/command-flags.js'
import { atFlags, watchFlags } from '../../flags/quote-flags.js'
import { requestFlag } from '../../flags/request-flags.js'

export const arbsCommand: Command = {
  name: 'arbs',
  summary: 'Find arbitrage loops that are profitable after all fees',
  usage: 'every profitable loop, from each listed denom with its fixed amount',
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
      requestFlag('arbs', 'limit'),
    ],
    ...watchFlags("'percent>=0.5', 'usd>=1', 'loops>=1'"),
    OUTPUT: [flag('--exit-code', 'exit with 3 if no loop is profitable'), ...atFlags],
  },
  exit: '0 ok, 1 --exec failed, 2 usage, 3 no profitable loop with --exit-code, 4 unreachable, 5 --until not met',
  topics: ['watching'],
  ownFlags: ['limit'],
  load: async () => (await import('./run.js')).runArbs,
}

export const arbrouteCommand: Command = {
  name: 'arbroute',
  summary: 'Compute what a capital earns through arbitrage loops, step by step',
  usage: {
    'swap arbroute <capital> <token>': 'the profitable loops, each at its most profitable size',
  },
  examples: {
    'swap arbroute 2000 usdc': 'profit, steps, and profit against size',
    'swap arbroute 5000 rune --max-hops 3 -q': 'the profit',
    "swap arbroute 2000 usdc --json | jq '.steps[].executions[].tx'": 'the messages to sign',
  },
  arguments: [
    { form: '<capital>', meaning: 'the capital' },
    { form: '[token]', meaning: 'the token', values: ['token'] },
  ],
  flags: {
    TERMS: [
      requestFlag('arbroute', 'slippage_bps', {
        meaning: 'accept this much less than quoted, never less than the input',
      }),
      requestFlag('arbroute', 'max_hops'),
    ],
    OUTPUT: [
      requestFlag('arbroute', 'curve'),
      flag('--atomic', 'amounts of the call and of -q in base units'),
      ...atFlags,
    ],
  },
  formerFlags: [slippageBpsFlag],
  flagsElsewhere: {
    '--amount': ['the capital first, without a flag: swap arbroute VALUE <token>', '5000'],
  },
  exit: '0 ok (also without a profit), 2 usage, 4 unreachable',
  load: async () => (await import('./arbroute.js')).runArbroute,
}
