import { invalidRequest } from '../../engine/errors.js'
import { quote } from '../../render/width.js'
import {
  type Argument,
  type Command,
  type Flag,
  type FlagGroups,
  type FlagValues,
  type FormerFlag,
  flag,
  flagsOf,
  rareFlag,
} from '../command.js'
import { clashing } from '../invalid-request.js'
import { emptyValue } from './add-flag.js'
import { wholeFlag } from './checked-flag.js'
import { requestFlag } from './request-flags.js'

const rare = { isRare: true } as const

export const atomicFlag = rareFlag('--atomic', 'amounts in base units')

/** The tokens of a swap, after its amount or a quote. */
export const swapTokens: readonly Argument[] = [
  { form: '[in]', meaning: 'a token', values: ['token'] },
  { form: '[out]', meaning: 'a token', values: ['token'] },
]

/** Terms of a quote, and conditions for refusing it. */
export const termsAndGuards: FlagGroups = {
  'TERMS AND GUARDS': [
    requestFlag('route', 'slippage_bps', {
      placeholder: '0.5%|50bps|auto',
      meaning: 'accept this much less than quoted; auto: as recorded blocks suggest',
    }),
    requestFlag('route', 'min_out'),
    requestFlag('route', 'max_impact_bps'),
    requestFlag('route', 'affiliate', rare),
    requestFlag('route', 'recipient', rare),
  ],
}

export const pathFlags: readonly Flag[] = [
  requestFlag('route', 'max_hops'),
  requestFlag('route', 'limit'),
  requestFlag('route', 'via'),
  requestFlag('route', 'exclude'),
  requestFlag('route', 'path', { ...rare, example: 'btc/usdc,rune/usdc' }),
]

export const splitFlags: readonly Flag[] = [
  requestFlag('sroute', 'split_step', { fallback: 'shares of any size' }),
  requestFlag('sroute', 'max_legs', { fallback: 'no limit; 6 with --split-step' }),
  requestFlag('sroute', 'legs', {
    ...rare,
    meaning: 'exactly this leg, again for the next',
    example: '0.9:btc/usdc,rune/usdc',
  }),
]

/** Units of amounts, and batches of requests. */
export const formFlags: readonly Flag[] = [
  rareFlag('--atomic', 'amounts of the call and of -q in base units'),
  rareFlag('--id', 'print only the id under which the quote is kept'),
  rareFlag('--stdin', 'NDJSON: request bodies in, answers out, one market for all'),
]

/** The replacement for `--amount` of other programs. */
export const amountElsewhere = (command: string): NonNullable<Command['flagsElsewhere']> => ({
  '--amount': [`the amount first, without a flag: swap ${command} VALUE <in> <out>`, '1.5'],
})

/** What the commands that quote share. */
export const quoteCall = (command: string) =>
  ({
    usage: {
      [`swap ${command} <amount> <in> <out>`]: 'what the amount buys',
      [`swap ${command} <in> <amount> <out>`]: 'how much it takes to receive the amount',
      [`swap ${command} --stdin`]: 'one request body a line in, one answer a line out',
    },
    arguments: [{ form: '[amount]', meaning: 'the amount', values: ['token'] }, ...swapTokens],
    flagsElsewhere: amountElsewhere(command),
    exit: '0 ok, 1 --exec failed, 2 usage, 3 no route, 4 unreachable, 5 guard or --until not met, 7 a key file, 11 halted',
  }) satisfies Partial<Command>

export const countFlag = wholeFlag(
  '--count <n>',
  'with --watch: end after so many results; a problem is none',
  [1, 999_999_999],
  { isRare: true },
)

const onChangeFlag = rareFlag(
  '--on-change <bps>',
  'with --watch: report only changes of at least this much, e.g. 5 or 0.1%',
)

