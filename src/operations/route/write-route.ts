import { gasFee, transactionGas } from '../../engine/market/gas.js'
import type { Market } from '../../engine/market/market.js'
import { apportion } from '../../engine/math/integers.js'
import {
  formatRational,
  plus,
  type Rational,
  rational,
  times,
  toBps,
  toPercent,
} from '../../engine/math/rational.js'
import { messageOf } from '../../engine/routing/message.js'
import { gapBps, type Route, type RouteHop } from '../../engine/routing/route.js'
import { coinDocument, displayScale } from '../document-parts.js'
import type { CoinDocument } from '../document-schema.js'
import { dollarsText, type Worth, worthIn } from '../worth.js'
import type { CostDocument, HopDocument, RouteDocument } from './route-documents.js'

/** Context of a route's document. */
export type RouteTerms = {
  readonly recipient?: string | undefined
  readonly affiliate?: string | undefined
}

/** Members common to routes, legs and loops. */
export function callDocument(market: Market, route: Route, terms: RouteTerms = {}) {
  const { payout, output } = route
  const coin = (amount: bigint) => coinDocument({ denom: output, amount })
  return {
    expected_output: `${route.expected}`,
    simulated_output: route.simulated === undefined ? null : `${route.simulated}`,
    exact: route.exact,
    min_return: `${route.minReturn}`,
    price_impact_bps: bps(route.impact),
    path: route.denoms,
    hops: route.hops.map(hopDocument),
    fees: {
      venue: route.hops.map(feeOf),
      protocol: coin(payout.protocol),
      referral: coin(payout.referral),
      affiliate: coin(payout.affiliate),
    },
    tx: messageOf(market.router, route, terms),
    funds: coinDocument(route.input),
  }
}

export function routeDocument(
  market: Market,
  route: Route,
  best: Route,
  terms: RouteTerms,
): RouteDocument {
  const { output } = route
  const scale = displayScale(market, route.input.denom, output)
  const worthOf = worthIn(market)
  const dollars = (amount: bigint) => dollarsText(worthOf({ denom: output, amount }))
  const call = callDocument(market, route, terms)
  // Listed one by one: a spread makes V8 create a hidden class for every answer.
  return withNetworkFee(market, worthOf, {
    id: route.id,
    expected_output: call.expected_output,
    expected_output_usd: dollars(route.expected),
    simulated_output: call.simulated_output,
    exact: call.exact,
    min_return: call.min_return,
    min_return_usd: dollars(route.minReturn),
    gross_output: `${route.gross}`,
    gas_estimate: `${transactionGas(market.gas, [route.gas])}`,
    price_impact_bps: call.price_impact_bps,
    cost: costDocument([route], worthOf),
    price: formatRational(times(rational(route.expected, route.input.amount), scale)),
    mid_price: route.mid ? formatRational(times(route.mid, scale)) : null,
    gap_bps: gapBps(route, best),
    path: call.path,
    hops: call.hops,
    fees: call.fees,
    tx: call.tx,
    funds: call.funds,
  })
}

/** The document of a transaction, with its fee where gas has a price. */
export function withNetworkFee<T extends { readonly gas_estimate: string }>(
  { gas }: Market,
  worthOf: Worth,
  document: T,
) {
  const fee = gasFee(gas, BigInt(document.gas_estimate))
  if (fee === undefined) return document
  const usd = dollarsText(worthOf(fee))
  return { ...document, network_fee: coinDocument(fee), network_fee_usd: usd }
}

const feeOf = ({ output, fill }: RouteHop): CoinDocument =>
  coinDocument({ denom: output.denom, amount: fill.fee })

const hopDocument = (hop: RouteHop): HopDocument => ({
  address: hop.book.state.pair.address,
  input: coinDocument(hop.offer),
  output: coinDocument(hop.output),
  fee: feeOf(hop),
  levels_used: hop.fill.groups,
  depth_used_percent: toPercent(hop.depthUsed),
  price_impact_bps: bps(hop.impact),
  exact: hop.fill.exact,
})

const bps = (impact: Rational | undefined): number | null =>
  impact === undefined ? null : toBps(impact)

/** Bps are written with two decimals. */
const HUNDREDTHS = 1_000_000n

/**
 * The total cost of routes, each measured by the mid price of its own path (docs/api.md#cost); `null` if a
 * path has no mid price.
 */
export function costDocument(routes: readonly Route[], worthOf: Worth): CostDocument | null {
  // The input's value at the mid prices, and the fees of the pairs, in the output token.
  const values = routes.flatMap(({ input, mid }) =>
    mid ? rational(input.amount * mid.numerator, mid.denominator) : [],
  )
  if (values.length < routes.length) return null
  const [promised, venue] = [values.reduce(plus), routes.map(venueFees).reduce(plus)]
  const total = (amountOf: (route: Route) => bigint) =>
    routes.reduce((sum, route) => sum + amountOf(route), 0n)
  // Over one denominator, which makes all of them integers.
  const scale = promised.denominator * venue.denominator
  const whole = promised.numerator * venue.denominator
  const lost = whole - total(({ expected }) => expected) * scale
  const fees = [
    venue.numerator * promised.denominator,
    total(({ payout }) => payout.protocol) * scale,
    total(({ payout }) => payout.affiliate) * scale,
  ]
  const impact = fees.reduce((rest, fee) => rest - fee, lost)
  const hundredths = apportion(
    [impact, ...fees].map((part) => part * HUNDREDTHS),
    whole,
  )
  const [impactBps, venueBps, protocolBps, affiliateBps] = hundredths.map(
    (part) => Number(part) / 100,
  )
  const sold = worthOf({
    denom: routes[0]!.input.denom,
    amount: total(({ input }) => input.amount),
  })
  return {
    cost_bps: toBps(rational(lost, whole)),
    impact_bps: impactBps!,
    venue_fees_bps: venueBps!,
    protocol_fee_bps: protocolBps!,
    affiliate_fee_bps: affiliateBps!,
    cost_usd: dollarsText(sold && times(sold, rational(lost, whole))),
  }
}

/** The additional output at the prices of the fills if no pair took a fee. */
function venueFees({ input, hops }: Route): Rational {
  let gross = input.amount
  let net = input.amount
  let offered = 1n
  for (const { offer, fill } of hops) {
    gross *= fill.bought + fill.fee
    net *= fill.bought
    offered *= offer.amount
  }
  return rational(gross - net, offered)
}
