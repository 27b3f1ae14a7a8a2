import type { Affiliate } from '../market/market.js'
import { isRefusal, type RefusalReason } from '../market/refusal.js'
import { payoutOf, quoteHop } from '../market/router.js'
import { MAX_UINT128 } from '../math/uint.js'
import { routeAlong } from './find-routes.js'
import type { Edge } from './graph.js'
import { envelopeAlong, envelopeMemo, envelopeOutput } from './monotone-envelope.js'
import { FLOAT_SLACK } from './output-bound.js'
import type { Limits, PathQuery } from './query.js'
import { FILL, rankPaths } from './rank-paths.js'
import { byCost, minReturnOf, type Route } from './route.js'
import { visitPaths } from './visit-paths.js'
import { isSpent } from './work-budget.js'

/** An amount, and what the best path pays for it. */
export type SizedRoute = { readonly amount: bigint; readonly output: bigint }

/** Larger amounts exceed 128 bits when multiplied by 10^18 (docs/venues.md#arithmetic-aborts). */
const LARGEST = MAX_UINT128 / 10n ** 18n

/** What an exact-out search found: the input, or the most that any path takes. */
export type ExactOut = { readonly input: bigint } | { readonly largest: SizedRoute | undefined }

/**
 * The smallest input whose `min_return` is at least `wanted`. The best output over all paths drops
 * where a good book ends, so each path is searched separately: by bisection on its output, ignoring
 * refusals, then upwards past the refusals. A path that cannot beat the best input found is skipped
 * after one evaluation. Where tied makers pay an atomic less for a larger offer (docs/maths.md#laws),
 * the input may be that much above the smallest.
 */
export function inputFor(query: PathQuery, wanted: bigint, slippageBps: number): ExactOut {
  const found = smallestInputFor(query, wanted, slippageBps)
  return found === undefined ? { largest: largestBelow(query, LARGEST) } : { input: found }
}

/** As `inputFor`, without the most that a path takes where none pays so much. */
export const smallestInputFor = (query: PathQuery, wanted: bigint, slippageBps: number) =>
  smallest(query, 1n, wanted, slippageBps)

/**
 * The routes that need the least input for an output, each quoted for its own input, the cheapest first:
 * for the same input the highest output first, then by id. A path that cannot pay the output is left out.
 *
 * @param input what `inputFor` found
 * @param count routes that are returned; twice as many of the best for `input` are sized
 */
export function routesForOutput(
  query: PathQuery,
  {
    input,
    wanted,
    count,
  }: { readonly input: bigint; readonly wanted: bigint; readonly count: number },
  terms: { readonly limits: Limits; readonly slippageBps: number },
): readonly Route[] {
  const { slippageBps } = terms
  const { market, denoms } = query.graph
  const range = { from: input, last: LARGEST, gross: leastGross(query, wanted, slippageBps) }
  const isEnough = (output: bigint) => minReturnOf(output, slippageBps) >= wanted
  const routes = rankPaths(query, input, 2 * count).found.flatMap(({ edges }) => {
    const amount = smallestOn(query, edges, range, isEnough)
    if (amount === undefined) return []
    const books = edges.map(({ book }) => book)
    const route = routeAlong(market, books, { denom: denoms[query.from]!, amount }, terms)
    return isRefusal(route) ? [] : [route]
  })
  return routes.sort(byCost).slice(0, count)
}

/** The smallest amount above one that no path takes, if there is any. */
export const smallestAbove = (query: PathQuery, refused: bigint): SizedRoute | undefined =>
  sized(query, smallest(query, refused + 1n, 1n, 0))

/** The largest amount below one that no path takes, if there is any. */
export function largestBelow(query: PathQuery, refused: bigint): SizedRoute | undefined {
  let best = 0n
  const along = envelopeMemo(query)
  visitPaths(query, {
    wanted: Number(leastGross(query, 1n, 0)),
    isHopeless: (least) => least >= Number(refused),
    // What a hop does not take of the best input so far, it takes of no larger one.
    canPass: (edges) => best + 1n < refused && along(edges, best + 1n).taken,
    value: roughDepths(query),
    visit: (edges) => {
      const amount = largestOn(query, edges, best + 1n, refused - 1n)
      if (amount !== undefined) best = amount
    },
  })
  return sized(query, best === 0n ? undefined : best)
}

