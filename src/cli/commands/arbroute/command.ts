import { type Command, flag } from '../../command.js'
import { slippageBpsFlag } from '../../flags/command-flags.js'
import { atFlags } from '../../flags/quote-flags.js'
import { requestFlag } from '../../flags/request-flags.js'

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
      flag('--atomic', 'amounts in base units, in and in -q'),
      ...atFlags,
    ],
  },
  formerFlags: [slippageBpsFlag],
  flagsElsewhere: {
    '--amount': ['the capital first, without a flag: swap arbroute VALUE <token>', '5000'],
  },
  exit: '0 ok (also without a profit), 2 usage, 4 unreachable',
  load: async () => (await import('./run.js')).runArbroute,
}
