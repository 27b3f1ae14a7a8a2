import { type Flag, flag, rareFlag } from '../command.js'
import { durationFlag, ratioFlag, wordFlag } from './checked-flag.js'
import { requestFlag } from './request-flags.js'

/** Password sources without a terminal, for every command that opens a key. */
export const passwordFlags: readonly Flag[] = [
  flag('--password-file <file>', 'file with the password, mode 0600; - reads standard input', {
    value: 'file',
  }),
  rareFlag('--password-fd <n>', 'the password from an open descriptor'),
  rareFlag('--allow-slow-kdf', 'open a key file whose derivation costs more than its format needs'),
  rareFlag('--no-input', 'never ask'),
]

/** The external signer. */
export const externalSignerFlag = flag(
  '--signer <exec:command>',
  'a program that signs for the account of --from, e.g. "exec:my-signer --account 0"',
)
export const signerTimeoutFlag = durationFlag(
  '--signer-timeout <time>',
  'how long the program may take',
  [1_000, 600_000],
  { usual: 120_000, example: '5m', isRare: true },
)

/** The signing account. */
export const signerFlags: readonly Flag[] = [
  flag('--from <name>', 'the key that signs, by name or address', { value: 'account' }),
  rareFlag('--key-file <path>', 'a key file anywhere', { value: 'file' }),
  { ...externalSignerFlag, isRare: true },
  signerTimeoutFlag,
  rareFlag('--amino', 'sign Amino JSON instead of the bytes, as hardware wallets do'),
  ...passwordFlags,
]

export const lockWaitFlag = durationFlag(
  '--lock-wait <time>',
  'wait for another process with this account',
  [0, 600_000],
  { usual: 0, example: '30s', isRare: true },
)
export const waitFlag = wordFlag(
  '--wait <what>',
  'what to wait for',
  ['included', 'accepted', 'none'],
  { fallback: 'included' },
)
export const waitTimeoutFlag = durationFlag(
  '--wait-timeout <time>',
  'wait no longer; its status is then unknown',
  [1, 86_400_000],
  { example: '90s', fallback: 'until it is certain' },
)

/** What to wait for, and how long. */
export const waitFlags: readonly Flag[] = [waitFlag, waitTimeoutFlag, lockWaitFlag]

/** Bounds of the price. */
export const slippageFlag = flag(
  '--slippage <0.5%|50bps>',
  'accept this much less than quoted; the chain refuses below it',
)

/** The same for commands that can also derive it from recorded blocks. */
export const autoSlippageFlag = flag(
  '--slippage <0.5%|50bps|auto>',
  `${slippageFlag.meaning}; auto: as recorded blocks suggest`,
)

/** Signing without a confirmation. */
export const yesFlag = flag(
  '-y, --yes',
  'do not ask for confirmation; needs a price guard and respects the limits',
)

/** A confirmation given in advance. */
export const confirmFlag = flag(
  '--confirm <symbol>',
  'like --yes, but only if this symbol is received',
)

export const affiliateFlag = requestFlag('route', 'affiliate', { isRare: true })

/** Limits of signing without a confirmation. */
export const limitFlags: readonly Flag[] = [
  flag(
    '--limits-per-tx-usd <usd>',
    'without a confirmation, sell at most this much in one transaction',
  ),
  flag('--limits-per-day-usd <usd>', 'the same for all sales of 24 hours'),
]

/** Confirmations beside `--yes`. */
export const confirmationFlags: readonly Flag[] = [
  ...limitFlags,
  confirmFlag,
  rareFlag('--confirm-above <usd>', 'require typing the symbol from this value on (default 100)'),
]

export const maxImpactFlag = ratioFlag('--max-impact <percent>', 'refuse above this price impact', {
  usual: 500,
  pointer: '/max_impact_bps',
})

/** The flags of a program that signs without a person. */
export const agentFlags: readonly Flag[] = [
  ...signerFlags,
  slippageFlag,
  ...limitFlags,
  maxImpactFlag,
  affiliateFlag,
  ...waitFlags,
]

export const modeFlag = wordFlag(
  '--mode <name>',
  'one transaction for all legs, or one for each',
  ['batch', 'legs'],
  { fallback: 'batch', isRare: true },
)

/** The gas, fee and memo of a transaction. */
export const gasFlags: readonly Flag[] = [
  rareFlag('--gas <auto|n>', 'gas limit (default: what a simulation used, times 1.4)'),
  rareFlag('--gas-adjustment <n>', 'another factor than 1.4, 1 to 10'),
  rareFlag('--fees <coin>', 'e.g. 2000000rune (default: what the network requires)'),
]

export const memoFlag = rareFlag('--memo <text>', 'a public note on the transaction')

export const deadlineFlag = rareFlag(
  '--deadline <blocks>',
  'expire after this many blocks, 5 to 200 (default 20), or after e.g. 2m',
)

export const onceFlag = flag(
  '--once <key>',
  'idempotency key: a call with a used key returns the first result',
)

/** Alternatives to signing and sending. */
export const modeFlags: readonly Flag[] = [
  flag('--dry-run', 'everything except confirming and signing'),
  flag('--generate-only', 'print the unsigned transaction'),
  rareFlag('--sign-only', 'print the signed transaction'),
]

/** The account whose orders or executions are shown. */
export const accountFlag = flag(
  '--from <account>',
  'the account: an address, a key or a name (default: the default key)',
  { value: 'account' },
)