/** The flags of a command with `--watch`. `until` are examples of its conditions. */
export const watchFlags = (
  until: string,
  changes: readonly Flag[] = [onChangeFlag],
): FlagGroups => ({
  WATCHING: [
    flag(
      '--watch',
      'again at every block until ctrl-c; --watch=10s, or 10, at most every ten seconds',
    ),
    ...changes,
    countFlag,
    flag('--until <condition>', `with --watch: end once it holds: ${until}`),
    rareFlag(
      '--exec <command>',
      'with --watch: run it for each result, with --until for the last one; it reads the event',
    ),
    rareFlag('--fullscreen', 'with --watch: use the alternate screen at its full height'),
  ],
})

/**
 * Splits `--watch=10s` into two flags: with an optional value, `--watch` would consume the amount that
 * follows.
 *
 * @throws SwapError INVALID_REQUEST for `--watch=` without a value
 */
export const spellWatch = (argv: readonly string[]): readonly string[] => {
  const end = argv.indexOf('--')
  return argv.flatMap((word, i) => {
    if (!word.startsWith('--watch=') || (end >= 0 && i > end)) return [word]
    if (word === '--watch=') throw emptyValue('--watch')
    return ['--watch', `--every=${word.slice('--watch='.length)}`]
  })
}

/** The former flags of a command; every one with `--watch` takes the flag that `spellWatch` writes. */
export const formerFlagsOf = (command: Command): readonly FormerFlag[] => [
  ...(command.formerFlags ?? []),
  ...(flagsOf(command).some(({ flags }) => flags === '--watch')
    ? [{ flags: '--every <10s>' }]
    : []),
]

/** The flag of every command that reads a market. */
export const heightFlag = rareFlag(
  '--height <n>',
  'as of this block, where the node still has it (default: the newest)',
)

const tapeFlag = (meaning: string) => rareFlag('--tape <file>', meaning)

export const slippageTapeFlag = tapeFlag('the tape that --slippage auto reads')

const atFlag = rareFlag('--at <height>', 'with --tape: as of this recorded block, or last')

/** A recorded block in place of the network. */
export const atFlags: readonly Flag[] = [tapeFlag('a tape of recorded blocks, for --at'), atFlag]

/** The names of the commands that answer from a market alone: those that take a recorded one. */
export const marketCommands = (commands: readonly Command[]): readonly string[] =>
  commands.filter((command) => flagsOf(command).includes(atFlag)).map(({ name }) => name)

/** The block to answer from. */
export const blockFlags: readonly Flag[] = [heightFlag, ...atFlags]

/** The same for a command with `--slippage auto`. */
export const quoteBlockFlags: readonly Flag[] = [
  heightFlag,
  tapeFlag('the tape that --at and --slippage auto read'),
  atFlag,
]

/**
 * The tape to answer from: `--tape` with `--at`.
 *
 * @param takesAuto whether the command has `--slippage auto`, which reads the tape as well
 * @throws SwapError INVALID_REQUEST
 */
export function tapeOf(flags: FlagValues, takesAuto: boolean): string | undefined {
  const { tape, at, slippage } = flags
  if (typeof at === 'string') {
    for (const other of ['height', 'snapshot'])
      if (flags[other] !== undefined)
        throw clashing('--at', `--${other}`, 'each names the market to answer from', `/${other}`)
    if (typeof tape === 'string') return tape
    const why = 'it names a recorded block'
    throw invalidRequest('--at goes with --tape', '/at', { why, hint: 'add --tape <file>' })
  }
  if (typeof tape !== 'string' || slippage === 'auto') return undefined
  throw invalidRequest(`--tape goes with --at${takesAuto ? ' or --slippage auto' : ''}`, '/tape', {
    why: 'nothing reads it',
    hint: 'add --at <height>, or --at last',
  })
}

export function heightOf(flags: FlagValues): number | undefined {
  const name = flags['at'] === undefined ? 'height' : 'at'
  const text = flags[name]
  if (typeof text !== 'string' || (name === 'at' && text === 'last')) return undefined
  const digits = text.replaceAll('_', '')
  if (/^[1-9]\d{0,14}$/.test(digits)) return Number(digits)
  throw invalidRequest(`${quote(text)} is not a block`, `/${name}`, {
    why: 'a height is a whole number from 1',
    hint: `write e.g. --${name} 120${name === 'at' ? ', or --at last' : ''}`,
  })
}
