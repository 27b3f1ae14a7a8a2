import type { Coin } from '../market/token.js'
import { ceilDiv } from '../math/decimal.js'
import { type Rational, rational, toBps } from '../math/rational.js'
import type { PathQuery } from '../routing/query.js'
import { pathId, type Route } from '../routing/route.js'
import { executedRoute, type LegExecution } from './execute-legs.js'

/** One leg of a split: a route for its part of the input, on the books as the legs before left them. */
export type SplitLeg = {
  readonly route: Route
  /** Share of the input. On a grid a multiple of the step, but for the leg that takes what is left. */
  readonly fraction: Rational
}

/** A split of an input, executed leg after leg. Amounts are atomics. */
export type Split = {
  /** Names paths and shares: the same split has the same id in every run. */
  readonly id: string
  readonly input: Coin
  /** In the order of execution; their inputs add up to the input. */
  readonly legs: readonly SplitLeg[]
  /** The recipient's payout of all legs together. */
  readonly expected: bigint
  /** Sum of the legs' minimums. */
  readonly minReturn: bigint
  readonly exact: boolean
  /** How much worse the average price is than the legs' mid prices, weighted by what they are worth. */
  readonly impact: Rational | undefined
  /**
   * `impact` where it is known. Otherwise a bound: legs without a mid price count as if all they sell
   * were lost. `undefined` where no leg has a mid price.
   */
  readonly worstImpact: Rational | undefined
}

/** Digits kept of what a leg would buy at its mid price. */
const PRECISION = 10n ** 18n

/** Finishes a split that was executed. `fractions` are the legs' shares in their order. */
export function finishSplit(
  query: PathQuery,
  input: Coin,
  { legs }: LegExecution,
  slippageBps: number,
  fractions: readonly Rational[],
): Split {
  const routes = legs.map(({ path, amount, router, hops }, i) =>
    executedRoute(
      query,
      path.map((edge) => edge.book),
      { denom: input.denom, amount },
      { router, fills: hops.map(({ fill }) => fill), isFirst: i === 0 },
      slippageBps,
    ),
  )
  const id = pathId(routes.flatMap((route, i) => [route.id, textOf(fractions[i]!)]))
  return splitOf(
    { id, input },
    routes.map((route, i) => ({ route, fraction: fractions[i]! })),
  )
}

/** A split of these legs, with their totals. */
export function splitOf(identity: Pick<Split, 'id' | 'input'>, legs: readonly SplitLeg[]): Split {
  const routes = legs.map(({ route }) => route)
  return {
    legs,
    expected: routes.reduce((sum, { expected }) => sum + expected, 0n),
    minReturn: routes.reduce((sum, { minReturn }) => sum + minReturn, 0n),
    exact: routes.every(({ exact }) => exact),
    ...impactsOf(routes),
    ...identity,
  }
}

/** The split of one leg along a route for the whole input. */
export function undividedSplit(input: Coin, route: Route): Split {
  const fraction = rational(1n, 1n)
  return splitOf({ id: pathId([route.id, textOf(fraction)]), input }, [{ route, fraction }])
}

const textOf = ({ numerator, denominator }: Rational): string => `${numerator}/${denominator}`

/** `1 − Σ bought ÷ Σ value at the mid prices`, fees excluded, and its bound where a mid price is missing. */
export function impactsOf(routes: readonly Route[]): Pick<Split, 'impact' | 'worstImpact'> {
  const [single] = routes
  if (single !== undefined && routes.length === 1)
    return { impact: single.impact, worstImpact: single.impact }
  let atMid = 0n
  let lost = 0n
  let sold = 0n
  let unpriced = 0n
  for (const { input, mid, impact } of routes) {
    if (mid === undefined || impact === undefined) {
      unpriced += input.amount
      continue
    }
    const worth = (input.amount * mid.numerator * PRECISION) / mid.denominator
    atMid += worth
    lost += (worth * impact.numerator) / impact.denominator
    sold += input.amount
  }
  if (atMid === 0n) return { impact: undefined, worstImpact: undefined }
  if (unpriced === 0n) {
    const impact = rational(lost, atMid)
    return { impact, worstImpact: impact }
  }
  // The rest is valued at the average mid price of the other legs, rounded up.
  const worth = ceilDiv(atMid * unpriced, sold)
  return { impact: undefined, worstImpact: rational(lost + worth, atMid + worth) }
}

/** How much more one output is than another, in bps, two decimals, half up. */
export const gainBps = (output: bigint, reference: bigint): number =>
  toBps(rational(output - reference, reference))

/** How far a split is below an upper bound, in bps, two decimals, rounded up. */
export const belowBps = (split: Split, bound: bigint): number =>
  bound <= split.expected ? 0 : Number(ceilDiv((bound - split.expected) * 1_000_000n, bound)) / 100
