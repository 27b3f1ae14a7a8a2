import type { Denom } from '../../market/token.js'
import { MAX_UINT128 } from '../../math/uint.js'
import type { Query } from '../query.js'
import { rankPaths } from '../ranked.js'
import { inputFor, largestBelow } from '../size.js'
import { fieldOf } from './field.js'
import { findSplit, type SplitTerms } from './find.js'
import { bestFlow } from './flow.js'
import { isRefused, splitAlong } from './given.js'
import type { Split } from './split.js'

/** Amounts above leave 128 bits once multiplied by 10^18. */
const LARGEST = MAX_UINT128 / 10n ** 18n

/** Divisions that one search for a size may look for. */
const MOST_ROUNDS = 14

/** How often a trimmed division is looked at again, since another may do with less. */
const MOST_TRIMS = 3

/** What an exact-out search found: the division, or the one that pays most. */
export type SplitOut = { readonly split: Split } | { readonly most: Split | undefined }

type Sizing = {
  readonly query: Query
  readonly denom: Denom
  readonly terms: SplitTerms
}

const splitOf = ({ query, denom, terms }: Sizing, amount: bigint): Split | undefined =>
  findSplit(query, { denom, amount }, { ...terms, frontier: false }).splits[0]

/**
 * A division whose legs demand at least `wanted` together, of an input as small as can be found: from
 * an input that is enough downwards, each step in proportion to what is too much, then to the atomic
 * for the division found. Another division may do with a few atomics less.
 */
export function splitFor(query: Query, denom: Denom, wanted: bigint, terms: SplitTerms): SplitOut {
  const sizing: Sizing = { query, denom, terms }
  let best = enough(sizing, wanted)
  if (best === undefined || best.minReturn < wanted) return { most: best }
  for (let round = 0; round < MOST_TRIMS; round += 1) {
    best = trimmed(query, lowered(sizing, best, wanted), wanted, terms.slippageBps)
    const again = splitOf(sizing, best.input.amount)
    if (again === undefined || again.minReturn <= best.minReturn) break
    best = again
  }
  return { split: best }
}

/** A division that demands enough, or the one found that demands most. */
function enough(sizing: Sizing, wanted: bigint): Split | undefined {
  const { query, terms } = sizing
  const single = inputFor(query, wanted, terms.slippageBps)
  if ('input' in single) {
    const split = splitOf(sizing, single.input)
    if (split !== undefined && split.minReturn >= wanted) return split
    // Legs round their demands down one by one, so that together they may lack an atomic each.
    const more = splitOf(sizing, single.input + single.input / 1_000_000n + 1n)
    if (more !== undefined && more.minReturn >= wanted) return more
  }
  // What all paths together pay falls again where only bad ones take more, so sizes are tried upwards.
  let best: Split | undefined
  for (let amount = startFor(query), misses = 0; misses < 4; amount += amount / 2n) {
    const split = amount > LARGEST ? undefined : splitOf(sizing, amount)
    if (split === undefined || (best !== undefined && split.minReturn <= best.minReturn))
      misses += 1
    else best = split
    if (best !== undefined && best.minReturn >= wanted) return best
  }
  return best
}

/**
 * The first input, each twice the one before, for which a single path pays half of the most that any
 * pays: beyond it a path may go on for long on what is left of its books, where divisions pay less.
 */
function startFor(query: Query): bigint {
  const sizes: { readonly amount: bigint; readonly output: bigint }[] = []
  for (let amount = 2n; amount <= LARGEST; amount *= 2n) {
    const [found] = rankPaths(query, amount, 1).found
    if (found !== undefined) sizes.push({ amount, output: found.output })
  }
  const most = sizes.reduce((best, { output }) => (output > best ? output : best), 0n)
  return sizes.find(({ output }) => output * 2n >= most)?.amount ?? 2n
}

/** Smaller and smaller inputs that still pay enough: the less is sold, the better is the price. */
function lowered(sizing: Sizing, start: Split, wanted: bigint): Split {
  let best = start
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { amount } = best.input
    const next = (amount * wanted) / best.minReturn + 1n
    if (next >= amount || amount - next <= amount / 10_000_000n) break
    const split = splitOf(sizing, next)
    if (split === undefined || split.minReturn < wanted) break
    best = split
  }
  return best
}

/** The same division of the smallest input that pays enough, by bisection. */
function trimmed(query: Query, split: Split, wanted: bigint, slippageBps: number): Split {
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
    return isRefused(outcome) || outcome.minReturn < wanted ? undefined : outcome
  }
  let best = split
  let low = (split.input.amount * wanted) / split.minReturn / 2n
  while (best.input.amount - low > 1n) {
    const middle = (best.input.amount + low) / 2n
    const outcome = attempt(middle)
    if (outcome === undefined) low = middle
    else best = outcome
  }
  return best
}

/**
 * The largest input below one that no division takes, to a thousandth, with its division. Starts at what
 * a single path takes; no more than the flow of all paths together can be divided.
 */
export function largestSplit(
  query: Query,
  denom: Denom,
  refused: bigint,
  terms: SplitTerms,
): Split | undefined {
  const sizing: Sizing = { query, denom, terms }
  const single = largestBelow(query, refused)
  if (single === undefined) return undefined
  let best = splitOf(sizing, single.amount)
  if (best === undefined) return undefined
  const { sold } = bestFlow(fieldOf(query), Number(refused))
  const flow = BigInt(Math.floor(Math.min(sold * (1 - 1e-9), 2 ** 128)))
  let high = flow < refused ? flow + 1n : refused
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { amount } = best.input
    if (high - amount <= amount / 1_000n + 1n) break
    const middle = round === 0 ? high - 1n : (amount + high) / 2n
    const split = splitOf(sizing, middle)
    if (split === undefined) high = middle
    else best = split
  }
  return best
}
