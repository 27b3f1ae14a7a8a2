import { type Command, flag } from '../../command.js'
import { maxCrossFlag } from '../../flags/command-flags.js'
import { executionFlags, executionGroups } from '../../flags/execution-flags.js'

const reports = () => import('../../../execution/lifecycle/report-schema.js')
const transaction = { form: '<id>', meaning: 'the transaction', values: ['execution'] } as const
const file = { form: '<file>', meaning: 'the transaction', values: ['file'] } as const

const confirmToFlag = flag(
  '--confirm-to <address>',
  'the account that is paid, where it is not the one that signs',
)

const { yes, confirm, slippage } = executionFlags
/** How what is signed is confirmed. */
const confirming = [yes, confirm, confirmToFlag, slippage]

/** Of the commands that follow a transaction until its outcome is certain. */
const followed =
  '0 done, 2 usage or unknown hash, 4 unreachable, 5 price, 6 funds, 9 unknown: wait, 10 failed, 11 halted, 12 in part, 13 busy, 130 ctrl-c'

/** A command that looks a transaction up: a failed one is an answer. */
const looking: Omit<Command, 'name' | 'summary'> = {
  arguments: [transaction],
  flags: { WAITING: [executionFlags.lockWait] },
  exit: '0 ok, whatever its state, 2 usage or unknown hash, 4 unreachable, 9 an open entry of the journal cannot be read, 130 ctrl-c',
  answer: async () => (await reports()).TransactionAnswer,
  load: async () => (await import('./show.js')).runShow,
}

const commands: readonly Command[] = [
  {
    name: 'sign',
    summary: 'Sign an unsigned transaction, with or without a network',
    usage: { 'swap tx sign <file|->': 'sign what --generate-only printed, also without a network' },
    examples: {
      'swap tx sign tx.json --from cold --offline --account-number 48211 --sequence 117 >signed.json':
        'on a machine without a network',
    },
    arguments: [file],
    flags: {
      SIGNER: executionGroups.signer,
      SIGN: [
        flag('--offline', 'contact no node; needs --account-number and --sequence'),
        flag('--account-number <n>', 'of the account that signs'),
        flag('--sequence <n>', 'of its next transaction'),
        ...confirming,
        maxCrossFlag,
        executionFlags.affiliate,
        ...executionGroups.limits,
      ],
    },
    exit: '0 signed, 2 usage, 3 refused, 4 unreachable, 5 price or another router, 6 funds, 7 key, 8 not confirmed, 10 it would fail, 11 halted, 13 busy, 14 a limit, 130 ctrl-c',
    answer: async () => (await import('../command-answers.js')).SignedTransaction,
    load: async () => (await import('./run.js')).runSign,
  },
  {
    name: 'broadcast',
    summary: 'Send a signed transaction, and wait for it',
    usage: { 'swap tx broadcast <file|->': 'send what was signed, and wait' },
    examples: { 'swap tx broadcast signed.json': 'the same bytes, however often it is called' },
    arguments: [file],
    flags: { WAITING: executionGroups.waiting },
    exit: followed,
    answer: async () => (await reports()).AnyReport,
    load: async () => (await import('./run.js')).runBroadcast,
  },
  {
    name: 'show',
    summary: 'Show a transaction: its state, and leg by leg where it was signed here',
    usage: { 'swap tx show <id|hash>': 'its state, and leg by leg where it was signed here' },
    examples: { 'swap tx show D756B6BB... -q': 'its state alone, e.g. included' },
    ...looking,
  },
  {
    name: 'wait',
    summary: 'Wait until it is certain whether a transaction was included',
    usage: { 'swap tx wait <id|hash>': 'until it is certain: included or not' },
    examples: { 'swap tx wait x_7f3a91c2 --wait-timeout 90s': 'by its id in the journal' },
    arguments: [transaction],
    flags: { WAITING: executionGroups.waiting },
    exit: followed,
    answer: async () => (await reports()).AnyReport,
    load: async () => (await import('./run.js')).runWait,
  },
  {
    name: 'resume',
    summary: 'Settle what was signed, after a crash or a time-out',
    usage: {
      'swap tx resume [id|hash]':
        'everything that may still be included, on every account of this network; or one, with its remaining legs',
    },
    examples: {
      'swap tx resume': 'sends the same bytes again where that is safe, and waits',
      'swap tx resume x_7f3a91c2 --json': 'for a script: the report, or the problem',
    },
    arguments: [{ form: '[id]', meaning: 'the id', values: ['execution'] }],
    flags: {
      WAITING: executionGroups.waiting,
      'REMAINING LEGS': [
        ...confirming,
        executionFlags.deadline,
        ...executionGroups.limits,
        ...executionGroups.signer,
      ],
    },
    exit: '0 all is settled, 2 usage or unknown id, 4 unreachable, 5 price, 6 funds, 7 key, 8 not confirmed, 9 still unknown, 10 failed, 11 halted, 12 in part, 13 busy, 14 a limit, 130 ctrl-c',
    answer: async () => (await reports()).ResumeAnswer,
    load: async () => (await import('./resume.js')).runResume,
  },
  {
    name: 'status',
    summary: 'The same as swap tx show',
    usage: { 'swap tx status <hash>': 'the same as swap tx show' },
    ...looking,
    isHidden: true,
  },
]

export const txCommand: Command = {
  name: 'tx',
  summary: 'Sign, send, show, wait for and resume a transaction',
  examples: {
    'swap execute q_7f3a91c2 --from main --generate-only >tx.json': 'make one',
    'swap tx sign tx.json --from cold --offline --account-number 48211 --sequence 117 >signed.json':
      'on a machine without a network',
    'swap tx broadcast signed.json': 'the same bytes, however often it is called',
  },
  commands,
  exit: '0 done, 2 usage or unknown hash, 3 refused, 4 unreachable, 5 price or another router, 6 funds, 7 key, 8 not confirmed, 9 unknown: wait, 10 failed, 11 halted, 12 in part, 13 busy, 14 a limit, 130 ctrl-c',
}
