import type { Hint } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import type { Coin, Denom } from '../engine/market/token.js'
import { formatRational, rational } from '../engine/math/rational.js'

/** A coin as people read it, for sentences: `1.5 BTC`, exact to 18 significant digits. */
export function formatCoin(market: Pick<Market, 'tokens'>, denom: Denom, amount: bigint): string {
  const token = market.tokens.get(denom)
  if (token === undefined) return `${amount} of ${denom}`
  return `${formatRational(rational(amount, 10n ** BigInt(token.decimals)))} ${token.symbol}`
}

/** A token as people read it, for sentences. */
export const formatToken = (market: Market, denom: Denom): string =>
  market.tokens.get(denom)?.symbol ?? denom

/** A ratio in both units that it can be typed in: `5 % (500 bps)`; `bps` has at most two decimals. */
export const ratioText = (bps: number): string => `${Number((bps / 100).toFixed(4))} % (${bps} bps)`

/** A count of base units below this share of a unit is not what a number was meant as. */
const LEAST_SHARE = 1000n

/**
 * What to do about an amount that is too large. The command line takes whole units: an amount that would pass
 * as so many base units is pointed out.
 *
 * @param most the largest amount that passes
 */
export function tooLargeHint(
  market: Market,
  { denom, amount }: Coin,
  most: bigint,
  what: string,
): Hint {
  const unit = 10n ** BigInt(market.tokens.get(denom)?.decimals ?? 0)
  const typed = amount / unit
  const isLikely = unit > 1n && amount % unit === 0n && typed <= most && typed * LEAST_SHARE >= unit
  if (!isLikely) return what
  const meant = `did you mean --atomic ${typed}, which is ${formatCoin(market, denom, typed)}?`
  return { cli: `${meant} otherwise ${what}`, http: what }
}

/** Why a venue refuses, for sentences: the amounts of a refusal are in base units, which is said. */
export const refusalText = (why: string): string =>
  /\d/.test(why) ? `${why} (amounts in base units)` : why
