import { MAX_UINT128 } from '../math/decimal.js'
import type { Edge, SizedRoute, SizeLimits } from './graph.js'
import { heldBy } from './hop-size.js'
import { FLOAT_SLACK } from './output-bound.js'
import { envelopeMemo, largestOn, leastGross, outputOn, smallestOn } from './path-size.js'
import { boundOf, isSpent, leadsOn, type PathQuery } from './query.js'
import { rankPaths } from './rank-paths.js'
import { minReturnOf } from './route.js'
import type { SideBound } from './side-bound.js'

export type PathSize = { readonly amount: bigint; readonly edges: readonly Edge[] }

/** The least input that any path takes; none where no amount passes. Kept with the graph. */
export const leastInput = (query: PathQuery): bigint | undefined =>
  cachedLimit(query, 'least', () => smallestSize(query, 1n, 1n, 0)?.amount)

/** The most input that any path takes; none where no amount passes. Kept with the graph. */
export const mostInput = (query: PathQuery): SizedRoute | undefined =>
  cachedLimit(query, 'most', () => searchLargest(query, MAX_UINT128))

/**
 * The input for which a path pays the most, at the most input that this path takes; none where no amount passes. Kept
 * with the graph.
 */
export const mostOutput = (query: PathQuery): SizedRoute | undefined =>
  cachedLimit(query, 'mostPaid', () => searchMostPaid(query))

/** The result of a search that the graph keeps once it was complete. */
function cachedLimit<Name extends keyof SizeLimits>(
  query: PathQuery,
  name: Name,
  search: () => SizeLimits[Name],
): SizeLimits[Name] {
  const limits = keptOf(query)
  if (limits?.[name] !== undefined) return limits[name]
  const result = search()
  if (limits !== undefined && !query.budget.isCut) limits[name] = result
  return result
}

/** The largest amount below one that no path takes, if there is any. */
export function largestBelow(query: PathQuery, refused: bigint): SizedRoute | undefined {
  const most = keptOf(query)?.most
  return most !== undefined && most.amount < refused ? most : searchLargest(query, refused)
}

/**
 * The smallest amount above one that no path takes, if there is any.
 *
 * @param below what `largestBelow` found: kept as the most that any path takes where nothing larger passes
 */
export function smallestAbove(
  query: PathQuery,
  refused: bigint,
  below?: SizedRoute,
): SizedRoute | undefined {
  const limits = keptOf(query)
  if (limits?.most !== undefined && limits.most.amount <= refused) return undefined
  const smallest = smallestSize(query, refused + 1n, 1n, 0)
  const above = smallest && routeOfSize(query, smallest)
  if (limits !== undefined && above === undefined && !query.budget.isCut) limits.most = below
  return above
}

/** The cached limits of a query; `undefined` if it has limits other than its number of hops. */
function keptOf({ graph, from, to, limits }: PathQuery): SizeLimits | undefined {
  if (limits.via.length + limits.exclude.length > 0 || limits.affiliate !== undefined)
    return undefined
  const key = `${from} ${to} ${limits.maxHops}`
  const cached = graph.sizeLimits.get(key) ?? {}
  graph.sizeLimits.set(key, cached)
  return cached
}

function searchLargest(query: PathQuery, refused: bigint): SizedRoute | undefined {
  let best: PathSize | undefined
  const envelope = envelopeMemo(query)
  visitByLength(query, {
    wanted: Number(leastGross(query, 1n, 0)),
    isHopeless: (least) => least >= Number(refused),
    // A hop that refuses part of the best input so far refuses every larger input.
    canPass: (edges) => {
      const next = (best?.amount ?? 0n) + 1n
      return next < refused && envelope(edges, next).taken
    },
    value: roughDepths(query),
    visit: (edges) => {
      const amount = largestOn(query, edges, (best?.amount ?? 0n) + 1n, refused - 1n)
      if (amount !== undefined) best = { amount, edges: [...edges] }
    },
  })
  return best && routeOfSize(query, best)
}

