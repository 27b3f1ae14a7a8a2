import { type Command, flag, rareFlag } from '../../command.js'
import { gridFlag, resumeFlag, slippageBpsFlag } from '../../flags/command-flags.js'
import { executionFlags, executionGroups } from '../../flags/execution-flags.js'
import {
  amountElsewhere,
  atomicFlag,
  pathFlags,
  slippageTapeFlag,
  splitFlags,
  swapTokens,
} from '../../flags/quote-flags.js'

export const executeCommand: Command = {
  name: 'execute',
  summary: 'Sign and send a swap, wait for it, and report what it paid',
  usage: {
    'swap execute <quote-id>': 'a stored quote; one executed before reports its result',
    'swap execute <file>': 'a quote, a split, loops or an unsigned transaction; - is stdin',
    'swap execute <amount> <in> <out>': 'the best split now; amounts also as 50% or max',
  },
  examples: {
    'swap execute 100 rune usdc --from demo': 'shows what is signed, and asks',
    'swap sroute 25000 usdc rune --json | swap execute - --from main': 'from a pipe',
    'swap execute 1200 rune btc --from bot --dry-run': 'check everything; nothing is signed',
    'swap execute 100 rune usdc --from demo --yes --slippage 0.5% --once monday': 'from cron',
    'swap execute q_7f3a91c2 --from main --generate-only >tx.json': 'to sign elsewhere',
  },
  arguments: [
    { form: '[quote]', meaning: 'what to execute', values: ['quote', 'file', 'token'] },
    ...swapTokens,
  ],
  flags: {
    SIGNER: executionGroups.signer,
    GUARDS: [
      executionFlags.autoSlippage,
      slippageTapeFlag,
      flag('--min-out <amount>', 'minimum total output, e.g. 39500rune'),
      rareFlag('--min-profit <amount>', 'for loops: the least profit above the input'),
      executionFlags.maxImpact,
      executionFlags.deadline,
      executionFlags.affiliate,
    ],
    TRANSACTION: [
      executionFlags.mode,
      ...executionGroups.gas,
      flag(
        '--to <address>',
        'send the output to another account, also by name; --confirm-to repeats the address',
        { value: 'account' },
      ),
      flag('--confirm-to <address>', 'the address of --to, repeated'),
      executionFlags.memo,
    ],
    CONFIRMATION: [
      executionFlags.yes,
      ...executionGroups.confirmation,
      {
        ...executionFlags.once,
        meaning: `${executionFlags.once.meaning}; exit 10 if that paid less than --min-out or --min-profit now`,
      },
      rareFlag('--again', 'execute a quote again that was executed before'),
      ...executionGroups.modes,
    ],
    WAITING: executionGroups.waiting,
    'A NEW QUOTE': [
      ...[...splitFlags, ...pathFlags]
        .filter(({ flags }) => !flags.startsWith('--limit '))
        .map((flag) => ({ ...flag, isRare: true })),
      atomicFlag,
    ],
  },
  flagsElsewhere: amountElsewhere('execute'),
  exit: '0 done, 2 usage, 3 no route, 4 unreachable, 5 price, 6 funds, 7 key, 8 not confirmed, 9 unknown: wait, 10 failed, 11 halted, 12 in part, 13 busy, 14 limit, 130 ctrl-c',
  formerFlags: [gridFlag, slippageBpsFlag, resumeFlag],
  answer: async () => (await import('../command-answers.js')).ExecuteAnswer,
  load: async () => (await import('./run.js')).runExecute,
}
