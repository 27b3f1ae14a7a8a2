import type { Market } from '../engine/market/market.js'
import type { Denom } from '../engine/market/token.js'
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
