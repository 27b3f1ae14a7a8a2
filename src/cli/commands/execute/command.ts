import type { Command } from '../../command.js'
import {
  affiliateFlag,
  confirmFlag,
  limitFlags,
  maxImpactFlag,
  modeFlag,
  signerFlags,
  slippageFlag,
  waitFlags,
  yesFlag,
} from '../../flags/execution-flags.js'
import { gridFlag, resumeFlag, slippageBpsFlag } from '../../flags/former-flags.js'
import { amountElsewhere, pathFlags, splitFlags } from '../../flags/quote-flags.js'

export const executeCommand: Command = {
  name: 'execute',
  summary: 'Sign and send a swap, wait for it, and say what it paid',
  usage: [
    ['swap execute <quote-id>', 'a stored quote; one executed before reports its result'],
    ['swap execute <file>', 'a quote, a split, loops or an unsigned transaction; - is stdin'],
    ['swap execute <amount> <in> <out>', 'the best division as of now; amounts also as 50% or max'],
  ],
  examples: [
    ['swap execute 100 rune usdc --from demo', 'shows what is signed, and asks'],
    ['swap sroute 25000 usdc rune --json | swap execute - --from main', 'from a pipe'],
    ['swap execute 1200 rune btc --from bot --dry-run', 'check everything; nothing is signed'],
    ['swap execute 100 rune usdc --from demo --yes --slippage 0.5% --once monday', 'from cron'],
    ['swap execute q_7f3a91c2 --from main --generate-only >tx.json', 'to sign elsewhere'],
  ],
  arguments: [
    { form: '[quote]', meaning: 'what to execute', values: ['quote', 'file', 'token'] },
    { form: '[in]', meaning: 'a token', values: ['token'] },
    { form: '[out]', meaning: 'a token', values: ['token'] },
  ],
  takesConnector: true,
  groups: [
    { title: 'SIGNER', flags: signerFlags },
    {
      title: 'GUARDS',
      flags: [
        slippageFlag,
        { flags: '--min-out <amount>', meaning: 'at least so much in all, e.g. 39500rune' },
        {
          flags: '--min-profit <amount>',
          meaning: 'for loops: the least profit above the input',
          isRare: true,
        },
        maxImpactFlag,
        {
          flags: '--deadline <blocks>',
          meaning: 'dead after so many, 5 to 200 (default 20); or 2m',
          isRare: true,
        },
        affiliateFlag,
      ],
    },
    {
      title: 'TRANSACTION',
      flags: [
        modeFlag,
        {
          flags: '--gas <auto|n>',
          meaning: 'gas limit (default: what a trial used, times 1.4)',
          isRare: true,
        },
        { flags: '--gas-adjustment <n>', meaning: 'another factor, 1 to 10', isRare: true },
        {
          flags: '--fees <coin>',
          meaning: 'e.g. 2000000rune (default: what the network asks for)',
          isRare: true,
        },
        {
          flags: '--to <address>',
          meaning:
            'send the output to another account, also by name; --confirm-to repeats the address',
          value: 'account',
        },
        { flags: '--confirm-to <address>', meaning: 'the address of --to, repeated' },
        { flags: '--memo <text>', meaning: 'a public note on the transaction', isRare: true },
      ],
    },
    {
      title: 'CONFIRMATION',
      flags: [
        yesFlag,
        ...limitFlags,
        confirmFlag,
        {
          flags: '--confirm-above <usd>',
          meaning: 'type the symbol from here on (default 100)',
          isRare: true,
        },
        { flags: '--once <key>', meaning: 'the same key again gives the first result' },
        { flags: '--again', meaning: 'a quote that was executed before, once more', isRare: true },
        { flags: '--dry-run', meaning: 'everything except confirming and signing' },
        { flags: '--generate-only', meaning: 'print the unsigned transaction' },
        { flags: '--sign-only', meaning: 'print the signed transaction', isRare: true },
      ],
    },
    { title: 'WAITING', flags: waitFlags },
    {
      title: 'A NEW QUOTE',
      flags: [
        ...[...splitFlags, ...pathFlags]
          .filter(({ flags }) => !flags.startsWith('--limit '))
          .map((flag) => ({ ...flag, isRare: true })),
        { flags: '--atomic', meaning: 'amounts in base units', isRare: true },
      ],
    },
  ],
  flagsElsewhere: amountElsewhere('execute'),
  exit: '0 done, 2 usage, 3 no route, 4 unreachable, 5 price, 6 funds, 7 key, 8 not confirmed, 9 unknown: wait, 10 failed, 11 halted, 12 in part, 13 busy, 14 limit, 130 ctrl-c',
  formerFlags: [gridFlag, slippageBpsFlag, resumeFlag],
  load: async () => (await import('./run.js')).runExecute,
}
