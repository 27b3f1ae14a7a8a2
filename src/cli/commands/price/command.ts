import type { Command } from '../../command.js'
import { blockFlags } from '../../flags/quote-flags.js'
import { requestFlag } from '../../flags/request-flags.js'

export const priceCommand: Command = {
  name: 'price',
  summary: 'Show the price of a token, with spread, depth and the last 24 hours',
  usage: {
    'swap price <token>': 'in dollars, by the reference token of the network',
    'swap price <token> --in <token>':
      'in another token; over several pairs where no pair trades the two',
    'swap price <token> <token>': 'the same',
  },
  examples: {
    'swap price btc': 'mid, bid, ask, depth within 2 % and the last 24 hours',
    'swap price rune --in btc': 'in another token',
    'swap price btc -q': 'the mid price alone',
    'swap price btc --json | jq -r .best_bid': 'for a script',
  },
  arguments: [
    { form: '<token>', meaning: 'the token', values: ['token'] },
    { form: '[in]', meaning: 'the token that the price is in', values: ['token'] },
  ],
  flags: { PRICE: [requestFlag('price', 'quote'), ...blockFlags] },
  exit: '0 ok, 2 usage or no such token, 3 no pairs connect the two, 4 unreachable',
  request: async () => (await import('../../../operations/price/price-documents.js')).PriceRequest,
  answer: async () => (await import('../../../operations/price/price-documents.js')).PriceAnswer,
  load: async () => (await import('./run.js')).runPrice,
}
