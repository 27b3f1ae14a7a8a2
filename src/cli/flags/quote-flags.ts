import { DEFAULTS } from '../../operations/defaults.js'
import type { Command, Flag } from '../command.js'

/** On what terms a quote is given, and when it is refused. */
export const termsAndGuards: Command['groups'][number] = {
  title: 'TERMS AND GUARDS',
  flags: [
    {
      flags: '--slippage <0.5%|50bps>',
      meaning: `accept this much less than quoted (default ${DEFAULTS.slippageBps / 100}%)`,
    },
    { flags: '--min-out <amount>', meaning: 'refuse below this output, e.g. 39500rune' },
    {
      flags: '--max-impact <percent>',
      meaning: 'refuse above this price impact, e.g. 1% or 80bps',
    },
    { flags: '--affiliate <code>', meaning: 'a code registered with the router', isRare: true },
    {
      flags: '--to <address>',
      meaning: 'the account that is paid (default: the one that signs)',
      value: 'account',
      isRare: true,
    },
  ],
}

export const maxHopsFlag: Flag = {
  flags: '--max-hops <n>',
  meaning: `at most this many swaps one after the other, 1 to 6 (default ${DEFAULTS.maxHops})`,
}

export const excludeFlag: Flag = {
  flags: '--exclude <names>',
  meaning: 'tokens or pairs that must not be used',
  value: 'token',
  many: true,
}

/** How amounts and many requests are written. */
export const formFlags: readonly Flag[] = [
  { flags: '--atomic', meaning: 'amounts in base units, in and in -q', isRare: true },
  { flags: '--id', meaning: 'print only the id under which the quote is kept', isRare: true },
  {
    flags: '--stdin',
    meaning: 'NDJSON: request bodies in, answers out, one market for all',
    isRare: true,
  },
]

/** What to write for `--amount`, which other programs have. */
export const amountElsewhere = (command: string): NonNullable<Command['flagsElsewhere']> => ({
  '--amount': [`the amount first, without a flag: swap ${command} VALUE <in> <out>`, '1.5'],
})
