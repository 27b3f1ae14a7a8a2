import { gasFee, transactionGas } from '../../engine/market/gas.js'
import type { Market } from '../../engine/market/market.js'
import { apportion } from '../../engine/math/integers.js'
import {
  formatRational,
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

/** Digits kept below an atomic of the output. */
const PRECISION = 10n ** 18n

/** Bps are written with two decimals. */
const HUNDREDTHS = 1_000_000n

/**
 * The total cost of routes, each measured by the mid price of its own path (docs/api.md#cost); `null` if a
 * path has no mid price.
 */
export function costDocument(routes: readonly Route[], worthOf: Worth): CostDocument | null {
  const parts = partsOf(routes)
  if (parts === undefined) return null
  const { promised, lost, ...fees } = parts
  const feesTaken = [fees.venue, fees.protocol, fees.affiliate]
  const impact = feesTaken.reduce((rest, fee) => rest - fee, lost)
  const hundredths = apportion(
    [impact, ...feesTaken].map((part) => part * HUNDREDTHS),
    promised,
  )
  const [impactBps, venueBps, protocolBps, affiliateBps] = hundredths.map(bpsOf)
  const amount = routes.reduce((total, { input }) => total + input.amount, 0n)
  const sold = worthOf({ denom: routes[0]!.input.denom, amount })
  return {
    cost_bps: bpsOf(hundredths.reduce((a, b) => a + b)),
    impact_bps: impactBps!,
    venue_fees_bps: venueBps!,
    protocol_fee_bps: protocolBps!,
    affiliate_fee_bps: affiliateBps!,
    cost_usd: dollarsText(sold && rational(sold.numerator * lost, sold.denominator * promised)),
  }
}

const bpsOf = (hundredths: bigint): number => Number(hundredths) / 100

/**
 * The costs in amounts of the output token, times `PRECISION`: `promised` is the input's value at the mid prices, `lost`
 * the reduction of the recipient's amount.
 */
function partsOf(routes: readonly Route[]) {
  let [expected, paid, venue, protocol, affiliate] = [0n, 0n, 0n, 0n, 0n]
  for (const route of routes) {
    const { input, mid, payout } = route
    if (mid === undefined) return undefined
    expected += (input.amount * mid.numerator * PRECISION) / mid.denominator
    paid += route.expected * PRECISION
    venue += venueFees(route)
    protocol += payout.protocol * PRECISION
    affiliate += payout.affiliate * PRECISION
  }
  return expected === 0n
    ? undefined
    : { promised: expected, lost: expected - paid, venue, protocol, affiliate }
}

/** The additional output at the prices of the fills if no pair took a fee. */
function venueFees({ input, hops }: Route): bigint {
  let [gross, net, offered] = [input.amount, input.amount, 1n]
  for (const { offer, fill } of hops) {
    gross *= fill.bought + fill.fee
    net *= fill.bought
    offered *= offer.amount
  }
  return ((gross - net) * PRECISION) / offered
}
