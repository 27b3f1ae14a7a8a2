import type { Command } from '../../command.js'
import { recipientFlag, slippageBpsFlag } from '../../flags/command-flags.js'
import {
  formFlags,
  pathFlags,
  quoteBlockFlags,
  quoteCall,
  termsAndGuards,
  watchFlags,
} from '../../flags/quote-flags.js'
import { requestFlag } from '../../flags/request-flags.js'

export const routeCommand: Command = {
  name: 'route',
  summary: 'Find the best single path to swap one token for another',
  ...quoteCall('route'),
  examples: {
    'swap route 1.5 btc rune': 'the best path; -v adds the next four',
    'swap route usdc 40000 rune': 'how much USDC for at least 40,000 RUNE?',
    "swap route 25000 usdc rune --json | jq -r '.routes[0].min_return'": 'for a script',
    'swap route 0.5 btc ruji --via rune --explain': 'every level, and why others lost',
  },
  flags: {
    PATHS: pathFlags,
    ...termsAndGuards,
    ...watchFlags("'output>=39500', 'input<=1', 'price>=1.2', 'impact<=50bps'"),
    OUTPUT: [
      ...quoteBlockFlags,
      requestFlag('route', 'verify', { isRare: true }),
      requestFlag('route', 'allow_direct', { isRare: true }),
      requestFlag('route', 'explain'),
      ...formFlags,
    ],
  },
  topics: ['amounts', 'watching'],
  formerFlags: [slippageBpsFlag, recipientFlag],
  load: async () => (await import('./run.js')).runRoute,
}
