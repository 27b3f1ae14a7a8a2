import { apportion } from '../../engine/math/apportion.js'
import { rational } from '../../engine/math/rational.js'
import type { Route } from '../../engine/routing/route.js'
import { dollarsText, type Worth } from '../worth.js'
import type { CostDocument } from './route-answer.js'

/** Digits kept below an atomic of the output. */
const KEPT = 10n ** 18n

/** Bps with two decimals are written. */
const HUNDREDTHS = 1_000_000n

/**
 * What an input costs that is swapped over these routes, each measured by the mid price of its own
 * path (docs/api.md#cost); `null` where a path has no mid price.
 */
export function costDocument(routes: readonly Route[], worthOf: Worth): CostDocument | null {
  const parts = partsOf(routes)
  if (parts === undefined) return null
  const { promised, lost, ...fees } = parts
  const taken = [fees.venue, fees.protocol, fees.affiliate]
  const impact = taken.reduce((rest, fee) => rest - fee, lost)
  const hundredths = apportion(
    [impact, ...taken].map((part) => part * HUNDREDTHS),
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

/** Amounts of the output token, times `KEPT`. */
type Parts = {
  /** What the mid prices promise for the input. */
  readonly promised: bigint
  /** By how much the recipient gets less. */
  readonly lost: bigint
  readonly venue: bigint
  readonly protocol: bigint
  readonly affiliate: bigint
}

function partsOf(routes: readonly Route[]): Parts | undefined {
  let [promised, paid, venue, protocol, affiliate] = [0n, 0n, 0n, 0n, 0n]
  for (const route of routes) {
    const { input, mid, division } = route
    if (mid === undefined) return undefined
    promised += (input.amount * mid.numerator * KEPT) / mid.denominator
    paid += route.expected * KEPT
    venue += venueFees(route)
    protocol += division.protocol * KEPT
    affiliate += division.affiliate * KEPT
  }
  return promised === 0n
    ? undefined
    : { promised, lost: promised - paid, venue, protocol, affiliate }
}

/** How much more the hops would pay at the prices of their fills if no pair took a fee. */
function venueFees({ input, hops }: Route): bigint {
  let [gross, net, offered] = [input.amount, input.amount, 1n]
  for (const { offer, fill } of hops) {
    gross *= fill.bought + fill.fee
    net *= fill.bought
    offered *= offer.amount
  }
  return ((gross - net) * KEPT) / offered
}
