import { type Argument, type Command, type Flag, flag } from '../../command.js'
import { atFlags, atomicFlag } from '../../flags/quote-flags.js'
import { requestFlag } from '../../flags/request-flags.js'

/** The arguments of commands that quote many sizes. */
const sizeWords: readonly Argument[] = [
  { form: '<in>', meaning: 'a token', values: ['token'] },
  { form: '<out>', meaning: 'a token', values: ['token'] },
]

/** Flags of commands that quote many sizes. */
const sizeFlags: readonly Flag[] = [
  requestFlag('curve', 'split'),
  requestFlag('curve', 'split_step', { fallback: 'shares of any size' }),
  requestFlag('curve', 'max_legs', { fallback: 'no limit; 6 with --split-step' }),
  requestFlag('curve', 'max_hops'),
  requestFlag('curve', 'via', { isRare: true }),
  requestFlag('curve', 'exclude'),
  requestFlag('curve', 'affiliate', { isRare: true }),
]

export const curveCommand: Command = {
  name: 'curve',
  summary: 'Show output and price impact for a ladder of sizes',
  usage: 'sizes worth $100 to $100,000',
  examples: {
    'swap curve btc rune': 'ten sizes, each quoted by itself',
    'swap curve btc rune --from 0.1 --to 5 --points 20 --split': 'by splits',
  },
  arguments: sizeWords,
  flags: {
    'SIZES OF CURVE': [
      requestFlag('curve', 'from', {
        meaning: "the smallest size, e.g. 0.1 of the token sold, or '$100' (default: $100)",
      }),
      requestFlag('curve', 'to', { fallback: '$100,000' }),
      requestFlag('curve', 'points'),
    ],
    ROUTES: sizeFlags,
    OUTPUT: [atomicFlag, ...atFlags],
  },
  flagsElsewhere: {
    '--usd': ["--from '$100' --to '$VALUE'", '10000'],
    '--amount': ['--from 0.1 --to VALUE', '10'],
  },
  exit: '0 ok, 2 usage, 3 no route, 4 unreachable',
  request: async () => (await import('../../../operations/split/size-documents.js')).CurveRequest,
  answer: async () => (await import('../../../operations/split/size-documents.js')).CurveAnswer,
  load: async () => (await import('./run.js')).runCurve,
}

export const maxCommand: Command = {
  name: 'max',
  summary: 'Find the largest amount within a limit of price impact',
  usage: {
    'swap max <in> <out> --max-impact <percent>': 'the largest amount found, to the atomic',
  },
  examples: {
    'swap max btc rune --max-impact 0.5%': 'by the best single path',
    'swap max btc rune --max-impact 50bps --split -q': 'by splits; the amount only',
  },
  arguments: sizeWords,
  flags: {
    'LIMIT OF MAX': [requestFlag('max', 'max_impact_bps', { example: '1% or 80bps; required' })],
    ROUTES: sizeFlags,
    OUTPUT: [flag('--atomic', 'base units in -q'), ...atFlags],
  },
  helpWith: 'curve',
  exit: '0 ok, 2 usage, 3 no route, 4 unreachable, 5 no amount found',
  request: async () => (await import('../../../operations/split/size-documents.js')).MaxRequest,
  answer: async () => (await import('../../../operations/split/size-documents.js')).MaxAnswer,
  load: async () => (await import('./run.js')).runMax,
}
