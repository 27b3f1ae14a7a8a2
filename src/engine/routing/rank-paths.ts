import { type Fill, quoteBook } from '../market/book.js'
import { isRefusal, type Refusal, type RefusalReason, refusal } from '../market/refusal.js'
import { payoutOf } from '../market/router.js'
import type { Coin } from '../market/token.js'
import type { Edge, OutputBound } from './graph.js'
import { FLOAT_SLACK } from './output-bound.js'
import { boundOf, isSpent, keptShare, leadsOn, type PathQuery } from './query.js'

/** A path with its exact integer fills for one amount. */
export type RankedPath = {
  readonly edges: readonly Edge[]
  readonly fills: readonly Fill[]
  /** Output of the last hop plus the router's own balance, before the router's fees. */
  readonly gross: bigint
  /** The recipient's payout. */
  readonly output: bigint
}

/** A path, or its beginning, that an execution refuses. */
export type RejectedPath = { readonly edges: readonly Edge[]; readonly refusal: Refusal }

/** The best paths of a search, best first, and what was looked at. */
export type PathRanking = {
  readonly found: readonly RankedPath[]
  /** Complete paths that were filled. */
  readonly examined: number
  /** Hops that were refused on the way, in the order of the search. */
  readonly rejected: readonly RejectedPath[]
}

/**
 * The `count` best simple paths for an amount in input atomics, the highest recipient output first,
 * ties in the order of the pairs' addresses. Exact: depth first with integer fills, cutting a
 * branch only where an upper bound on it (`outputBound`) is below the last path kept, so the list
 * equals that of an exhaustive search, unless the query's budget ends it.
 *
 * @param explains whether refusals met during the search are returned, in their order
 */
export function rankPaths(
  query: PathQuery,
  amount: bigint,
  count: number,
  explains = false,
): PathRanking {
  const search = newSearch(query, count, explains ? [] : undefined)
  visit(search, query.from, amount, query.limits.maxHops)
  return { found: search.found, examined: search.examined, rejected: search.rejected ?? [] }
}

type Search = {
  readonly query: PathQuery
  readonly count: number
  readonly bounds: OutputBound
  readonly visited: Uint8Array
  readonly edges: Edge[]
  readonly fills: Fill[]
  readonly found: RankedPath[]
  readonly rejected: RejectedPath[] | undefined
  /** Share of a gross output that reaches the recipient. */
  readonly keptShare: number
  examined: number
  /** Minimum output to enter the list. */
  minimum: number
}

function newSearch(query: PathQuery, count: number, rejected: RejectedPath[] | undefined): Search {
  const { graph, from } = query
  const visited = new Uint8Array(graph.denoms.length)
  visited[from] = 1
  return {
    query,
    count,
    bounds: boundOf(query),
    visited,
    edges: [],
    fills: [],
    found: [],
    rejected,
    keptShare: keptShare(query),
    examined: 0,
    minimum: 0,
  }
}

/** Units of work of one hop that is filled. */
export const FILL = 4

function visit(search: Search, at: number, amount: bigint, hopsLeft: number): void {
  const { query, visited, edges, fills } = search
  const { graph, to } = query
  const offer = { denom: graph.denoms[at]!, amount: amount + graph.routerBalances[at]! }
  for (const { edge, output } of promising(search, at, Number(offer.amount), hopsLeft)) {
    if (output < search.minimum || isSpent(query.budget)) break
    const fill = fillOf(search, edge, offer, hopsLeft)
    if (fill === undefined) continue
    edges.push(edge)
    fills.push(fill)
    if (edge.to === to) arrive(search, fill.bought + graph.routerBalances[to]!)
    else {
      visited[edge.to] = 1
      visit(search, edge.to, fill.bought, hopsLeft - 1)
      visited[edge.to] = 0
    }
    fills.pop()
    edges.pop()
  }
}

