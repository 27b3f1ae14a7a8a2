import { isRefusal, type RefusalReason } from '../market/refusal.js'
import { payoutOf, quoteHop } from '../market/router.js'
import { MAX_UINT128 } from '../math/decimal.js'
import { lastFalse } from '../math/integers.js'
import type { Edge } from './graph.js'
import { type EnvelopePoint, envelopeHop, heldBy, leastOffer, mostOffer } from './hop-size.js'
import { isSpent, type PathQuery } from './query.js'
import { FILL } from './rank-paths.js'
import { minReturnOf } from './route.js'

/** The smallest output of a last hop whose `min_return`, after the router's fees, is enough. */
export function leastGross(query: PathQuery, wanted: bigint, slippageBps: number): bigint {
  const enough = (gross: bigint): boolean => {
    const payout = payoutOf(query.graph.market.router, gross, query.limits.affiliate)
    return !isRefusal(payout) && minReturnOf(payout.recipient, slippageBps) >= wanted
  }
  let high = wanted
  while (!enough(high) && high < MAX_UINT128) high *= 2n
  let least = lastFalse(0n, high, enough) + 1n
  // Where two fees round up at once, one atomic more may pay one less, so the bisection may miss a smaller output.
  for (let below = least - 1n; below > 0n && below >= least - 4n; below -= 1n)
    if (enough(below)) least = below
  return least
}

type Range = { readonly from: bigint; readonly last: bigint; readonly gross: bigint }

/** Refusals that are stepped over by the least change that can end them; from then on steps double. */
const SINGLE_STEPS = 64

/**
 * The smallest input of a range that a path takes and that pays enough. After more than `SINGLE_STEPS` refusals it may
 * not be the smallest: it is enough, and one atomic less is not.
 */
export function smallestOn(
  query: PathQuery,
  edges: readonly Edge[],
  { from, last, gross }: Range,
  isEnough: (output: bigint) => boolean,
): bigint | undefined {
  const { graph } = query
  const end = edges.at(-1)!
  const pairHolds = heldBy(end)
  const routerBalance = graph.routerBalances[end.to]!
  if (pairHolds !== undefined && pairHolds + routerBalance < gross) return undefined
  const isSufficient = ({ output }: PathOutcome) => output !== undefined && isEnough(output)
  const firstIn = (refused: bigint, found: bigint) =>
    lastFalse(refused, found, (each) => isSufficient(attempt(query, edges, each))) + 1n
  // Coins of the router never replace the output of a hop.
  let size: bigint | undefined = firstPaying(
    query,
    edges,
    { from, last },
    gross > routerBalance ? gross - routerBalance : 1n,
  )
  // The refused size that a doubled step was taken from: sizes that work may lie behind it.
  let before: bigint | undefined
  for (let tries = 0; size !== undefined && !isSpent(query.budget); tries += 1) {
    const outcome: PathOutcome = attempt(query, edges, size)
    if (isSufficient(outcome)) return before === undefined ? size : firstIn(before, size)
    // A book that is too small has no more to pay.
    if (outcome.refused === 'beyond_depth' && !envelopeAlong(query, edges, size).taken) break
    const doublings = outcome.output === undefined ? doublingsAt(tries) : 0n
    before = doublings > 0n ? size : undefined
    const least = outcome.paid + (outcome.lack << doublings)
    size = firstPaying(query, edges.slice(0, outcome.hop), { from: size + 1n, last }, least)
  }
  if (before === undefined || isSpent(query.budget)) return undefined
  const most = largestOn(query, edges, before + 1n, last)
  return most !== undefined && isSufficient(attempt(query, edges, most))
    ? firstIn(before, most)
    : undefined
}

const doublingsAt = (tries: number): bigint =>
  BigInt(Math.min(Math.max(tries - SINGLE_STEPS, 0), 128))

/** The smallest size of a range for which some hops pay so much; none where they abort before they do. */
function firstPaying(
  query: EnvelopeQuery,
  edges: readonly Edge[],
  { from, last }: Pick<Range, 'from' | 'last'>,
  least: bigint,
): bigint | undefined {
  let needed = least
  for (const edge of edges.toReversed()) {
    const offer = leastOffer(edge, needed, query.budget)
    if (offer === undefined) return undefined
    // Coins of the router join an offer, and never replace it.
    needed = max(offer - query.graph.routerBalances[edge.from]!, 1n)
  }
  const size = max(needed, from)
  // A hop may abort for what the one before it pays beyond the least.
  return size > last || envelopeAlong(query, edges, size).aborts ? undefined : size
}

/** The largest size up to `last` of which every hop takes its whole offer. */
function lastTaken({ graph, budget }: EnvelopeQuery, edges: readonly Edge[], last: bigint): bigint {
  // Forwards: the most that each hop takes of what the ones before it can pay.
  let arriving = last
  const ends = edges.map((edge) => {
    const offer = arriving + graph.routerBalances[edge.from]!
    const most = mostOffer(edge, offer, budget)
    arriving = most.gross
    return most.offer < offer ? most.offer : undefined
  })
  // Backwards: the most of which the hops behind it take what it pays.
  const first = edges.reduceRight<bigint | undefined>((limit, edge, hop) => {
    const over = limit === undefined ? undefined : leastOffer(edge, limit + 1n, budget)
    const most = over === undefined ? ends[hop] : over - 1n
    return most === undefined ? undefined : most - graph.routerBalances[edge.from]!
  }, undefined)
  return first ?? last
}

