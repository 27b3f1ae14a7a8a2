import type { Market } from '../engine/market/market.js'
import type { Coin, Denom } from '../engine/market/token.js'
import {
  formatRational,
  hundredths,
  type Rational,
  rational,
  times,
} from '../engine/math/rational.js'
import { fundsOf, messageOf, type RouterMessage } from '../engine/routing/message.js'
import { gapBps, type Route, type RouteHop } from '../engine/routing/route.js'

/** A coin on the wire. */
export type CoinDocument = { readonly denom: string; readonly amount: string }

export const coinDocument = ({ denom, amount }: Coin): CoinDocument => ({
  denom,
  amount: `${amount}`,
})

/** What every answer that was computed from the market begins with. */
export type MarketHead = {
  readonly network: string
  readonly chain_id: string
  readonly height: number
  readonly time: string
  readonly excluded: readonly { readonly address: string; readonly reason: string }[]
}

export const marketHead = (market: Market): MarketHead => ({
  network: market.network,
  chain_id: market.chainId,
  height: market.height,
  time: market.time,
  excluded: market.excluded.map(({ address, reason }) => ({ address, reason })),
})

export type HopDocument = {
  readonly address: string
  readonly input: CoinDocument
  readonly output: CoinDocument
  readonly fee: CoinDocument
  readonly levels_used: number
  readonly depth_used_percent: number
  readonly price_impact_bps: number | null
  readonly exact: boolean
}

/** A route (docs/api.md#route-answer). */
export type RouteDocument = {
  readonly id: string
  readonly expected_output: string
  readonly simulated_output: string | null
  readonly exact: boolean
  readonly min_return: string
  readonly gross_output: string
  readonly price_impact_bps: number | null
  readonly price: string
  readonly mid_price: string | null
  readonly gap_bps: number
  readonly path: readonly Denom[]
  readonly hops: readonly HopDocument[]
  readonly fees: {
    readonly venue: readonly CoinDocument[]
    readonly protocol: CoinDocument
    readonly referral: CoinDocument
    readonly affiliate: CoinDocument
  }
  readonly tx: RouterMessage
  readonly funds: CoinDocument
}

/** What a route's document needs beside the route. */
export type RouteTerms = {
  readonly recipient: string | undefined
  readonly affiliate: string | undefined
}

export function routeDocument(
  market: Market,
  route: Route,
  best: Route,
  terms: RouteTerms,
): RouteDocument {
  const { division, output } = route
  const scale = displayScale(market, route.input.denom, output)
  const coin = (amount: bigint) => coinDocument({ denom: output, amount })
  return {
    id: route.id,
    expected_output: `${route.expected}`,
    simulated_output: route.simulated === undefined ? null : `${route.simulated}`,
    exact: route.exact,
    min_return: `${route.minReturn}`,
    gross_output: `${route.gross}`,
    price_impact_bps: bps(route.impact),
    price: formatRational(times(rational(route.expected, route.input.amount), scale)),
    mid_price: route.mid ? formatRational(times(route.mid, scale)) : null,
    gap_bps: gapBps(route, best),
    path: route.denoms,
    hops: route.hops.map(hopDocument),
    fees: {
      venue: route.hops.map(feeOf),
      protocol: coin(division.protocol),
      referral: coin(division.referral),
      affiliate: coin(division.affiliate),
    },
    tx: messageOf(market.router, route, terms),
    funds: coinDocument(fundsOf(route)),
  }
}

const feeOf = ({ output, fill }: RouteHop): CoinDocument =>
  coinDocument({ denom: output.denom, amount: fill.fee })

const hopDocument = (hop: RouteHop): HopDocument => ({
  address: hop.book.state.pair.address,
  input: coinDocument(hop.offer),
  output: coinDocument(hop.output),
  fee: feeOf(hop),
  levels_used: hop.fill.groups,
  depth_used_percent: hundredths(hop.depthUsed, 100n),
  price_impact_bps: bps(hop.impact),
  exact: hop.fill.exact,
})

const bps = (impact: Rational | undefined): number | null =>
  impact === undefined ? null : hundredths(impact, 10_000n)

/** Turns atomics per atomic into display units per display unit. */
export function displayScale(market: Market, from: Denom, to: Denom): Rational {
  const unit = (denom: Denom) => 10n ** BigInt(market.tokens.get(denom)?.decimals ?? 0)
  return rational(unit(from), unit(to))
}