function searchMostPaid(query: PathQuery): SizedRoute | undefined {
  let best: (PathSize & { readonly output: bigint }) | undefined
  visitByLength(query, {
    wanted: Number(leastGross(query, 1n, 0)),
    // What comes out of these hops, however much is sold, and what the rest of a path pays for it at most.
    canPass: (edges, onward) => {
      const most = mostBehind(query, edges) * onward.rate + onward.extra
      return most * FLOAT_SLACK > Number(best?.output ?? 0n)
    },
    value: roughDepths(query),
    visit: (edges) => {
      const amount = largestOn(query, edges, 1n, MAX_UINT128)
      const output = amount === undefined ? undefined : outputOn(query, edges, amount)
      if (output !== undefined && output > (best?.output ?? 0n))
        best = { amount: amount!, edges: [...edges], output }
    },
  })
  return best && routeOfSize(query, best)
}

/** An upper bound on what some hops pay, by their prices and by what their books hold. */
function mostBehind({ graph }: PathQuery, edges: readonly Edge[]): number {
  let most = Number.POSITIVE_INFINITY
  for (const edge of edges) {
    const { bound, from } = edge
    const priced = (most + Number(graph.routerBalances[from]!)) * bound.rate + bound.extra
    const held = heldBy(edge)
    most = (held === undefined ? priced : Math.min(priced, Number(held))) * FLOAT_SLACK
  }
  return most
}

/** An amount with what the best path pays; where the budget ends before that is known, with what one pays. */
function routeOfSize(query: PathQuery, { amount, edges }: PathSize): SizedRoute | undefined {
  const [best] = rankPaths(query, amount, 1).found
  const output = best?.output ?? outputOn(query, edges, amount)
  return output === undefined ? undefined : { amount, output }
}

/** Hops of the paths that are searched first: their capacity bounds the search of longer ones. */
const SHORT = 2

/** Visits the short paths of a query, then all. */
function visitByLength(query: PathQuery, visit: PathVisit): void {
  const { limits } = query
  // Fees that leave nothing of any output.
  if (visit.wanted >= Number(MAX_UINT128)) return
  if (limits.maxHops > SHORT) visitPaths({ ...query, limits: { ...limits, maxHops: SHORT } }, visit)
  visitPaths(query, visit)
}

/** The smallest input from one on whose `min_return` is at least `wanted`; none where no path pays that. */
export function smallestSize(
  query: PathQuery,
  from: bigint,
  wanted: bigint,
  slippageBps: number,
): PathSize | undefined {
  const gross = leastGross(query, wanted, slippageBps)
  const { graph, to } = query
  const envelope = envelopeMemo(query)
  let best: PathSize | undefined
  visitByLength(query, {
    wanted: Number(gross),
    isHopeless: (least) => best !== undefined && least > Number(best.amount),
    canPass: (edges, onward) => {
      // A hop that refuses an input refuses every larger one; a smaller one has to pay enough.
      if (best === undefined) return envelope(edges, from).taken
      const { gross: arrived, aborts } = envelope(edges, best.amount - 1n)
      if (aborts) return true
      if (edges.at(-1)!.to === to) return arrived + graph.routerBalances[to]! >= gross
      const most = Number(arrived) * onward.rate + onward.extra
      return most * FLOAT_SLACK >= Number(gross)
    },
    visit: (edges, least) => {
      // A gallop that starts at the bound does not run past what a thin maker's ladder has to answer.
      const bound = Number.isFinite(least) && least > 1 ? BigInt(Math.floor(least)) : 1n
      const start = bound > from ? bound : from
      const last = best === undefined ? MAX_UINT128 : best.amount - 1n
      const amount = smallestOn(
        query,
        [...edges],
        { from: start, last, gross },
        (output) => minReturnOf(output, slippageBps) >= wanted,
      )
      if (amount !== undefined) best = { amount, edges: [...edges] }
    },
  })
  return best
}

/**
 * About how much each edge takes with what leads on from it, by its capacity and best price: for the order
 * of a search only.
 */
