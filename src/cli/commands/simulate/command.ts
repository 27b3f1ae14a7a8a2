import { type Command, flag } from '../../command.js'
import { recipientFlag } from '../../flags/command-flags.js'
import { amountElsewhere, atomicFlag, heightFlag, swapTokens } from '../../flags/quote-flags.js'
import { requestFlag } from '../../flags/request-flags.js'

const rare = { isRare: true } as const

export const simulateCommand: Command = {
  name: 'simulate',
  summary: 'Compare a quote with the contracts, and try its transaction without sending it',
  usage: {
    'swap simulate <quote-id>': 'a quote that was kept',
    'swap simulate <file>': 'a quote in a file; - is standard input',
    'swap simulate <amount> <in> <out>': 'a new quote',
  },
  examples: {
    'swap simulate 1.5 btc rune': "the router's number beside ours",
    'swap route 1.5 btc rune --json | swap simulate -': 'the same for a document',
    'swap simulate 1.5 btc rune --from demo': 'the very transaction, tried and not sent',
  },
  arguments: [{ form: '<quote>', meaning: 'the quote', values: ['quote', 'token'] }, ...swapTokens],
  flags: {
    SIMULATE: [
      flag(
        '--from <address>',
        'try the transaction of this account, by address or name; needs no key',
        { value: 'account' },
      ),
      requestFlag('simulate', 'tolerance_bps', {
        ...rare,
        fallback: '0 where the quote is exact, else 5bps',
      }),
      heightFlag,
    ],
    'THE QUOTE': [
      requestFlag('route', 'max_hops', rare),
      requestFlag('route', 'via', rare),
      requestFlag('route', 'exclude', rare),
      requestFlag('route', 'path', rare),
      requestFlag('route', 'slippage_bps'),
      requestFlag('route', 'min_out', rare),
      requestFlag('route', 'affiliate', rare),
      requestFlag('route', 'recipient'),
      atomicFlag,
    ],
  },
  flagsElsewhere: amountElsewhere('simulate'),
  exit: '0 ok, 2 usage, 3 no route, 4 unreachable, 5 the contract differs or pays too little, 6 funds, 7 a key file, 10 fails, 11 halted',
  formerFlags: [recipientFlag],
  answer: async () =>
    (await import('../../../operations/simulate/simulate-documents.js')).SimulateCommandAnswer,
  load: async () => (await import('./run.js')).runSimulate,
}
