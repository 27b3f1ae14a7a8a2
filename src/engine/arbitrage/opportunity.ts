import type { Coin } from '../market/token.js'
import { type Rational, rational } from '../math/rational.js'
import type { Route } from '../routing/route.js'

/** A circular route that pays. Amounts are atomics of the denom in which it begins and ends. */
export type Opportunity = {
  /** The loop itself; `minReturn` is at least its input, so that it never executes at a loss. */
  readonly route: Route
  readonly input: Coin
  /** What comes back after the venues' and the protocol's fees. */
  readonly output: bigint
  readonly profit: bigint
  /** Profit over input. */
  readonly share: Rational
}

/** What a circular route earns. */
export function opportunityOf(route: Route): Opportunity {
  const { input, expected } = route
  const profit = expected - input.amount
  return {
    route: guardedAgainstLoss(route),
    input,
    output: expected,
    profit,
    share: rational(profit, input.amount),
  }
}

/** The route with a `minReturn` of at least its input. */
export const guardedAgainstLoss = (route: Route): Route =>
  route.minReturn >= route.input.amount ? route : { ...route, minReturn: route.input.amount }

/** The greater share of profit first; equal ones by the name of their path. */
export function byShare(a: Opportunity, b: Opportunity): number {
  const left = a.share.numerator * b.share.denominator
  const right = b.share.numerator * a.share.denominator
  if (left !== right) return left > right ? -1 : 1
  return a.route.id < b.route.id ? -1 : a.route.id > b.route.id ? 1 : 0
}
