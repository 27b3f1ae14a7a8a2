import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { RequestedSwap, SwapTerms } from '../task.js'

/**
 * Refuses a quote that is older than the terms allow, or of a later time than the chain. Its age is measured by block
 * times: the clock of this machine may be wrong.
 *
 * @throws SwapError QUOTE_EXPIRED, QUOTE_MISMATCH
 */
export function requireFresh(
  { time, timeoutHeight = 0n }: RequestedSwap,
  { maxAgeMs }: SwapTerms,
  market: Market,
): void {
  requireNotTimedOut(timeoutHeight, market.height)
  if (time === undefined) return
  const age = Date.parse(market.time) - Date.parse(time)
  if (-age > maxAgeMs)
    throw new SwapError('QUOTE_MISMATCH', 'the quote is of a later time than the chain', {
      why: `it is of ${time}, and the newest block is of ${market.time}: it would not expire in time`,
      hint: 'quote again; if nodes are behind: swap doctor',
      members: { age_ms: age, max_age_ms: maxAgeMs },
    })
  if (age <= maxAgeMs) return
  throw new SwapError('QUOTE_EXPIRED', 'the quote is too old', {
    why: `it was made ${Math.round(age / 1000)} s before the newest block, and ${maxAgeMs / 1000} s are allowed`,
    hint: 'quote again, or raise --max-age',
    members: { age_ms: age, max_age_ms: maxAgeMs },
  })
}

/**
 * Refuses an unsigned transaction whose timeout height has passed: no block can include it, whoever signs it.
 *
 * @throws SwapError QUOTE_EXPIRED
 */
export function requireNotTimedOut(timeoutHeight: bigint, height: number): void {
  if (timeoutHeight === 0n || timeoutHeight > BigInt(height)) return
  throw new SwapError('QUOTE_EXPIRED', 'the transaction is too old', {
    why: `its timeout height is ${timeoutHeight}, and the newest block is ${height}`,
    hint: 'nothing was signed; make a new one: swap execute <amount> <in> <out> --generate-only',
    members: { timeout_height: Number(timeoutHeight), height },
  })
}
