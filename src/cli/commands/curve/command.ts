import { DEFAULTS } from '../../../operations/defaults.js'
import type { Command, Flag } from '../../command.js'
import { excludeFlag } from '../../flags/quote-flags.js'

/** Flags of commands that quote many sizes. */
export const sizeFlags: readonly Flag[] = [
  { flags: '--split', meaning: 'divide each size over several paths' },
  {
    flags: '--split-step <n>',
    meaning: 'with --split: shares in steps of n percent, 1 to 10 (default: of any size)',
  },
  {
    flags: '--max-legs <n>',
    meaning: 'with --split: at most this many legs, 1 to 10',
  },
  { flags: '--max-hops <n>', meaning: 'at most this many swaps one after the other, 1 to 6' },
  {
    flags: '--via <names>',
    meaning: 'tokens or pairs that must be used',
    value: 'token',
    many: true,
    isRare: true,
  },
  excludeFlag,
  { flags: '--affiliate <code>', meaning: 'a code registered with the router', isRare: true },
]

export const curveCommand: Command = {
  name: 'curve',
  summary: 'Show output and price impact for a ladder of sizes',
  usage: [['swap curve <in> <out>', 'sizes worth $100 to $100,000']],
  examples: [
    ['swap curve btc rune', 'ten sizes, each quoted by itself'],
    ['swap curve btc rune --from 0.1 --to 5 --points 20 --split', 'by divisions'],
  ],
  arguments: [
    { form: '<in>', meaning: 'a token', values: ['token'] },
    { form: '<out>', meaning: 'a token', values: ['token'] },
  ],
  takesConnector: true,
  groups: [
    {
      title: 'SIZES OF CURVE',
      flags: [
        { flags: '--from <amount>', meaning: 'the smallest size, in the token sold, or $100' },
        { flags: '--to <amount>', meaning: 'the largest size' },
        {
          flags: '--points <n>',
          meaning: `how many sizes, 2 to 100 (default ${DEFAULTS.curvePoints})`,
        },
      ],
    },
    { title: 'ROUTES', flags: sizeFlags },
    {
      title: 'OUTPUT',
      flags: [{ flags: '--atomic', meaning: 'amounts in base units', isRare: true }],
    },
  ],
  flagsElsewhere: {
    '--usd': ["--from '$100' --to '$VALUE'", '10000'],
    '--amount': ['--from 0.1 --to VALUE', '10'],
  },
  exit: '0 ok, 2 usage, 3 no route',
  load: async () => (await import('./run.js')).runCurve,
}
