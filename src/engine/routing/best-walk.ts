import { type Fill, quoteBook } from '../market/book.js'
import { isRefusal } from '../market/refusal.js'
import { divide } from '../market/router.js'
import type { Edge } from './graph.js'
import type { Query } from './query.js'
import { type Found, rankPaths } from './ranked.js'

type Label = {
  readonly amount: bigint
  readonly edge: Edge | undefined
  readonly fill: Fill | undefined
  readonly from: Label | undefined
}

/**
 * The best path for an amount. A dynamic program over hops keeps the largest amount per denom and
 * hop count, with exact integer fills; it is exact over walks, up to refusals and the last atomics of
 * rounding. Its walk, if it repeats no denom, is then the bar of a branch and bound that either
 * proves it best or finds what beats it.
 */
export function bestPath(query: Query, amount: bigint): Found | undefined {
  const walk = bestWalk(query, amount)
  const ranked = rankPaths(query, amount, 1, walk?.output ?? 0n)
  return ranked.found[0] ?? walk
}

/** The best walk of the dynamic program, if it is a simple path. One array of labels per hop count. */
export function bestWalk(query: Query, amount: bigint): Found | undefined {
  const { graph, from, to, limits } = query
  let labels = new Map<number, Label>([
    [from, { amount, edge: undefined, fill: undefined, from: undefined }],
  ])
  let best: Label | undefined
  for (let hop = 1; hop <= limits.maxHops; hop += 1) {
    const next = relaxed(query, labels, hop === limits.maxHops)
    const arrived = next.get(to)
    if (arrived && (best === undefined || arrived.amount > best.amount)) best = arrived
    next.delete(to)
    labels = next
  }
  return best && simplePath(query, best, graph.held[to]!)
}

function relaxed(
  { graph, from, to, allowed }: Query,
  labels: ReadonlyMap<number, Label>,
  lastHop: boolean,
): Map<number, Label> {
  const next = new Map<number, Label>()
  for (const [at, label] of labels) {
    const offer = { denom: graph.denoms[at]!, amount: label.amount + graph.held[at]! }
    for (const edge of graph.leaving[at]!) {
      if (edge.to === from || (lastHop && edge.to !== to) || !allowed(edge)) continue
      const fill = quoteBook(edge.book, offer)
      if (isRefusal(fill) || fill.unsold > 0n || fill.bought === 0n) continue
      const known = next.get(edge.to)
      if (known === undefined || fill.bought > known.amount)
        next.set(edge.to, { amount: fill.bought, edge, fill, from: label })
    }
  }
  return next
}

/** The path behind a label, unless it repeats a denom, misses a `via`, or its fees leave nothing. */
function simplePath(query: Query, label: Label, held: bigint): Found | undefined {
  const [edges, fills]: [Edge[], Fill[]] = [[], []]
  for (let step: Label | undefined = label; step?.edge && step.fill; step = step.from) {
    edges.unshift(step.edge)
    fills.unshift(step.fill)
  }
  if (new Set(edges.map((edge) => edge.to)).size < edges.length) return undefined
  if (!query.complete(edges)) return undefined
  const gross = label.amount + held
  const division = divide(query.graph.market.router, gross, query.limits.affiliate)
  if (isRefusal(division) || division.recipient === 0n) return undefined
  return { edges, fills, gross, output: division.recipient }
}
