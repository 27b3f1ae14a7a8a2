import { configuredValue, isOwnDemo } from '../../config/configured.js'
import type { Config } from '../../config/load.js'
import { keyOf } from '../../config/naming.js'
import { demoChainId } from '../../config/network.js'
import { milliseconds } from '../../config/readers.js'
import { invalidRequest, SwapError } from '../../engine/errors.js'
import { GAS_ADJUSTMENT } from '../../engine/market/gas.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import { BY_PERSON, dollars } from '../../execution/plan/limits.js'
import {
  MOST_DEADLINE_BLOCKS,
  type SigningTerms,
  type Slippage,
  type SwapTerms,
} from '../../execution/task.js'
import type { Context, FlagValues } from '../command.js'
import { flagRefused, textOf } from '../flags/checked-flag.js'
import { executionFlags } from '../flags/execution-flags.js'
import { clashing } from '../invalid-request.js'
import { QUOTE_AGE_MS } from '../quotes/quote-store.js'
import { readerOf, receivedAmount } from '../quotes/route-request.js'

/** Default number of blocks within which a transaction must be included. */
const DEADLINE = 20

/** What to wait for, and how long. */
export const waitingOf = (flags: FlagValues): Pick<SigningTerms, 'wait' | 'waitMs'> => ({
  wait: executionFlags.wait.read(flags),
  waitMs: executionFlags.waitTimeout.read(flags),
})

/**
 * Signing terms of any transaction: flags with their defaults.
 *
 * @throws SwapError INVALID_REQUEST
 */
export async function signingTermsOf(context: Context, flags: FlagValues): Promise<SigningTerms> {
  const unattended = isUnattended(flags)
  const { gas, fees } = feeTermsOf(flags)
  if (gas !== undefined && flags['gasAdjustment'] !== undefined)
    throw clashing('--gas-adjustment', '--gas', 'a given gas limit is not adjusted', '/gas')
  return {
    mode: executionFlags.mode.read(flags),
    deadlineBlocks: await deadlineOf(textOf(flags, 'deadline'), context),
    gas,
    fees,
    gasAdjustment: adjustmentOf(textOf(flags, 'gasAdjustment')),
    memo: textOf(flags, 'memo') ?? '',
    once: onceOf(textOf(flags, 'once')),
    unattended,
    limits: limitsOf(context, unattended),
    ...waitingOf(flags),
  }
}

/** The given fee and gas limit; `undefined` if the program chooses. */
export const feeTermsOf = (flags: FlagValues): Pick<SigningTerms, 'fees' | 'gas'> => ({
  gas: gasOf(textOf(flags, 'gas')),
  fees: feesOf(textOf(flags, 'fees')),
})

export async function termsOf(
  context: Context,
  flags: FlagValues,
  trade: { readonly funds: { readonly denom: Denom }; readonly output: Denom } | undefined,
): Promise<SwapTerms> {
  const { values } = context.config
  const output = trade?.output ?? ''
  if (flags['minProfit'] !== undefined && trade?.funds.denom !== output)
    throw invalidRequest('--min-profit is for loops', '/min_profit', {
      why: 'the swap pays another token than it sells',
      hint: 'give the least output of a swap: --min-out',
    })
  const reader = await readerOf(context)
  const slippage = slippageOf(context, flags)
  const received = (name: string, flag: string) => {
    const text = textOf(flags, name)
    return text === undefined ? undefined : receivedAmount(reader, text, output, flag)
  }
  if (isUnattended(flags)) requireGuard(slippage, flags)
  return {
    ...(await signingTermsOf(context, flags)),
    slippage,
    minOut: received('minOut', '--min-out'),
    minProfit: received('minProfit', '--min-profit'),
    maxImpactBps: executionFlags.maxImpact.read(flags),
    maxAgeMs: values.maxAge ?? QUOTE_AGE_MS,
    to: textOf(flags, 'to'),
    affiliate: values.affiliate,
    again: flags['again'] === true,
  }
}

/** Whether there is no terminal confirmation; `--confirm` does not count as one. */
export const isUnattended = (flags: FlagValues): boolean =>
  flags['yes'] === true || typeof flags['confirm'] === 'string'

const slippageOf = ({ config }: Context, flags: FlagValues): Slippage => ({
  flag: flags['slippage'] === undefined ? undefined : config.values.slippage,
  configured: configuredValue(config, 'slippage', ['user', 'project', 'env']),
  builtIn: configuredValue(config, 'slippage', ['default'])!,
})

/** Without a confirmation the price must be bounded by an explicit setting. */
function requireGuard({ configured }: Slippage, flags: FlagValues): void {
  const isSaid = ['slippage', 'minOut', 'minProfit'].some((name) => flags[name] !== undefined)
  if (isSaid || configured !== undefined) return
  throw invalidRequest('signing without a confirmation needs a price guard', '/slippage_bps', {
    why: 'no person looks at what is signed, and no limit of the price was given',
    hint: 'add --slippage 0.5% to the command, or set slippage in ~/.swaprc',
  })
}

