import type { Flag } from '../command.js'
import { checkedFlag, durationFlag, ratioFlag } from './checked-flag.js'
import { requestFlag } from './request-flags.js'

/** Password sources without a terminal, for every command that opens a key. */
export const passwordFlags: readonly Flag[] = [
  {
    flags: '--password-file <file>',
    meaning: 'file with the password, mode 0600; - reads standard input',
    value: 'file',
  },
  { flags: '--password-fd <n>', meaning: 'the password from an open descriptor', isRare: true },
  {
    flags: '--allow-slow-kdf',
    meaning: 'open a key file whose derivation costs more than its format needs',
    isRare: true,
  },
  { flags: '--no-input', meaning: 'never ask', isRare: true },
]

/** The external signer. */
export const externalSignerFlag: Flag = {
  flags: '--signer <exec:command>',
  meaning: 'a program that signs for the account of --from, e.g. "exec:my-signer --account 0"',
}
export const signerTimeoutFlag = durationFlag(
  '--signer-timeout <time>',
  'how long the program may take',
  [1_000, 600_000],
  { usual: 120_000, example: '5m', isRare: true },
)

/** The signing account. */
export const signerFlags: readonly Flag[] = [
  { flags: '--from <name>', meaning: 'the key that signs, by name or address', value: 'account' },
  { flags: '--key-file <path>', meaning: 'a key file anywhere', value: 'file', isRare: true },
  { ...externalSignerFlag, isRare: true },
  signerTimeoutFlag,
  {
    flags: '--amino',
    meaning: 'sign Amino JSON instead of the bytes, as hardware wallets do',
    isRare: true,
  },
  ...passwordFlags,
]

export const lockWaitFlag = durationFlag(
  '--lock-wait <time>',
  'wait for another process with this account',
  [0, 600_000],
  { usual: 0, example: '30s', isRare: true },
)
export const waitFlag = checkedFlag(
  '--wait <what>',
  { description: 'What to wait for', enum: ['included', 'accepted', 'none'] },
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
export const slippageFlag: Flag = {
  flags: '--slippage <0.5%|50bps>',
  meaning: 'accept this much less than quoted; the chain refuses below it',
}

/** The same for commands that can also derive it from recorded blocks. */
export const autoSlippageFlag: Flag = {
  flags: '--slippage <0.5%|50bps|auto>',
  meaning: `${slippageFlag.meaning}; auto: as recorded blocks suggest`,
}

/** Signing without a confirmation. */
export const yesFlag: Flag = {
  flags: '-y, --yes',
  meaning: 'do not ask for confirmation; needs a price guard and respects the limits',
}

/** A confirmation given in advance. */
export const confirmFlag: Flag = {
  flags: '--confirm <symbol>',
  meaning: 'like --yes, but only if this symbol is received',
}

export const affiliateFlag = requestFlag('route', 'affiliate', { isRare: true })

/** Limits of signing without a confirmation. */
export const limitFlags: readonly Flag[] = [
  {
    flags: '--limits-per-tx-usd <usd>',
    meaning: 'without a confirmation, sell at most this much in one transaction',
  },
  { flags: '--limits-per-day-usd <usd>', meaning: 'the same for all sales of 24 hours' },
]

/** Confirmations beside `--yes`. */
export const confirmationFlags: readonly Flag[] = [
  ...limitFlags,
  confirmFlag,
  {
    flags: '--confirm-above <usd>',
    meaning: 'require typing the symbol from this value on (default 100)',
    isRare: true,
  },
]

export const maxImpactFlag = ratioFlag('--max-impact <percent>', 'refuse above this price impact', {
  usual: 500,
  pointer: '/max_impact_bps',
})

export const modeFlag = checkedFlag(
  '--mode <name>',
  { description: 'One transaction for all legs, or one for each', enum: ['batch', 'legs'] },
  { fallback: 'batch', isRare: true },
)

/** The gas, fee and memo of a transaction. */
export const gasFlags: readonly Flag[] = [
  {
    flags: '--gas <auto|n>',
    meaning: 'gas limit (default: what a simulation used, times 1.4)',
    isRare: true,
  },
  { flags: '--gas-adjustment <n>', meaning: 'another factor than 1.4, 1 to 10', isRare: true },
  {
    flags: '--fees <coin>',
    meaning: 'e.g. 2000000rune (default: what the network asks for)',
    isRare: true,
  },
]

export const memoFlag: Flag = {
  flags: '--memo <text>',
  meaning: 'a public note on the transaction',
  isRare: true,
}

export const deadlineFlag: Flag = {
  flags: '--deadline <blocks>',
  meaning: 'expire after this many blocks, 5 to 200 (default 20), or after e.g. 2m',
  isRare: true,
}

export const onceFlag: Flag = {
  flags: '--once <key>',
  meaning: 'idempotency key: a call with a used key returns the first result',
}

/** Alternatives to signing and sending. */
export const modeFlags: readonly Flag[] = [
  { flags: '--dry-run', meaning: 'everything except confirming and signing' },
  { flags: '--generate-only', meaning: 'print the unsigned transaction' },
  { flags: '--sign-only', meaning: 'print the signed transaction', isRare: true },
]

/** The account whose orders or executions are shown. */
export const accountFlag = {
  flags: '--from <account>',
  meaning: 'the account: an address, a key or a name (default: the default key)',
  value: 'account',
} as const
