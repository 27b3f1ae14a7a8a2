import type { Command } from '../../command.js'
import {
  affiliateFlag,
  limitFlags,
  lockWaitFlag,
  signerFlags,
  slippageFlags,
  waitFlags,
} from '../../flags/execution-flags.js'

const transaction = { form: '<hash>', meaning: 'the transaction' } as const
const file = { form: '<file>', meaning: 'the transaction', values: ['file'] } as const

const commands: readonly Command[] = [
  {
    name: 'sign',
    summary: 'Sign an unsigned transaction, with or without a network',
    usage: [['swap tx sign <file|->', 'sign what --generate-only printed, also without a network']],
    examples: [
      [
        'swap tx sign tx.json --from cold --offline --account-number 48211 --sequence 117 >signed.json',
        'on a machine without a network',
      ],
    ],
    arguments: [file],
    groups: [
      { title: 'WHO SIGNS', flags: signerFlags },
      {
        title: 'SIGN',
        flags: [
          { flags: '--offline', meaning: 'ask no node; needs the next two' },
          { flags: '--account-number <n>', meaning: 'of the account that signs' },
          { flags: '--sequence <n>', meaning: 'of its next transaction' },
          { flags: '--yes', meaning: 'without a person: the guards and limits of execute hold' },
          {
            flags: '--confirm <symbol>',
            meaning: '--yes for this symbol of what is received alone',
            value: 'token',
          },
          { flags: '--confirm-to <address>', meaning: 'who is paid, where that is not who signs' },
          ...slippageFlags,
          affiliateFlag,
          ...limitFlags,
        ],
      },
    ],
    load: async () => (await import('./run.js')).runTx('sign'),
  },
  {
    name: 'broadcast',
    summary: 'Send a signed transaction, and wait for it',
    usage: [['swap tx broadcast <file|->', 'send what was signed, and wait']],
    examples: [['swap tx broadcast signed.json', 'the same bytes, however often it is called']],
    arguments: [file],
    groups: [{ title: 'WAITING', flags: waitFlags }],
    load: async () => (await import('./run.js')).runTx('broadcast'),
  },
  {
    name: 'wait',
    summary: 'Wait until it is certain whether a transaction was included',
    usage: [['swap tx wait <hash>', 'until it is certain: included or not']],
    examples: [['swap tx wait x_7f3a91c2 --wait-timeout 90s', 'by its id in the journal']],
    arguments: [transaction],
    groups: [{ title: 'WAITING', flags: waitFlags }],
    load: async () => (await import('./run.js')).runTx('wait'),
  },
  {
    name: 'status',
    summary: 'Look a transaction up once',
    usage: [['swap tx status <hash>', 'one look']],
    examples: [['swap tx status D756B6BB... -q', 'included, open, expired or replaced']],
    arguments: [transaction],
    groups: [{ title: 'WAITING', flags: [lockWaitFlag] }],
    load: async () => (await import('./run.js')).runTx('status'),
  },
]

export const txCommand: Command = {
  name: 'tx',
  summary: 'Sign, send, look up and wait for a transaction',
  usage: [],
  examples: [
    ['swap execute q_7f3a91c2 --from main --generate-only >tx.json', 'make one'],
    [
      'swap tx sign tx.json --from cold --offline --account-number 48211 --sequence 117 >signed.json',
      'on a machine without a network',
    ],
    ['swap tx broadcast signed.json', 'the same bytes, however often it is called'],
  ],
  groups: [],
  commands,
  exit: '0 done, 2 usage or unknown hash, 4 unreachable, 5 price or another router, 6 funds, 7 key, 8 not confirmed, 9 unknown: wait, 10 failed, 13 busy, 14 a limit, 130 ctrl-c',
}
