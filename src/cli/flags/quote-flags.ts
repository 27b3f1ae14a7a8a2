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
    { flags: '--slippage-bps <n>', meaning: 'the same, in basis points' },
    { flags: '--min-out <amount>', meaning: 'refuse below this output, e.g. 39500rune' },
    {
      flags: '--max-impact <percent>',
      meaning: 'refuse above this price impact, e.g. 1% or 80bps',
    },
    { flags: '--affiliate <code>', meaning: 'a code registered with the router' },
    {
      flags: '--recipient <address>',
      meaning: 'who is paid (default: who signs)',
      value: 'account',
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
  { flags: '--atomic', meaning: 'amounts in base units, in and in -q' },
  { flags: '--id', meaning: 'print only the id under which the quote is kept' },
  { flags: '--stdin', meaning: 'NDJSON: request bodies in, answers out, one market for all' },
]

/** Shares of any size, as a split has them without `--split-step` now. */
export const gridFlag: Flag = { flags: '--no-grid', meaning: 'shares of any size' }

/** What to write for `--amount`, which other programs have. */
export const amountElsewhere = (command: string): NonNullable<Command['flagsElsewhere']> => ({
  '--amount': [`the amount first, without a flag: swap ${command} VALUE <in> <out>`, '1.5'],
})