/** The fill of a hop that takes its whole offer and can lead on; otherwise notes what refuses it. */
function fillOf(search: Search, edge: Edge, offer: Coin, hopsLeft: number): Fill | undefined {
  const { query, rejected } = search
  const { amount } = offer
  if (rejected === undefined && !leadsOn(query, search, edge.to, hopsLeft - 1)) return undefined
  query.budget.spent += FILL
  if (rejected !== undefined) {
    const arbitrage = edge.book.afterArbitrage()
    if (isRefusal(arbitrage)) return reject(search, edge, arbitrage.refused, amount, arbitrage.why)
  }
  if (Number(amount) > edge.capacity) return reject(search, edge, 'beyond_depth', amount)
  const least = edge.to === query.to ? 0 : edge.minOutput(Number(amount))
  // Spares the walk through thousands of a thin maker's levels.
  if (least > 0 && !leadsOn(query, search, edge.to, hopsLeft - 1, least))
    return reject(search, edge, 'beyond_depth', amount, 'no book that leads on takes what it pays')
  const fill = quoteBook(edge.book, offer)
  if (isRefusal(fill)) return reject(search, edge, fill.refused, amount, fill.why)
  if (fill.unsold > 0n) return reject(search, edge, 'beyond_depth', amount)
  return fill.bought === 0n ? reject(search, edge, 'zero_output', amount) : fill
}

function reject(
  { rejected, edges }: Search,
  edge: Edge,
  refused: RefusalReason,
  offer: bigint,
  why?: string,
): undefined {
  if (rejected === undefined) return
  const { address } = edge.book.state.pair
  const reason =
    why ??
    (refused === 'zero_output'
      ? `${address} pays nothing for ${offer}`
      : `${address} takes less than ${offer}`)
  rejected.push({ edges: [...edges, edge], refusal: refusal(refused, reason) })
}

/** An edge with the most that the recipient can get over it. */
type Candidate = { readonly edge: Edge; readonly output: number }

/** Inserts an entry into a list sorted by output, the highest first, of which the first `count` are kept. */
export function insertBest<T extends { readonly output: number }>(
  list: T[],
  entry: T,
  count = Number.POSITIVE_INFINITY,
): void {
  let place = list.push(entry) - 1
  for (; place > 0 && list[place - 1]!.output < entry.output; place -= 1)
    list[place] = list[place - 1]!
  list[place] = entry
  if (list.length > count) list.pop()
}

/** The edges worth trying from a denom, the most promising first, so that the threshold rises early. */
function promising(
  search: Search,
  at: number,
  offer: number,
  hopsLeft: number,
): readonly Candidate[] {
  const { query, visited, bounds } = search
  // To report why nothing passes, refused paths are extended too.
  const leads = (search.rejected ? bounds.leadsToTarget : bounds.rate)[hopsLeft - 1]!
  const [rate, extra] = [bounds.rate[hopsLeft - 1]!, bounds.extra[hopsLeft - 1]!]
  const open: Candidate[] = []
  for (const edge of query.graph.leaving[at]!) {
    const { to } = edge
    if (visited[to] === 1 || leads[to] === 0 || !query.isAllowed(edge)) continue
    const gross = (offer * edge.bound.rate + edge.bound.extra) * rate[to]! + extra[to]!
    // Never too low: the floats' own error is added.
    const output = gross * search.keptShare * FLOAT_SLACK + 2
    if (output >= search.minimum) insertBest(open, { edge, output })
  }
  return open
}

function arrive(search: Search, gross: bigint): void {
  const { query, edges, fills, found, count } = search
  if (!query.isComplete(edges)) return
  search.examined += 1
  const payout = payoutOf(query.graph.market.router, gross, query.limits.affiliate)
  if (isRefusal(payout) || payout.recipient === 0n) {
    const why = isRefusal(payout)
      ? payout
      : refusal('zero_output', `fees leave nothing of ${gross}`)
    search.rejected?.push({ edges: [...edges], refusal: why })
    return
  }
  if (found.length === count && payout.recipient < found[count - 1]!.output) return
  const entry = { edges: [...edges], fills: [...fills], gross, output: payout.recipient }
  const place = found.findIndex((other) => precedes(entry, other))
  if (place < 0 && found.length === count) return
  found.splice(place < 0 ? found.length : place, 0, entry)
  if (found.length > count) found.pop()
  const last = found[count - 1]
  if (last !== undefined)
    search.minimum = Math.max(search.minimum, Number(last.output) / FLOAT_SLACK)
}

/** More output first; equal outputs in the order of their pairs' addresses. */
function precedes(a: RankedPath, b: RankedPath): boolean {
  if (a.output !== b.output) return a.output > b.output
  for (let i = 0; ; i += 1) {
    const [x, y] = [addressAt(a, i), addressAt(b, i)]
    if (x !== y) return x < y
    if (x === '') return false
  }
}

const addressAt = ({ edges }: RankedPath, i: number): string =>
  edges[i]?.book.state.pair.address ?? ''
