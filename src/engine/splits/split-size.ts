import type { Coin, Denom } from '../market/token.js'
import { MAX_UINT128 } from '../math/decimal.js'
import { leastGross } from '../routing/path-size.js'
import { isSpent, type PathQuery, withShare } from '../routing/query.js'
import { largestBelow, smallestSize } from '../routing/size-limits.js'
import { isFailed } from './execute-legs.js'
import { bestSplit, hasSplit, type SplitTerms } from './find-split.js'
import { type FlowPoint, flowCurve } from './flow.js'
import { splitAlong } from './given-legs.js'
import { residualNetwork } from './residual-network.js'
import type { Split } from './split.js'

/** Maximum number of sizes that one search tries to split. */
const MOST_ROUNDS = 14

/** How often the split of a reduced input is searched again, since another split may need less. */
const MOST_TRIMS = 3

/** What an exact-out search found: the split, or the one that pays most. */
export type SplitOut = { readonly split: Split } | { readonly most: Split | undefined }

type Sizing = {
  readonly query: PathQuery
  readonly denom: Denom
  readonly terms: SplitTerms
}

// Shares of the rest of a budget.
/** For what finds the size to begin with. */
const SIZED = 0.25
/** For one split. */
const ONE_SPLIT = 0.5
/** For a bracket. */
const BRACKETED = 0.75

const splitOf = ({ query, denom, terms }: Sizing, amount: bigint): Split | undefined =>
  withShare(query.budget, ONE_SPLIT, () => bestSplit(query, { denom, amount }, terms))

const isTaken = ({ query, denom, terms }: Sizing, amount: bigint): boolean =>
  withShare(query.budget, ONE_SPLIT, () => hasSplit(query, { denom, amount }, terms))

/**
 * A split whose legs demand at least `wanted` together, of an input as small as can be found: from
 * an input that is enough downwards, each step in proportion to what is too much, then to the atomic
 * for the split found. Another split may do with a few atomics less.
 */
export function splitFor(
  query: PathQuery,
  denom: Denom,
  wanted: bigint,
  terms: SplitTerms,
): SplitOut {
  const sizing: Sizing = { query, denom, terms }
  let best = firstSufficientSplit(sizing, wanted)
  if (best === undefined || best.minReturn < wanted) return { most: best }
  for (let round = 0; round < MOST_TRIMS; round += 1) {
    best = smallestOf(query, reducedInput(sizing, best, wanted), wanted, terms.slippageBps)
    if (isSpent(query.budget)) break
    const repeated = splitOf(sizing, best.input.amount)
    if (repeated === undefined || repeated.minReturn <= best.minReturn) break
    best = repeated
  }
  return { split: best }
}

/** Fractions of the maximum output that grid splits can still come near. */
const NEAR_THE_END = [0.98, 0.9, 0.75, 0.5, 0.25]

/** Inputs for which a grid split is looked for, as multiples of what the continuous optimum needs. */
const EXCESS_FACTORS = [1.0005, 1.005, 1.02, 1.1, 1.3, 1.7, 2.5, 4]

/** Sizes in a row that pay no more, after which larger ones are left alone. */
const MOST_MISSES = 2

/** A split that demands enough, or the one found that demands most. */
function firstSufficientSplit(sizing: Sizing, wanted: bigint): Split | undefined {
  const { query, terms } = sizing
  const gross = grossOf(query, wanted, terms.slippageBps)
  const curve = curveUpTo(sizing, gross)
  const needs = inputOn(curve, gross)
  if (needs === undefined) return nearTheEnd(sizing, curve, wanted)
  const split = splitAbove(sizing, needs, wanted)
  if (split !== undefined && split.minReturn >= wanted) return split
  const largest = nearTheEnd(sizing, curveUpTo(sizing, Number.POSITIVE_INFINITY), wanted)
  return split !== undefined && split.minReturn >= (largest?.minReturn ?? 0n) ? split : largest
}

/** The total output of all paths by size, up to this amount. */
const curveUpTo = ({ query }: Sizing, gross: number): readonly FlowPoint[] =>
  withShare(query.budget, SIZED, () =>
    flowCurve(residualNetwork(query), Number(MAX_UINT128), gross),
  )

/** As `firstEnough`, for sizes that all paths together still take. */
function nearTheEnd(
  sizing: Sizing,
  curve: readonly FlowPoint[],
  wanted: bigint,
): Split | undefined {
  const { paid } = curve.at(-1)!
  const inputs = NEAR_THE_END.map((share) => inputOn(curve, paid * share) ?? 0)
  return firstEnough(sizing, inputs, wanted)
}

/** As `firstEnough`, from what one path needs on, or else from what the continuous optimum needs. */
function splitAbove(sizing: Sizing, needs: number, wanted: bigint): Split | undefined {
  const { query, terms } = sizing
  const single = withShare(
    query.budget,
    SIZED,
    () => smallestSize(query, 1n, wanted, terms.slippageBps)?.amount,
  )
  if (single !== undefined) {
    const split = splitOf(sizing, single)
    if (split !== undefined && split.minReturn >= wanted) return split
    // Legs round their demands down one by one, so that together they may lack an atomic each.
    const slightlyLarger = splitOf(sizing, single + single / 1_000_000n + 1n)
    if (slightlyLarger !== undefined && slightlyLarger.minReturn >= wanted) return slightlyLarger
  }
  const largerInputs = EXCESS_FACTORS.map((factor) => needs * factor)
  return firstEnough(sizing, largerInputs, wanted)
}

