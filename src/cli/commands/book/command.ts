import { type Command, flag } from '../../command.js'
import { levelsFlag } from '../../flags/command-flags.js'
import { blockFlags, watchFlags } from '../../flags/quote-flags.js'

export const bookCommand: Command = {
  name: 'book',
  summary: 'Show the orders of one pair, level by level',
  usage: {
    'swap book <pair>': 'a pair by its two tokens with a slash, or by its address',
    'swap book <token> <token>': 'the same',
  },
  examples: {
    'swap book btc/usdc': 'ten levels of each side with their sources, and the depth drawn',
    'swap book btc/usdc --amount 25000usdc': 'the levels that this amount takes',
    'swap book rune usdc --levels 50': 'fifty levels of each side',
    'swap book btc/usdc -q': 'the mid price',
  },
  arguments: [
    { form: '<pair>', meaning: 'the pair', values: ['pair', 'token'] },
    { form: '[token]', meaning: 'a token', values: ['token'] },
  ],
  flags: {
    LEVELS: [
      levelsFlag,
      flag('--amount <amount>', 'show the levels that this amount takes, e.g. 25000usdc or 0.5btc'),
      ...blockFlags,
    ],
    ...watchFlags("'mid>=78000', 'spread<=5bps'"),
  },
  exit: '0 ok, 1 --exec failed, 2 usage or no such pair, 3 the pair takes none of the amount, 4 unreachable, 5 --until not met, 11 halted',
  topics: ['watching'],
  answer: async () => (await import('../../../operations/book/book-documents.js')).BookAnswer,
  load: async () => (await import('./run.js')).runBook,
}