/** Spending limits apply without a confirmation; networks with real money require them. */
function limitsOf({ config }: Context, unattended: boolean): SigningTerms['limits'] {
  const { limitsPerTxUsd: perTx, limitsPerDayUsd: perDay } = config.values
  if (!unattended) return { perTx: undefined, perDay: undefined }
  if (config.network.real && (perTx === undefined || perDay === undefined))
    throw new SwapError('LIMIT_EXCEEDED', 'unattended signing needs limits on this network', {
      why: 'limits.per_tx_usd and limits.per_day_usd are not both set',
      hint: 'swap config set limits.per_tx_usd 250; swap config set limits.per_day_usd 500',
      members: { rule: perTx === undefined ? 'per_tx_usd' : 'per_day_usd' },
    })
  requireNotRaised(config, 'limitsPerTxUsd', perTx)
  requireNotRaised(config, 'limitsPerDayUsd', perDay)
  return { perTx, perDay }
}

/** A flag or a variable may tighten a limit of the configuration file; only a confirmation may exceed it. */
function requireNotRaised(
  config: Config,
  name: 'limitsPerTxUsd' | 'limitsPerDayUsd',
  value: bigint | undefined,
): void {
  const set = configuredValue(config, name, ['user'])
  if (set === undefined || value === undefined || value <= set) return
  const rule = keyOf(name).replace('limits.', '')
  throw new SwapError('LIMIT_EXCEEDED', `limits.${rule} is raised, which needs a person`, {
    why: `${dollars(value)} is above the ${dollars(set)} of the configuration file`,
    hint: `change the file: swap config set limits.${rule} ${dollars(value).slice(1)}; or ${BY_PERSON}`,
    members: { rule },
  })
}

/** Blocks, or a duration of as many blocks: 5 to `MOST_DEADLINE_BLOCKS`. */
async function deadlineOf(text: string | undefined, context: Context): Promise<number> {
  if (text === undefined) return DEADLINE
  const blocks = /^\d{1,10}$/.test(text)
    ? Number(text)
    : Math.ceil(milliseconds(text) / (await blockTimeOf(context)))
  if (blocks >= 5 && blocks <= MOST_DEADLINE_BLOCKS) return blocks
  const found = Number.isNaN(blocks) ? '' : `, and this is ${blocks}`
  const why = `it is from 5 to ${MOST_DEADLINE_BLOCKS} blocks, or a time of so many${found}`
  throw flagRefused(text, '--deadline', why, '20 or --deadline 2m')
}

function gasOf(text: string | undefined): bigint | undefined {
  if (text === undefined || text === 'auto') return undefined
  if (/^[1-9]\d{3,11}$/.test(text)) return BigInt(text)
  throw flagRefused(text, '--gas', 'it is auto or from 1000 to 999999999999', '3000000')
}

function adjustmentOf(text: string | undefined): bigint {
  if (text === undefined) return GAS_ADJUSTMENT
  const [, whole, part = ''] = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  const hundredths = whole === undefined ? 0n : BigInt(whole + part.padEnd(2, '0'))
  if (hundredths >= 100n && hundredths <= 1_000n) return hundredths
  throw flagRefused(text, '--gas-adjustment', 'it is from 1 to 10', '1.4')
}

/** Maximum length of a `--once` key: keys are stored with each transaction, and listed. */
const LONGEST_KEY = 200

/** The key of `--once`. @throws SwapError INVALID_REQUEST for one that is too long */
export function onceOf(text: string | undefined): string | null {
  if (text === undefined) return null
  if (text.length <= LONGEST_KEY) return text
  const why = `a key has at most ${LONGEST_KEY} characters, and this has ${text.length}`
  throw flagRefused(text, '--once', why, 'order-4711')
}

/** `2000000rune`: atomics, in the SDK's notation. A hexadecimal number is not a zero amount of a token. */
function feesOf(text: string | undefined): readonly Coin[] | undefined {
  if (text === undefined) return undefined
  const [, digits, denom] = /^(?!0x[\da-f]*$)(\d{1,20})([a-zA-Z][\w/.-]{1,127})$/i.exec(text) ?? []
  if (digits !== undefined && denom !== undefined) return [{ denom, amount: BigInt(digits) }]
  throw flagRefused(text, '--fees', 'it is atomics and a denom', '2000000rune')
}

/** Block time in milliseconds, precise enough for a deadline in minutes. */
export async function blockTimeOf({
  config,
  demo,
}: Pick<Context, 'config' | 'demo'>): Promise<number> {
  if (config.network.chainId !== demoChainId) return 6_000
  return isOwnDemo(config) ? (await (await demo()).status()).block_time_ms : 2_000
}

/** Flags that define the trade, as opposed to how it is signed and sent. */
const DEFINING = [
  'atomic',
  'to',
  'price',
  'oracle',
  'ioc',
  'fok',
  'all',
  'fromPrice',
  'toPrice',
  'steps',
  'weight',
]

/** The request of a command as a text. Shares of a balance are kept as written: `50% rune usdc`. */
export const requestText = (command: string, args: readonly string[], flags: FlagValues): string =>
  [command, ...args.map((arg) => arg.toLowerCase())].join(' ') +
  DEFINING.filter((name) => flags[name] !== undefined)
    .map((name) => ` ${name}=${flags[name]}`)
    .join('')

/** The same for a document: what it sells and buys, at whatever height it was quoted. */
export function documentText(
  legs: readonly { readonly funds: Coin; readonly output: Denom }[],
  flags: FlagValues,
): string {
  const sums = new Map<string, bigint>()
  for (const { funds, output } of legs) {
    const pair = `${funds.denom} ${output}`
    sums.set(pair, (sums.get(pair) ?? 0n) + funds.amount)
  }
  const coins = [...sums].sort().map(([pair, amount]) => `${amount} ${pair}`)
  return requestText('execute', coins, flags)
}
