import type { Market } from '../engine/market/market.js'
import type { Coin, Denom } from '../engine/market/token.js'
import { type Rational, rational } from '../engine/math/rational.js'
import type { CoinDocument, MarketHead } from './document-schema.js'
import { dollarsText, unitOf, worthIn } from './worth.js'

export const coinFrom = ({ denom, amount }: CoinDocument): Coin => ({
  denom,
  amount: BigInt(amount),
})

export const coinDocument = ({ denom, amount }: Coin): CoinDocument => ({
  denom,
  amount: `${amount}`,
})

export const marketHead = (market: Market): MarketHead => ({
  network: market.network,
  chain_id: market.chainId,
  height: market.height,
  time: market.time,
  excluded: market.excluded.map(({ address, reason }) => ({ address, reason })),
})

/** The legs of a route or split; a single path is its own leg. None without a route. */
export function legsOfRoute<Leg extends object>(
  route: Leg | { readonly legs: readonly Leg[] } | undefined,
): readonly Leg[] {
  if (route === undefined) return []
  return 'legs' in route ? (route.legs as readonly Leg[]) : [route]
}

/** Display data of both sides, and the input's worth. */
export function displayMembers(market: Market, input: Coin, output: Denom) {
  const token = (denom: Denom) => {
    const { symbol, decimals } = market.tokens.get(denom)!
    return { symbol, decimals }
  }
  return {
    input_token: token(input.denom),
    input_usd: dollarsText(worthIn(market)(input)),
    output_token: token(output),
  }
}

/** Converts atomics per atomic to display units per display unit. */
export const displayScale = (market: Market, from: Denom, to: Denom): Rational =>
  rational(unitOf(market, from), unitOf(market, to))