function roughDepths({ graph, to, limits }: PathQuery): (edge: Edge, hopsLeft: number) => number {
  const depths = [new Float64Array(graph.denoms.length)]
  depths[0]![to] = Number.POSITIVE_INFINITY
  const capacityThrough = ({ capacity, bound, to: next }: Edge, hopsLeft: number): number =>
    Math.min(capacity, bound.rate === 0 ? 0 : depths[hopsLeft]![next]! / bound.rate)
  for (let hops = 1; hops < limits.maxHops; hops += 1) {
    const previous = depths[hops - 1]!
    depths.push(
      previous.map((capacity, at) =>
        graph.leaving[at]!.reduce(
          (most, edge) => Math.max(most, capacityThrough(edge, hops - 1)),
          capacity,
        ),
      ),
    )
  }
  return capacityThrough
}

/** Options of a visit of paths: filters and order. */
type PathVisit = {
  /** Output that paths are to pay, before the router's fees; 0 for any. */
  readonly wanted: number
  /** Whether a beginning that needs at least this input can be dropped. */
  readonly isHopeless?: (least: number) => boolean
  /** Whether a beginning is worth following, of whose output at most `onward` arrives. Called depth first. */
  readonly canPass: (edges: readonly Edge[], onward: SideBound) => boolean
  /** Edges with a higher value come first; without it those that need less input. */
  readonly value?: (edge: Edge, hopsLeft: number) => number
  /** A whole path, and a lower bound of the input that it needs for `wanted`. */
  readonly visit: (edges: readonly Edge[], least: number) => void
}

/** An edge that may be followed: bounds of what arrives behind it, and of the input that it needs. */
type Step = {
  readonly edge: Edge
  readonly onward: SideBound
  readonly rateBehind: number
  readonly extraBehind: number
  readonly least: number
  readonly order: number
}

/** Units of work of one edge that is looked at. */
const EDGE = 0.3

/** Simple paths of a query, depth first, without filling any, until the query's budget ends. */
function visitPaths(
  query: PathQuery,
  { wanted, isHopeless = () => false, canPass, value, visit }: PathVisit,
): void {
  const { graph, from, to, limits, isAllowed } = query
  const bounds = boundOf(query)
  const visited = new Uint8Array(graph.denoms.length)
  visited[from] = 1
  const path: Edge[] = []

  /** An input `x` is at most `rate × x + extra` when it arrives here. */
  function step(at: number, rate: number, extra: number, hopsLeft: number): void {
    const held = Number(graph.routerBalances[at]!)
    const next: Step[] = []
    for (const edge of graph.leaving[at]!) {
      const rateOnward = bounds.rate[hopsLeft - 1]![edge.to]!
      if (visited[edge.to] === 1 || rateOnward === 0 || !isAllowed(edge)) continue
      if (!leadsOn(query, { bounds, visited }, edge.to, hopsLeft - 1)) continue
      const onward = { rate: rateOnward, extra: bounds.extra[hopsLeft - 1]![edge.to]! }
      const rateBehind = rate * edge.bound.rate
      const extraBehind = (extra + held) * edge.bound.rate + edge.bound.extra
      const lacking = wanted - onward.rate * extraBehind - onward.extra
      const bound = (lacking / (onward.rate * rateBehind)) * (1 - 1e-9) - 2
      const least = Number.isNaN(bound) ? Number.POSITIVE_INFINITY : bound
      const order = value ? -value(edge, hopsLeft - 1) : least
      next.push({ edge, onward, rateBehind, extraBehind, least, order })
    }
    query.budget.spent += graph.leaving[at]!.length * EDGE
    next.sort((x, y) => x.order - y.order)
    for (const { edge, onward, rateBehind, extraBehind, least } of next) {
      if (isSpent(query.budget)) break
      if (isHopeless(least)) {
        if (value === undefined) break
        continue
      }
      path.push(edge)
      if (edge.to === to) {
        if (query.isComplete(path) && canPass(path, onward)) visit(path, least)
      } else if (hopsLeft > 1 && canPass(path, onward)) {
        visited[edge.to] = 1
        step(edge.to, rateBehind, extraBehind, hopsLeft - 1)
        visited[edge.to] = 0
      }
      path.pop()
    }
  }
  step(from, 1, 0, limits.maxHops)
}
