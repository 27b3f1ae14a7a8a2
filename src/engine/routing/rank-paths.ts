import { quoteBook } from '../market/book.js'
import { type GasHop, gasFee, messageGas } from '../market/gas.js'
import { isRefusal, type Refusal, refusal } from '../market/refusal.js'
import { type Hop, hopOf, payoutOf, refusedHop } from '../market/router.js'
import type { Coin, Denom } from '../market/token.js'
import type { Edge, Graph, OutputBound } from './graph.js'
import { FLOAT_SLACK } from './output-bound.js'
import {
  boundOf,
  isSpent,
  keptShare,
  leadsOn,
  openLimits,
  type PathQuery,
  queryOf,
} from './query.js'

/** A path filled in integers for one amount. */
export type RankedPath = {
  readonly edges: readonly Edge[]
  readonly hops: readonly Hop[]
  /** The recipient's payout. */
  readonly output: bigint
  /** The payout less what the gas of the message costs. */
  readonly net: bigint
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

/** Gas of a usual transaction. */
const USUAL_GAS = 1_000_000n

/** Hops of the path that a fee is valued over. */
const FEE_HOPS = 3

/**
 * Atomics of a denom that a unit of gas costs, by what the fee of a usual transaction buys of it. 0 where gas is free,
 * or where the fee's denom buys none.
 */
function gasWorth(graph: Graph, denom: Denom): number {
  const { gasWorths, market } = graph
  const fee = gasFee(market.gas, USUAL_GAS)
  if (fee === undefined) return 0
  if (!gasWorths.has(denom)) {
    // The search for what the fee buys ranks by outputs alone.
    gasWorths.set(denom, 0)
    gasWorths.set(denom, Number(boughtFor(graph, fee, denom)) / Number(USUAL_GAS))
  }
  return gasWorths.get(denom)!
}

/** What so much gas costs, in atomics of a denom, rounded up. */
export function costOfGas(graph: Graph, denom: Denom, gas: bigint): bigint {
  const worth = gasWorth(graph, denom)
  return worth === 0 ? 0n : BigInt(Math.ceil(Number(gas) * worth))
}

/** What the gas of a message with these hops costs, in atomics of a denom, rounded up. */
export const gasCost = (graph: Graph, denom: Denom, hops: readonly GasHop[]): bigint =>
  costOfGas(graph, denom, messageGas(graph.market.gas, hops))

function boughtFor(graph: Graph, fee: Coin, denom: Denom): bigint {
  if (denom === fee.denom) return fee.amount
  if (!graph.indexOf.has(fee.denom)) return 0n
  const query = queryOf(graph, fee.denom, denom, openLimits(FEE_HOPS))
  return rankPaths(query, fee.amount, 1).found[0]?.output ?? 0n
}

/**
 * The `count` best simple paths for an amount in input atomics, the highest recipient output less gas first,
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
  readonly hops: Hop[]
  readonly found: RankedPath[]
  readonly rejected: RejectedPath[] | undefined
  /** Share of a gross output that reaches the recipient. */
  readonly keptShare: number
  examined: number
  /** Minimum output less gas to enter the list. */
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
    hops: [],
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
  const { query, visited, edges, hops } = search
  const { graph, to } = query
  const offer = { denom: graph.denoms[at]!, amount: amount + graph.routerBalances[at]! }
  for (const { edge, output } of promising(search, at, Number(offer.amount), hopsLeft)) {
    if (output < search.minimum || isSpent(query.budget)) break
    const hop = fillHop(search, edge, offer, hopsLeft)
    if (hop === undefined) continue
    edges.push(edge)
    hops.push(hop)
    if (edge.to === to) arrive(search, hop.fill.bought + graph.routerBalances[to]!)
    else {
      visited[edge.to] = 1
      visit(search, edge.to, hop.fill.bought, hopsLeft - 1)
      visited[edge.to] = 0
    }
    hops.pop()
    edges.pop()
  }
}

/** A hop that takes its whole offer and can lead on; otherwise notes what refuses it. */
function fillHop(search: Search, edge: Edge, offer: Coin, hopsLeft: number): Hop | undefined {
  const { query, rejected } = search
  const { amount } = offer
  if (rejected === undefined && !leadsOn(query, search, edge.to, hopsLeft - 1)) return undefined
  query.budget.spent += FILL
  const arbitrage = edge.book.afterArbitrage()
  if (isRefusal(arbitrage)) return reject(search, edge, arbitrage)
  if (Number(amount) > edge.capacity)
    return reject(
      search,
      edge,
      refusal('beyond_depth', `${edge.book.state.pair.address} takes less than ${amount}`),
    )
  const least = edge.to === query.to ? 0 : edge.minOutput(Number(amount))
  // Spares the walk through thousands of a thin maker's levels.
  if (least > 0 && !leadsOn(query, search, edge.to, hopsLeft - 1, least))
    return reject(search, edge, refusal('beyond_depth', 'no book that leads on takes what it pays'))
  const fill = quoteBook(edge.book, offer)
  if (isRefusal(fill)) return reject(search, edge, fill)
  const hop = hopOf(edge.book, offer, fill)
  const refused = refusedHop(hop)
  return refused ? reject(search, edge, refused) : hop
}

function reject({ rejected, edges }: Search, edge: Edge, refused: Refusal): undefined {
  rejected?.push({ edges: [...edges, edge], refusal: refused })
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
  const { query, edges, hops, found, count } = search
  const { graph, to } = query
  if (!query.isComplete(edges)) return
  search.examined += 1
  const payout = payoutOf(graph.market.router, gross, query.limits.affiliate)
  if (isRefusal(payout)) {
    search.rejected?.push({ edges: [...edges], refusal: payout })
    return
  }
  const net = payout.recipient - gasCost(graph, graph.denoms[to]!, hops)
  if (found.length === count && net < found[count - 1]!.net) return
  const entry = { edges: [...edges], hops: [...hops], output: payout.recipient, net }
  const place = found.findIndex((other) => precedes(entry, other))
  found.splice(place < 0 ? found.length : place, 0, entry)
  if (found.length > count) found.pop()
  const last = found[count - 1]
  if (last !== undefined) search.minimum = Number(last.net) / FLOAT_SLACK
}

/** More output less gas first; ties in the order of their pairs' addresses. */
const precedes = (a: RankedPath, b: RankedPath): boolean =>
  a.net === b.net ? addressesOf(a) < addressesOf(b) : a.net > b.net

/** The addresses of a path's pairs in their order, to break ties by. */
export const addressesOf = ({ edges }: Pick<RankedPath, 'edges'>): string =>
  edges.map(({ book }) => book.state.pair.address).join(' ')