/** The first split in a row of sizes that demands enough, or the one that demands most. */
function firstEnough(
  sizing: Sizing,
  amounts: readonly number[],
  wanted: bigint,
): Split | undefined {
  let best: Split | undefined
  let misses = 0
  for (const each of amounts) {
    const amount = BigInt(Math.ceil(Math.min(each, Number(MAX_UINT128))))
    const split = amount > 0n && amount <= MAX_UINT128 ? splitOf(sizing, amount) : undefined
    if (split !== undefined && (best === undefined || split.minReturn > best.minReturn)) {
      best = split
      misses = 0
    } else if (best !== undefined) misses += 1
    if (isSpent(sizing.query.budget)) break
    if (misses >= MOST_MISSES || (best !== undefined && best.minReturn >= wanted)) break
  }
  return best
}

/** Floats are off by less than this factor. */
const SLACK = 1 - 1e-6
/** The rounding of legs is off by less. */
const ATOMICS = 64

/** What legs have to pay together before the router's fees, about and rather too little. */
function grossOf(query: PathQuery, wanted: bigint, slippageBps: number): number {
  const { graph, to } = query
  const gross = Number(leastGross(query, wanted, slippageBps))
  return gross * SLACK - Number(graph.routerBalances[to]!) - ATOMICS
}

/** The input for which a curve pays so much; none where it never does. */
function inputOn(curve: readonly FlowPoint[], paid: number): number | undefined {
  const end = curve.findIndex((point) => point.paid >= paid)
  if (end < 0) return undefined
  if (end === 0) return 1
  const [a, b] = [curve[end - 1]!, curve[end]!]
  return a.sold + ((b.sold - a.sold) * (paid - a.paid)) / (b.paid - a.paid)
}

/** Smaller and smaller inputs that still pay enough: the less is sold, the better is the price. */
function reducedInput(sizing: Sizing, start: Split, wanted: bigint): Split {
  let best = start
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (isSpent(sizing.query.budget)) break
    const { amount } = best.input
    const next = (amount * wanted) / best.minReturn + 1n
    if (next >= amount || amount - next <= amount / 10_000_000n) break
    const split = splitOf(sizing, next)
    if (split === undefined || split.minReturn < wanted) break
    best = split
  }
  return best
}

/** The same paths and shares with the smallest input that pays enough, by bisection. */
function smallestOf(query: PathQuery, split: Split, wanted: bigint, slippageBps: number): Split {
  const books = split.legs.map(({ route }) => route.hops.map(({ book }) => book))
  const fractions = split.legs.map(({ fraction }) => fraction)
  const attempt = (amount: bigint): Split | undefined => {
    const shares = fractions
      .slice(0, -1)
      .map(({ numerator, denominator }) => (amount * numerator) / denominator)
    const rest = amount - shares.reduce((sum, share) => sum + share, 0n)
    const amounts = [...shares, rest]
    if (amounts.some((share) => share <= 0n)) return undefined
    const legs = books.map((each, i) => ({ books: each, amount: amounts[i]! }))
    const input = { denom: split.input.denom, amount }
    const outcome = splitAlong(query, input, legs, slippageBps, fractions)
    return isFailed(outcome) || outcome.minReturn < wanted ? undefined : outcome
  }
  let best = split
  let low = (split.input.amount * wanted) / split.minReturn / 2n
  // Where a small share pays most of the output, much less is enough.
  for (let smaller = attempt(low); smaller !== undefined; smaller = attempt(low)) {
    best = smaller
    low /= 2n
  }
  while (best.input.amount - low > 1n && !isSpent(query.budget)) {
    const middle = (best.input.amount + low) / 2n
    const outcome = attempt(middle)
    if (outcome === undefined) low = middle
    else best = outcome
  }
  return best
}

/** The largest size of a refusal is within one part in this many of the largest that splits are found for. */
const PRECISION = 100n

/**
 * The largest input found below one that no split takes, to a hundredth, with its split: at least what a
 * single path takes. What the continuous optimum leaves unsold is not tried: a split that takes some of it
 * exists in one demo pair of four, mostly for up to 2 % more, at a loss of nearly all of that.
 *
 * @param placed input atomics of the refused one that the continuous optimum sells
 */
export function largestSplit(
  query: PathQuery,
  refused: Coin,
  placed: number,
  terms: SplitTerms,
): Split | undefined {
  const sizing: Sizing = { query, denom: refused.denom, terms }
  const single = withShare(query.budget, SIZED, () => largestBelow(query, refused.amount))
  if (single === undefined) return undefined
  let low = single.amount
  let high = BigInt(Math.floor(placed * (1 - 1e-9))) + 1n
  withShare(query.budget, BRACKETED, () => {
    for (let round = 0; high - low > low / PRECISION + 1n && !isSpent(query.budget); round += 1) {
      const middle = round === 0 ? high - 1n : (low + high) / 2n
      if (isTaken(sizing, middle)) low = middle
      else high = middle
    }
  })
  return splitOf(sizing, low) ?? splitOf(sizing, single.amount)
}
