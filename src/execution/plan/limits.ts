import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Coin } from '../../engine/market/token.js'
import { worthIn } from '../../operations/arbitrage/worth.js'
import type { Intent, Owner, TxState } from '../journal/intent.js'
import type { Terms } from '../order.js'

/** What counts as a day: the last 24 hours, so that nothing is gained by waiting for midnight. */
const DAY_MS = 86_400_000

/** More intents than this a day are more than anybody signs for. */
const MOST = 100_000

/** States in which a transaction has certainly spent nothing, and never will. */
const NOTHING: ReadonlySet<TxState> = new Set(['abandoned', 'expired', 'replaced'])

/** Worth of coins in millionths of a dollar, rounded up; `undefined` where no book tells. */
export function microUsdOf(market: Market, coins: readonly Coin[]): bigint | undefined {
  const worth = worthIn(market)
  let sum = 0n
  for (const coin of coins) {
    const dollars = worth(coin)
    if (dollars === undefined) return undefined
    const { numerator, denominator } = dollars
    sum += (numerator * 1_000_000n + denominator - 1n) / denominator
  }
  return sum
}

/** Since when what was spent counts, RFC 3339. */
export const dayBefore = (time: string): string => new Date(Date.parse(time) - DAY_MS).toISOString()

/** How many intents of a day have to be looked at. */
export const mostOfDay = MOST

/**
 * What was signed for without anybody being asked, in millionths of a dollar: everything that may
 * have been spent, whatever came of it. The journal is the only book of it.
 */
export const spentUnattended = (intents: readonly Intent[], owner: Owner): bigint =>
  intents
    .filter(
      ({ unattended, chain_id, address, txs }) =>
        unattended &&
        chain_id === owner.chainId &&
        address === owner.address &&
        txs.some(({ state }) => !NOTHING.has(state)),
    )
    .reduce((sum, { worth_micro_usd }) => sum + BigInt(worth_micro_usd ?? 0), 0n)

/**
 * Holds the spending limits against one more unattended swap.
 *
 * @param worth in millionths of a dollar
 * @param spent in the last 24 hours
 * @throws SwapError LIMIT_EXCEEDED
 */
export function requireWithin(
  { perTx, perDay }: Terms['limits'],
  worth: bigint | undefined,
  spent: bigint,
): void {
  if (perTx === undefined && perDay === undefined) return
  if (worth === undefined)
    throw exceeded('unpriced', 'what is sold has no price, so no limit can be held', {
      why: 'no book connects it to the dollar',
      hint: 'execute it without --yes',
    })
  if (perTx !== undefined && worth > perTx)
    throw exceeded('per_tx_usd', `this swap is above your limit of ${dollars(perTx)}`, {
      why: `it sells ${dollars(worth)} worth`,
      hint: 'swap less, execute it without --yes, or raise limits.per_tx_usd',
    })
  if (perDay !== undefined && spent + worth > perDay)
    throw exceeded('per_day_usd', `this swap would pass your limit of ${dollars(perDay)} a day`, {
      why: `it sells ${dollars(worth)} worth, and ${dollars(spent)} went in the last 24 hours`,
      hint: 'wait, execute it without --yes, or raise limits.per_day_usd',
    })
}

/** Millionths of a dollar for people, rounded up to cents. */
export const dollars = (micro: bigint): string => {
  const cents = `${(micro + 9_999n) / 10_000n}`.padStart(3, '0')
  return `$${cents.slice(0, -2)}.${cents.slice(-2)}`
}

const exceeded = (
  rule: string,
  message: string,
  words: { readonly why: string; readonly hint: string },
): SwapError => new SwapError('LIMIT_EXCEEDED', message, { ...words, members: { rule } })
