import type { Command } from '../../command.js'
import {
  frontierFlag,
  gridFlag,
  recipientFlag,
  slippageBpsFlag,
} from '../../flags/command-flags.js'
import {
  formFlags,
  pathFlags,
  quoteBlockFlags,
  quoteCall,
  splitFlags,
  termsAndGuards,
  watchFlags,
} from '../../flags/quote-flags.js'
import { requestFlag } from '../../flags/request-flags.js'

export const srouteCommand: Command = {
  name: 'sroute',
  summary: 'Find the best way to swap by dividing the amount over several paths',
  ...quoteCall('sroute'),
  examples: {
    'swap sroute 1.5 btc rune': 'the best split; -v adds its legs and those with fewer',
    'swap sroute usdc 40000 rune': 'how much USDC for at least 40,000 RUNE?',
    'swap sroute 25000 usdc rune --split-step 10 --max-legs 3': 'round shares, fewer calls',
    "swap sroute 25000 usdc rune --json | jq -r '.routes[0].min_return'": 'for a script',
    'swap sroute 1 btc rune --legs 0.6:btc/usdc,rune/usdc --legs 0.4:rune/btc': 'my split',
  },
  flags: {
    SPLITTING: splitFlags,
    PATHS: pathFlags,
    ...termsAndGuards,
    ...watchFlags("'output>=39500', 'input<=1', 'price>=1.2', 'impact<=50bps', 'gain>=10bps'"),
    OUTPUT: [
      ...quoteBlockFlags,
      requestFlag('sroute', 'verify', { isRare: true }),
      requestFlag('sroute', 'explain'),
      ...formFlags,
    ],
  },
  topics: ['splitting', 'watching'],
  formerFlags: [gridFlag, frontierFlag, slippageBpsFlag, recipientFlag],
  load: async () => (await import('./run.js')).runSroute,
}