function sized(query: PathQuery, amount: bigint | undefined): SizedRoute | undefined {
  const best = amount === undefined ? undefined : rankPaths(query, amount, 1).found[0]
  return best && { amount: amount!, output: best.output }
}

function smallest(
  query: PathQuery,
  from: bigint,
  wanted: bigint,
  slippageBps: number,
): bigint | undefined {
  const gross = leastGross(query, wanted, slippageBps)
  const { graph, to } = query
  const along = envelopeMemo(query)
  let best: bigint | undefined
  visitPaths(query, {
    wanted: Number(gross),
    isHopeless: (least) => best !== undefined && least > Number(best),
    canPass: (edges, onward) => {
      // What a hop does not take, it takes of no larger input; a smaller one has to pay enough.
      if (best === undefined) return along(edges, from).taken
      const arrived = along(edges, best - 1n).gross
      if (edges.at(-1)!.to === to) return arrived + graph.routerBalances[to]! >= gross
      const most = Number(arrived) * onward.rate + onward.extra
      return most * FLOAT_SLACK >= Number(gross)
    },
    visit: (edges, least) => {
      // A gallop that starts at the bound does not run past what a thin maker's ladder has to answer.
      const bound = Number.isFinite(least) && least > 1 ? BigInt(Math.floor(least)) : 1n
      const start = bound > from ? bound : from
      const last = best === undefined ? LARGEST : best - 1n
      const input = smallestOn(
        query,
        [...edges],
        { from: start, last, gross },
        (output) => minReturnOf(output, slippageBps) >= wanted,
      )
      if (input !== undefined) best = input
    },
  })
  return best
}

/** The smallest output of a last hop whose `min_return`, after the router's fees, is enough. */
function leastGross(query: PathQuery, wanted: bigint, slippageBps: number): bigint {
  const enough = (gross: bigint): boolean => {
    const division = payoutOf(query.graph.market.router, gross, query.limits.affiliate)
    if (isRefusal(division) || division.recipient === 0n) return false
    return minReturnOf(division.recipient, slippageBps) >= wanted
  }
  let high = wanted
  while (!enough(high) && high < MAX_UINT128) high *= 2n
  let least = lastFalse(0n, high, enough) + 1n
  // Two fees rounded in one step may take back an atomic, so enough is not enough for ever.
  for (let below = least - 1n; below > 0n && below >= least - 4n; below -= 1n)
    if (enough(below)) least = below
  return least
}

type Range = { readonly from: bigint; readonly last: bigint; readonly gross: bigint }

/** The smallest input of a range that a path takes and that pays enough. */
function smallestOn(
  query: PathQuery,
  edges: readonly Edge[],
  { from, last, gross }: Range,
  isEnough: (output: bigint) => boolean,
): bigint | undefined {
  const { graph, limits } = query
  const end = edges.at(-1)!
  const arbitrage = end.book.afterArbitrage()
  if (isRefusal(arbitrage)) return undefined
  // The arbitrage step may leave a maker with more to pay out than it had.
  if (!arbitrage.changed && end.book.depth(end.side) + graph.routerBalances[end.to]! < gross)
    return undefined
  const reaches = (size: bigint) => envelopeOutput(query, edges, size).gross >= gross
  // Behind a book that hands something back more input changes nothing.
  const start = firstFrom(from, last, reaches, (size) => !envelopeOutput(query, edges, size).taken)
  if (start === undefined) return undefined
  let size: bigint | undefined = start
  for (let tries = 0; size !== undefined && !isSpent(query.budget); tries += 1) {
    const outcome = attempt(query, edges, size, limits.affiliate)
    if ('output' in outcome && isEnough(outcome.output)) return size
    const now = size
    if ('lack' in outcome) {
      const before = edges.slice(0, outcome.hop)
      const needed = outcome.offer + outcome.lack - graph.routerBalances[edges[outcome.hop]!.from]!
      size = firstFrom(now + 1n, last, (each) => envelopeAlong(query, before, each).gross >= needed)
    } else if ('refused' in outcome) {
      // Dust refusals end with a few more atomics; a book that is too small has no more to give.
      if (outcome.refused === 'beyond_depth') return undefined
      const step = tries < 64 ? 1n : 1n << BigInt(Math.min(tries - 63, 64))
      size = now + step <= last ? now + step : undefined
    } else {
      const more = envelopeOutput(query, edges, now).gross + 1n
      size = firstFrom(now + 1n, last, (each) => envelopeOutput(query, edges, each).gross >= more)
    }
  }
  return undefined
}

