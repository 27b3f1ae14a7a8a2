import { isRefusal } from '../market/refusal.js'
import { type Hop, payoutOf, quoteHop } from '../market/router.js'
import type { Coin } from '../market/token.js'
import { type Rational, rational } from '../math/rational.js'
import type { Graph } from '../routing/graph.js'
import { FLOAT_SLACK, outputBound } from '../routing/output-bound.js'
import { keptShare, openLimits, type WorkBudget, workBudget } from '../routing/query.js'
import { FILL, gasCost } from '../routing/rank-paths.js'
import { finishRoute, pathId, type Route } from '../routing/route.js'
import { type LoopSearch, searchLoops } from './search-loops.js'

/** Parameters of a scan. */
export type ScanTerms = {
  /** Minimum profit less gas, exclusive, in percent of the input. */
  readonly minPercent: Rational
  /** Maximum number of hops of a loop, at least two. */
  readonly maxHops: number
  readonly slippageBps: number
  /** Maximum number of loops. */
  readonly most?: number | undefined
  /** Whether a loop with this profit less gas is wanted. */
  readonly isWanted?: (net: Coin) => boolean
}

/** Profitable circular routes, the greatest share of profit first. */
export type Scan = {
  readonly opportunities: readonly Opportunity[]
  /** The inputs: listed denoms that open books trade. */
  readonly tried: readonly Coin[]
  /** Number of loops that were filled completely. */
  readonly examined: number
}

/**
 * Every loop from the network's whitelisted denoms, each with its fixed amount, that returns more
 * than `minPercent` above its input after all fees and what gas costs. No loop repeats a denom or a book;
 * a loop through several of the denoms is listed once, from the denom with the greatest share of profit.
 * Filled in integers, the most promising first; a beginning is left where an upper bound on its return is too low.
 */
export function scanLoops(graph: Graph, terms: ScanTerms, budget = workBudget()): Scan {
  const { market } = graph
  const { slippageBps, maxHops, isWanted } = terms
  const best = new Map<string, FoundLoop>()
  let examined = 0
  const tried = market.arbs.filter(({ denom, amount }) => graph.indexOf.has(denom) && amount > 0n)
  const searches = tried.map((input) =>
    searchFrom(graph, input, terms, budget, (hops) => {
      examined += 1
      const found = profitable(graph, input, terms, hops)
      if (found === undefined) return
      budget.spent += LISTED
      const key = loopKey(hops)
      const known = best.get(key)
      if (known === undefined || byShare(found, known) < 0) best.set(key, found)
    }),
  )
  searchLoops(graph, searches, maxHops, budget)
  const limits = openLimits(maxHops)
  const opportunities = [...best.values()]
    .filter(({ input: { denom }, net }) => isWanted?.({ denom, amount: net }) ?? true)
    .sort(byShare)
    .slice(0, terms.most)
    .map(({ input, hops, profit }) => ({
      route: guardedAgainstLoss(finishRoute(market, input, hops, { limits, slippageBps })),
      profit,
      share: rational(profit, input.amount),
    }))
  return { opportunities, tried, examined }
}

/** A profitable loop of a scan. */
type FoundLoop = {
  readonly input: Coin
  readonly hops: readonly Hop[]
  readonly profit: bigint
  /** The profit less what gas costs. */
  readonly net: bigint
}

/** Units of work of a profitable loop: to compare it with others, and to write those that are listed. */
const LISTED = 30

/** A search for the loops of one input; a beginning is left where upper bounds for every number of hops are too low. */
function searchFrom(
  graph: Graph,
  input: Coin,
  { maxHops, minPercent }: ScanTerms,
  budget: WorkBudget,
  close: (hops: readonly Hop[]) => void,
): LoopSearch<readonly Hop[]> {
  const start = graph.indexOf.get(input.denom)!
  const bounds = outputBound(graph, start, maxHops, undefined)
  const feeFactor = keptShare({ graph, limits: openLimits(maxHops) })
  const percent = Number(minPercent.numerator) / Number(minPercent.denominator)
  const least = (Number(input.amount) * (1 + percent / 100)) / FLOAT_SLACK
  return {
    start,
    empty: [],
    extend(hops, { book, from, to, bound, capacity }, hopsLeft) {
      const offer = {
        denom: graph.denoms[from]!,
        amount: (hops.at(-1)?.output ?? input).amount + graph.routerBalances[from]!,
      }
      const amount = Number(offer.amount)
      const [rate, extra] = [bounds.rate[hopsLeft - 1]![to]!, bounds.extra[hopsLeft - 1]![to]!]
      const most = (amount * bound.rate + bound.extra) * rate + extra
      if (amount > capacity || rate === 0 || most * feeFactor * FLOAT_SLACK + 2 < least)
        return undefined
      budget.spent += FILL
      const hop = quoteHop(book, offer)
      if (isRefusal(hop)) return undefined
      return { value: [...hops, hop], bound: Number(hop.output.amount) * rate + extra }
    },
    close,
  }
}

/** A complete loop, if it is profitable enough. */
function profitable(
  graph: Graph,
  input: Coin,
  { minPercent: { numerator, denominator } }: ScanTerms,
  hops: readonly Hop[],
): FoundLoop | undefined {
  const payout = payoutOf(graph.market.router, hops.at(-1)!.output.amount, undefined)
  if (isRefusal(payout)) return undefined
  const profit = payout.recipient - input.amount
  const net = profit - gasCost(graph, input.denom, hops)
  return net * 100n * denominator > numerator * input.amount
    ? { input, hops, profit, net }
    : undefined
}

/**
 * A key of a loop independent of its starting denom: its books with their sides, rotated to begin with the
 * smallest.
 */
function loopKey(hops: readonly Hop[]): string {
  const names = hops.map(({ book, fill }) => `${book.state.pair.address} ${fill.side}`)
  const first = names.indexOf([...names].sort()[0]!)
  return [...names.slice(first), ...names.slice(0, first)].join('\n')
}

/** Compares by share of profit less gas, descending; ties by path name. */
function byShare(a: FoundLoop, b: FoundLoop): number {
  const left = a.net * b.input.amount
  const right = b.net * a.input.amount
  if (left !== right) return left > right ? -1 : 1
  const [one, other] = [idOf(a), idOf(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

const idOf = ({ hops }: FoundLoop): string =>
  pathId(hops.map(({ book }) => book.state.pair.address))

/** A profitable circular route. Amounts are atomics of its first and last denom. */
export type Opportunity = {
  /** The loop itself; `minReturn` is at least its input, so that it never executes at a loss. */
  readonly route: Route
  /** The return, after the venues' and the protocol's fees, less the input. */
  readonly profit: bigint
  /** Profit over input. */
  readonly share: Rational
}

/** The route with a `minReturn` of at least its input. */
export const guardedAgainstLoss = (route: Route): Route =>
  route.minReturn >= route.input.amount ? route : { ...route, minReturn: route.input.amount }
