import { transactionGas } from '../../engine/market/gas.js'
import type { Market } from '../../engine/market/market.js'
import { bpsBelow, formatRational, rational, times, toBps } from '../../engine/math/rational.js'
import type { Route } from '../../engine/routing/route.js'
import type { Frontier } from '../../engine/splits/find-split.js'
import { belowBps, gainBps, type Split, type SplitLeg } from '../../engine/splits/split.js'
import { displayScale } from '../document-parts.js'
import {
  callDocument,
  costDocument,
  type RouteTerms,
  withNetworkFee,
} from '../route/write-route.js'
import { dollarsText, worthIn } from '../worth.js'
import type { FrontierDocument, FrontierPoint, SplitDocument } from './split-documents.js'

/** The benchmarks of splits; absent if nothing was searched. */
export type Reference = {
  readonly best: Split
  readonly single: Route | undefined
  readonly bound: bigint | undefined
}

export function splitDocument(
  market: Market,
  split: Split,
  reference: Reference,
  terms: RouteTerms,
): SplitDocument {
  const { input, expected, minReturn, impact } = split
  const legs = split.legs.map((leg) => legDocument(market, leg, terms))
  const [only] = legs
  const { output } = split.legs[0]!.route
  const scale = displayScale(market, input.denom, output)
  const worthOf = worthIn(market)
  const dollars = (amount: bigint) => dollarsText(worthOf({ denom: output, amount }))
  const { gap_bps, gain_over_single_bps, optimum_gap_bps } = measures(split, reference)
  // Listed one by one, as in a route's document.
  return withNetworkFee(market, worthOf, {
    id: split.id,
    expected_output: `${expected}`,
    expected_output_usd: dollars(expected),
    min_return: `${minReturn}`,
    min_return_usd: dollars(minReturn),
    price_impact_bps: impact === undefined ? null : toBps(impact),
    gas_estimate: `${transactionGas(
      market.gas,
      split.legs.map(({ route }) => route.gas),
    )}`,
    cost: costDocument(
      split.legs.map(({ route }) => route),
      worthOf,
    ),
    price: formatRational(times(rational(expected, input.amount), scale)),
    gap_bps,
    gain_over_single_bps,
    optimum_gap_bps,
    legs,
    ...(only !== undefined && legs.length === 1 && { tx: only.tx, funds: only.funds }),
  })
}

const measures = (split: Split, { best, single, bound }: Reference) => ({
  gap_bps: bpsBelow(split.expected, best.expected),
  gain_over_single_bps: single === undefined ? null : gainBps(split.expected, single.expected),
  optimum_gap_bps: bound === undefined ? null : belowBps(split, bound),
})

function legDocument(market: Market, { route, fraction }: SplitLeg, terms: RouteTerms) {
  const call = callDocument(market, route, terms)
  return {
    split: { fraction: formatRational(fraction), amount: `${route.input.amount}` },
    expected_output: call.expected_output,
    min_return: call.min_return,
    price_impact_bps: call.price_impact_bps,
    simulated_output: call.simulated_output,
    exact: call.exact,
    gas_estimate: `${route.gas}`,
    path: call.path,
    hops: call.hops,
    fees: call.fees,
    tx: call.tx,
    funds: call.funds,
  }
}

export const frontierDocument = (
  { byLegs, bySteps }: Frontier,
  reference: Reference,
): FrontierDocument => ({
  by_legs: byLegs.map(({ mostLegs, split }) => ({
    max_legs: mostLegs,
    ...pointOf(split, reference),
  })),
  by_steps: bySteps.map(({ stepPercent, split }) => ({
    split_step: stepPercent,
    ...pointOf(split, reference),
  })),
})

const pointOf = (split: Split, reference: Reference): FrontierPoint => ({
  id: split.id,
  expected_output: `${split.expected}`,
  ...measures(split, reference),
  legs: split.legs.map(({ route, fraction }) => ({
    split: { fraction: formatRational(fraction), amount: `${route.input.amount}` },
    path: route.denoms,
  })),
})