type PathOutcome =
  | { readonly output: bigint }
  | { readonly refused: RefusalReason }
  | { readonly lack: bigint; readonly hop: number; readonly offer: bigint }

/** What an execution over a path pays the recipient, or what stops it. */
function attempt(
  { graph, budget }: PathQuery,
  edges: readonly Edge[],
  amount: bigint,
  affiliate: Affiliate | undefined,
): PathOutcome {
  budget.spent += edges.length * FILL
  let gross = amount
  for (const [hop, edge] of edges.entries()) {
    const offer = gross + graph.routerBalances[edge.from]!
    const filled = quoteHop(edge.book, { denom: graph.denoms[edge.from]!, amount: offer })
    if (isRefusal(filled))
      return filled.lack === undefined
        ? { refused: filled.refused }
        : { lack: filled.lack, hop, offer }
    gross = filled.output.amount
  }
  const division = payoutOf(
    graph.market.router,
    gross + graph.routerBalances[edges.at(-1)!.to]!,
    affiliate,
  )
  if (isRefusal(division)) return { refused: division.refused }
  return division.recipient === 0n ? { refused: 'zero_output' } : { output: division.recipient }
}

/**
 * The first of a range for which something holds that holds from there on, galloping from below;
 * none where it is over before that.
 */
function firstFrom(
  from: bigint,
  last: bigint,
  holds: (size: bigint) => boolean,
  isOver: (size: bigint) => boolean = () => false,
): bigint | undefined {
  if (from > last) return undefined
  if (holds(from)) return from
  let low = from
  for (let step = 1n; ; step *= 2n) {
    const high = from + step < last ? from + step : last
    if (holds(high)) return lastFalse(low, high, holds) + 1n
    if (high === last || isOver(high)) return undefined
    low = high
  }
}

/**
 * About how much each edge takes with what leads on from it, by its capacity and best price: for the order
 * of a search only.
 */
function roughDepths({ graph, to, limits }: PathQuery): (edge: Edge, hopsLeft: number) => number {
  const depths = [new Float64Array(graph.denoms.length)]
  depths[0]![to] = Number.POSITIVE_INFINITY
  const through = ({ capacity, bound, to: next }: Edge, hopsLeft: number): number =>
    Math.min(capacity, bound.rate === 0 ? 0 : depths[hopsLeft]![next]! / bound.rate)
  for (let hops = 1; hops < limits.maxHops; hops += 1) {
    const before = depths[hops - 1]!
    depths.push(
      before.map((known, at) =>
        graph.leaving[at]!.reduce((most, edge) => Math.max(most, through(edge, hops - 1)), known),
      ),
    )
  }
  return through
}

/** The largest input of a range that a path takes. */
function largestOn(
  query: PathQuery,
  edges: readonly Edge[],
  from: bigint,
  last: bigint,
): bigint | undefined {
  if (from > last) return undefined
  const { limits } = query
  const fits = (size: bigint) => envelopeOutput(query, edges, size).taken
  if (!fits(from)) return undefined
  let [low, high] = [from, from]
  for (; high < last && fits(high); high = high * 2n < last ? high * 2n : last) low = high
  const most = fits(high) ? high : lastFalse(low, high, (size) => !fits(size))
  const works = (size: bigint) => 'output' in attempt(query, edges, size, limits.affiliate)
  if (works(most)) return most
  for (let step = 1n; ; step *= 2n) {
    const size = most - step > from ? most - step : from
    if (works(size)) return lastFalse(size, most, (each) => !works(each))
    if (size === from) return undefined
  }
}

/** Between `low`, where something does not hold, and `high`, where it does: the last that does not. */
function lastFalse(low: bigint, high: bigint, holds: (size: bigint) => boolean): bigint {
  let [no, yes] = [low, high]
  while (yes - no > 1n) {
    const middle = (yes + no) / 2n
    if (holds(middle)) yes = middle
    else no = middle
  }
  return no
}
