import { type Argument, type Command, flag } from '../../command.js'
import { sliceIntervalFlag, slicesFlag } from '../../flags/command-flags.js'
import { executionFlags, executionGroups } from '../../flags/execution-flags.js'
import { atomicFlag, slippageTapeFlag } from '../../flags/quote-flags.js'

const file: Argument = { form: '<file>', meaning: 'the plan', values: ['file'] }

const IN_AN_HOUR = 'e.g. --slices 12 --every 5m for an hour'
const isPlainPath = (text: string): boolean => /^[\w./][\w./-]*$/.test(text)

const commands: readonly Command[] = [
  {
    name: 'twap',
    summary: 'Write a plan that divides an amount in time',
    usage: {
      'swap plan twap <amount> <in> <out> --slices <n> --every <time>':
        'write a plan to a new file',
      'swap plan twap <amount> <in> <out> --every <time> --recorded <tape>':
        'the same, with the number of slices that was best on the tape',
    },
    examples: {
      'swap plan twap 10 btc rune --slices 12 --every 5m --file plan.json':
        'twelve equal slices in an hour',
      'swap plan twap 5000 usdc rune --slices 24 --every 1h --file day.json': 'a day',
      'swap plan twap 10 btc rune --every 10s --recorded demo.tape':
        'in as many slices as paid best on the tape',
    },
    arguments: [
      { form: '<amount>', meaning: 'the amount that all slices sell together' },
      { form: '<in>', meaning: 'the token that is sold', values: ['token'] },
      { form: '<out>', meaning: 'the token that is bought', values: ['token'] },
    ],
    flags: {
      PLAN: [
        slicesFlag,
        sliceIntervalFlag,
        flag('--file <path>', 'the new file (default: plan-<id>.json)', { value: 'file' }),
        flag(
          '--recorded <tape>',
          'say what the plan was worth on recorded blocks; without --slices compare numbers of slices and take the best',
          { value: 'file' },
        ),
        atomicFlag,
      ],
    },
    flagsElsewhere: {
      '--out': ['--file VALUE', 'plan.json', isPlainPath],
      '--over': [IN_AN_HOUR, ''],
      '--duration': [IN_AN_HOUR, ''],
    },
    exit: '0 ok, 2 usage, 3 no route, 4 unreachable',
    load: async () => (await import('./run.js')).twap,
  },
  {
    name: 'show',
    summary: 'Show the slices of a plan and what they paid',
    usage: 'its slices and what they paid, by the journal',
    examples: { 'swap plan show plan.json --from main': 'what is done, due and waiting' },
    arguments: [file],
    flags: { ACCOUNT: [executionFlags.account] },
    exit: '0 ok, 2 usage, 4 unreachable, 7 a key file, 9 an entry of the journal cannot be read',
    load: async () => (await import('./run.js')).show,
  },
  {
    name: 'run',
    summary: 'Execute the next slice of a plan that is due',
    usage: 'execute the next due slice; never one twice, even after a crash',
    examples: {
      'swap plan run plan.json --from demo': 'shows what is signed, and asks',
      'swap plan run plan.json --from bot --password-file pw --yes --slippage 0.5%': 'from cron',
    },
    arguments: [file],
    flags: {
      SIGNER: executionGroups.signer,
      GUARDS: [
        executionFlags.autoSlippage,
        slippageTapeFlag,
        executionFlags.maxImpact,
        executionFlags.deadline,
      ],
      TRANSACTION: [...executionGroups.gas, executionFlags.memo],
      CONFIRMATION: [
        executionFlags.yes,
        ...executionGroups.confirmation,
        // What is signed elsewhere would not count for its slice, which would be sold again.
        ...executionGroups.modes.filter(({ flags }) => flags !== '--generate-only'),
      ],
      WAITING: executionGroups.waiting,
    },
    exit: '0 done, or nothing due; else as for swap execute',
    load: async () => (await import('./run.js')).run,
  },
]

export const planCommand: Command = {
  name: 'plan',
  summary: 'Divide an amount in time, and execute the slices one by one',
  commands,
  answer: async () => (await import('../../../operations/plan/plan-documents.js')).PlanAnswer,
  exit: '0 ok, or nothing due; else as for swap execute',
}