/**
 * The largest input of a range that a path takes. After more than `SINGLE_STEPS` refusals it may not be the largest:
 * one atomic more is refused.
 */
export function largestOn(
  query: PathQuery,
  edges: readonly Edge[],
  from: bigint,
  last: bigint,
): bigint | undefined {
  if (from > last) return undefined
  const most = lastTaken(query, edges, last)
  if (most < from) return undefined
  const isRefusedAt = (size: bigint) => outputOn(query, edges, size) === undefined
  const lastFrom = (size: bigint) => lastFalse(size, most + 1n, isRefusedAt)
  const nextFrom = (size: bigint) =>
    smallestOn(query, edges, { from: size, last: most, gross: 1n }, (output) => output > 0n)
  let tries = 0
  let size = most
  for (; size >= from; tries += 1) {
    const { output, hop, paid } = attempt(query, edges, size)
    if (output !== undefined) break
    const first = edges.slice(0, hop)
    const below = paid - (1n << doublingsAt(tries))
    size = (firstPaying(query, first, { from, last: size }, below + 1n) ?? from) - 1n
  }
  const found = size < from ? undefined : size
  if (tries <= SINGLE_STEPS) return found
  // Doubled steps may have passed sizes that work.
  let largest: bigint | undefined
  let next = found ?? nextFrom(from)
  for (let climbs = 0; next !== undefined && climbs < SINGLE_STEPS; climbs += 1) {
    largest = lastFrom(next)
    next = nextFrom(largest + 1n)
  }
  return largest
}

/** The recipient's payout of an execution over a path; nothing if it is refused. */
export function outputOn(query: PathQuery, edges: readonly Edge[], amount: bigint) {
  return attempt(query, edges, amount).output
}

/**
 * The result of an execution over a path: a payout, or a refusal by a hop or by the router. It stays the same as long
 * as the first `hop` hops pay the same; these are all hops unless one of them refuses.
 */
type PathOutcome = {
  /** The recipient's payout. */
  readonly output?: bigint
  /** Why a hop refused its offer. */
  readonly refused?: RefusalReason
  /** The index of the hop that refused its offer; the number of hops if none did. */
  readonly hop: number
  /** What these hops paid. */
  readonly paid: bigint
  /** The least that the payment must grow by. */
  readonly lack: bigint
}

/** The recipient's payout of an execution over a path, or the failure. */
function attempt(
  { graph, limits, budget }: PathQuery,
  edges: readonly Edge[],
  amount: bigint,
): PathOutcome {
  budget.spent += edges.length * FILL
  let paid = amount
  for (const [hop, edge] of edges.entries()) {
    const offer = paid + graph.routerBalances[edge.from]!
    const filled = quoteHop(edge.book, { denom: graph.denoms[edge.from]!, amount: offer })
    if (isRefusal(filled)) return { refused: filled.refused, hop, paid, lack: filled.lack ?? 1n }
    paid = filled.output.amount
  }
  const end = { hop: edges.length, paid, lack: 1n }
  const payout = payoutOf(
    graph.market.router,
    paid + graph.routerBalances[edges.at(-1)!.to]!,
    limits.affiliate,
  )
  return isRefusal(payout) ? end : { output: payout.recipient, ...end }
}

type EnvelopeQuery = Pick<PathQuery, 'graph' | 'budget'>

/**
 * What arrives after some hops, possibly none, without refusals other than depth: abort windows pay what
 * they drain, empty maker messages are sent. It never falls when the amount grows until a hop aborts, and no
 * real output is above it. The real output falls at every refusal.
 */
function envelopeAlong(
  query: EnvelopeQuery,
  edges: readonly Edge[],
  amount: bigint,
): EnvelopePoint {
  let point = startOf(amount)
  for (const edge of edges) point = behindHop(query, point, edge)
  return point
}

const startOf = (amount: bigint): EnvelopePoint => ({ gross: amount, taken: true, aborts: false })

function behindHop(
  { graph, budget }: EnvelopeQuery,
  before: EnvelopePoint,
  edge: Edge,
): EnvelopePoint {
  if (before.aborts) return before
  const offer = before.gross + graph.routerBalances[edge.from]!
  const { gross, taken, aborts } = envelopeHop(edge, offer, budget)
  return { gross: before.gross === 0n ? 0n : gross, taken: before.taken && taken, aborts }
}

/**
 * `envelopeAlong` for the beginnings of a depth-first search: hops that two calls in a row share at one
 * size are computed once.
 */
export function envelopeMemo(
  query: EnvelopeQuery,
): (edges: readonly Edge[], size: bigint) => EnvelopePoint {
  const prefix: { readonly edge: Edge; readonly point: EnvelopePoint }[] = []
  let prefixSize = -1n
  return (edges, size) => {
    if (size !== prefixSize) prefix.length = 0
    prefixSize = size
    let point = startOf(size)
    for (const [i, edge] of edges.entries()) {
      if (prefix[i]?.edge !== edge) {
        prefix.length = i
        prefix.push({ edge, point: behindHop(query, point, edge) })
      }
      point = prefix[i]!.point
    }
    return point
  }
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
