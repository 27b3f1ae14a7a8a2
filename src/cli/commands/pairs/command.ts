import type { Command } from '../../command.js'
import { blockFlags } from '../../flags/quote-flags.js'

export const pairsCommand: Command = {
  name: 'pairs',
  summary: 'List the pairs with price, spread, depth and volume',
  usage: 'all of them, or those that trade the token',
  examples: {
    'swap pairs': 'every open pair, the most liquid first',
    'swap pairs btc': 'those that trade BTC',
    'swap pairs rune -q': 'their addresses',
    'swap pairs --csv >pairs.csv': 'for a spreadsheet',
  },
  arguments: [{ form: '[token]', meaning: 'the token', values: ['token'] }],
  flags: { BLOCK: blockFlags },
  exit: '0 ok, 2 usage or no such token, 4 unreachable',
  request: async () => (await import('../../../operations/price/price-documents.js')).PairsRequest,
  answer: async () => (await import('../../../operations/price/price-documents.js')).PairsAnswer,
  load: async () => (await import('./run.js')).runPairs,
}
