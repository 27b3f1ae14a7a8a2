import { type Argument, type Command, flag } from '../../command.js'
import { blocksFlag, fromBlockFlag, runsFlag, toBlockFlag } from '../../flags/command-flags.js'

const documents = () => import('../../../operations/tape/tape-documents.js')
const file: Argument = { form: '<file>', meaning: 'the tape', values: ['file'] }

const commands: readonly Command[] = [
  {
    name: 'record',
    summary: 'Record the market block by block',
    usage: 'appends every new block, until ctrl-c',
    examples: {
      'swap tape record demo.tape --blocks 300': 'the next 300 blocks',
      'swap tape record main.tape --network mainnet': 'until ctrl-c; again to go on',
    },
    arguments: [file],
    flags: { RECORD: [blocksFlag] },
    exit: '0 ok, 2 usage or another chain, 4 no market can be read, 13 another process records it',
    answer: async () => (await documents()).TapeRecordAnswer,
    load: async () => (await import('./record.js')).record,
  },
  {
    name: 'show',
    summary: 'Show which blocks a tape holds',
    usage: 'heights, times, size, and what was left out',
    examples: { 'swap tape show demo.tape': 'what was recorded' },
    arguments: [file],
    answer: async () => (await documents()).TapeAnswer,
    load: async () => (await import('./run.js')).show,
  },
  {
    name: 'verify',
    summary: 'Check that every block replays to the bytes of its snapshot',
    usage: 'fails at the first block that differs',
    examples: { 'swap tape verify demo.tape': 'after a copy, or a crash' },
    arguments: [file],
    answer: async () => (await documents()).TapeVerifyAnswer,
    load: async () => (await import('./run.js')).verify,
  },
  {
    name: 'cut',
    summary: 'Copy a range of blocks to a new tape',
    usage: { 'swap tape cut <file> <new file>': 'from one block to another, both included' },
    examples: { 'swap tape cut demo.tape part.tape --from-block 200 --to-block 260': 'sixty-one' },
    arguments: [file, { form: '<new>', meaning: 'the new tape', values: ['file'] }],
    flags: { CUT: [fromBlockFlag, toBlockFlag] },
    answer: async () => (await documents()).TapeRecordAnswer,
    load: async () => (await import('./run.js')).cut,
  },
  {
    name: 'replay',
    summary: 'Run a command on every recorded block',
    usage: {
      'swap tape replay <file> -- <command>': 'one document a block and line; -q one value',
    },
    examples: {
      'swap tape replay demo.tape -- route 1 btc rune': 'what a quote was, block by block',
    },
    arguments: [file, { form: '[command...]', meaning: 'a command that answers from a market' }],
    flags: { BLOCKS: [fromBlockFlag, toBlockFlag] },
    isStream: true,
    exit: '0 ok, 2 usage or a tape that cannot be read; else the largest status of any block',
    load: async () => (await import('./run.js')).replay,
  },
  {
    name: 'drift',
    summary: 'Show how far executions fall from their quotes',
    usage: 'quoted on each block, executed one, two and three later',
    examples: {
      'swap tape drift demo.tape --size 1000usd': 'every token against dollars, both ways',
      'swap tape drift demo.tape --pairs btc/rune --size 100usd,10000usd': 'against the size',
    },
    arguments: [file],
    flags: {
      DRIFT: [
        flag('--size <dollars>', 'what is sold, e.g. 100usd,10000usd (default: 1000usd)'),
        flag('--pairs <names>', 'tokens to swap both ways, e.g. btc/rune,eth/usdc', {
          many: true,
          value: 'pair',
        }),
        flag('--blocks <list>', 'execute so many blocks after the quote (default: 1,2,3)'),
      ],
    },
    answer: async () => (await documents()).DriftAnswer,
    load: async () => (await import('./measure.js')).runDrift,
  },
  {
    name: 'backtest',
    summary: 'Compare a plan with selling all at once, on the recorded blocks',
    usage: 'started on several blocks; what its slices take is gone until the pair changes',
    examples: {
      'swap tape backtest demo.tape plan.json': 'what dividing the amount in time was worth',
    },
    arguments: [file, { form: '<plan>', meaning: 'a plan of swap plan twap', values: ['file'] }],
    flags: { BACKTEST: [runsFlag] },
    answer: async () => (await import('../../../operations/plan/plan-documents.js')).BacktestAnswer,
    load: async () => (await import('./measure.js')).runBacktest,
  },
]

export const tapeCommand: Command = {
  name: 'tape',
  summary: 'Record the market block by block, and quote from what was recorded',
  examples: {
    'swap tape record demo.tape --blocks 300': 'the next 300 blocks',
    'swap route 1 btc rune --snapshot demo.tape': 'a quote as of its last block',
  },
  commands,
  exit: '0 ok, 2 usage or a tape that cannot be read',
}
