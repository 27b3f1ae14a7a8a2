import { DEFAULTS } from '../../operations/defaults.js'
import { DAY_MS } from '../../platform/clock.js'
import { type Flag, type FlagGroups, flag, rareFlag } from '../command.js'
import { durationFlag, ratioFlag, wordFlag } from './checked-flag.js'
import { requestFlag } from './request-flags.js'

const slippage = flag(
  '--slippage <0.5%|50bps>',
  'accept this much less than quoted; the chain refuses below it',
)

export const executionFlags = {
  slippage,
  externalSigner: flag(
    '--signer <exec:command>',
    'a program that signs for the account of --from, e.g. "exec:my-signer --account 0"',
  ),
  signerTimeout: durationFlag(
    '--signer-timeout <time>',
    'how long the program may take',
    [1_000, 600_000],
    { usual: 120_000, example: '5m', isRare: true },
  ),
  lockWait: durationFlag(
    '--lock-wait <time>',
    'wait for another process with this account',
    [0, 600_000],
    { usual: 0, example: '30s', isRare: true },
  ),
  wait: wordFlag('--wait <what>', 'what to wait for', ['included', 'accepted', 'none'], {
    usual: 'included',
  }),
  waitTimeout: durationFlag(
    '--wait-timeout <time>',
    'wait no longer; its status is then unknown',
    [1, DAY_MS],
    { example: '90s', fallback: 'until it is certain' },
  ),
  /** `slippage`, for commands that can also derive it from recorded blocks. */
  autoSlippage: flag(
    '--slippage <0.5%|50bps|auto>',
    `${slippage.meaning}; auto: as recorded blocks suggest (default: the quote's, else ${DEFAULTS.slippageBps / 100}%)`,
  ),
  yes: flag(
    '-y, --yes',
    'do not ask for confirmation; needs a price guard and respects the limits',
  ),
  confirm: flag('--confirm <symbol>', 'like --yes, but only if this symbol is received'),
  affiliate: requestFlag('route', 'affiliate', { isRare: true }),
  maxImpact: ratioFlag('--max-impact <percent>', 'refuse above this price impact', {
    usual: 500,
    pointer: '/max_impact_bps',
  }),
  mode: wordFlag(
    '--mode <name>',
    'one transaction for all legs, or one for each',
    ['batch', 'legs'],
    { usual: 'batch', isRare: true },
  ),
  memo: rareFlag('--memo <text>', 'a public note on the transaction'),
  deadline: rareFlag(
    '--deadline <blocks>',
    'expire after this many blocks, 5 to 200 (default 20), or after e.g. 2m',
  ),
  once: flag('--once <key>', 'idempotency key: a call with a used key returns the first result'),
  account: flag(
    '--from <account>',
    'the account: an address, a key or a name (default: the default key)',
    { value: 'account' },
  ),
}

const passwordFile = flag('--password-file <file>', 'file with the password, mode 0600')

/** Password sources without a terminal, for every command that opens a key. */
const password: readonly Flag[] = [
  { ...passwordFile, meaning: `${passwordFile.meaning}; - reads standard input` },
  rareFlag('--password-fd <n>', 'the password from an open descriptor'),
  rareFlag('--allow-slow-kdf', 'open a key file whose derivation costs more than its format needs'),
  rareFlag('--no-input', 'never ask'),
]

const signer: readonly Flag[] = [
  flag('--from <name>', 'the key that signs, by name or address', { value: 'account' }),
  rareFlag('--key-file <path>', 'in place of --from: this key file', { value: 'file' }),
  { ...executionFlags.externalSigner, isRare: true },
  executionFlags.signerTimeout,
  rareFlag('--amino', 'sign Amino JSON instead of the bytes, as hardware wallets do'),
  ...password,
]

const waiting: readonly Flag[] = [
  executionFlags.wait,
  executionFlags.waitTimeout,
  executionFlags.lockWait,
]

/** Limits of signing without a confirmation. */
const limits: readonly Flag[] = [
  flag(
    '--limits-per-tx-usd <usd>',
    'without a confirmation, sell at most this much in one transaction',
  ),
  flag('--limits-per-day-usd <usd>', 'the same for all sales of 24 hours'),
]

export const executionGroups = {
  password,
  signer,
  waiting,
  limits,
  /** Confirmations beside `--yes`. */
  confirmation: [
    ...limits,
    executionFlags.confirm,
    rareFlag('--confirm-above <usd>', 'require typing the symbol from this value on (default 100)'),
  ],
  /** The flags of a program that signs without a person, whose standard input has messages. */
  agent: [
    ...signer.map((each) => (each.flags === passwordFile.flags ? passwordFile : each)),
    executionFlags.slippage,
    ...limits,
    executionFlags.maxImpact,
    executionFlags.affiliate,
    ...waiting,
  ],
  gas: [
    rareFlag(
      '--gas <auto|n>',
      'gas limit, without a simulation (default: what one used, times 1.4)',
    ),
    rareFlag('--gas-adjustment <n>', 'another factor than 1.4, 1 to 10'),
    rareFlag(
      '--fees <coin>',
      'in base units, e.g. 2000000rune (default: what the network requires)',
    ),
  ],
  /** Alternatives to signing and sending. */
  modes: [
    flag('--dry-run', 'everything except confirming and signing'),
    flag('--generate-only', 'print the unsigned transaction'),
    rareFlag('--sign-only', 'print the signed transaction'),
  ],
} satisfies FlagGroups
