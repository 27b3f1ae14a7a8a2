import type { Market } from '../../engine/market/market.js'
import type { Denom } from '../../engine/market/token.js'
import { findRoutes } from '../../engine/routing/find-routes.js'
import { graphOf } from '../../engine/routing/graph.js'
import { openLimits, queryOf } from '../../engine/routing/query.js'
import { DEFAULTS } from '../defaults.js'
import { driftOf, nearestRank, type PathCall, payoutAlong } from '../slippage/replay-path.js'
import { atomicsWorth } from '../worth.js'
import type { DriftAnswer, DriftFigures } from './tape-documents.js'

/** The denoms sold and bought. */
export type DriftPair = { readonly input: Denom; readonly output: Denom }

/** Sizes are decimals of dollars; `later` are ascending numbers of blocks. */
type DriftRequest = {
  readonly pairs: readonly DriftPair[]
  readonly sizes: readonly string[]
  readonly later: readonly number[]
}

type DriftQuote = { readonly row: Row; readonly call: PathCall; readonly expected: bigint }

/** A pair and a size with the drifts of its executions, by number of blocks. */
type Row = DriftPair & {
  readonly size: string
  quotes: number
  readonly drifts: ReadonlyMap<number, number[]>
}

/** Bounds of the histogram, in hundredths of a basis point. */
const BOUNDS = [-100, 0, 100, 300, 1_000, 3_000, 10_000] as const

const limits = openLimits(DEFAULTS.maxHops)

/**
 * Quotes the best route of each pair and size on every block, and executes exactly that route and amount on
 * the books recorded so many blocks later. Figures are in basis points with two decimals, rounded up.
 */
export function drift(
  markets: Iterable<Market>,
  { pairs, sizes, later }: DriftRequest,
): DriftAnswer {
  const rows = pairs.flatMap((pair) =>
    sizes.map((size): Row => {
      const drifts = new Map(later.map((each): [number, number[]] => [each, []]))
      return { ...pair, size, quotes: 0, drifts }
    }),
  )
  const pending = new Map<number, readonly DriftQuote[]>()
  let blocks = 0
  let first: Market | undefined
  let newest: Market | undefined
  for (const market of markets) {
    const { height } = market
    first ??= market
    newest = market
    blocks += 1
    pending.set(height, quotesOf(market, rows))
    for (const each of later) execute(market, each, pending.get(height - each) ?? [])
    for (const oldHeight of pending.keys())
      if (oldHeight <= height - (later.at(-1) ?? 0)) pending.delete(oldHeight)
  }
  const driftsOf = (of: readonly Row[], each: number) =>
    of.flatMap(({ drifts }) => drifts.get(each)!)
  const ofAll = (each: number) => driftsOf(rows, each)
  return {
    network: newest?.network ?? '',
    chain_id: newest?.chainId ?? '',
    first: first?.height ?? 0,
    last: newest?.height ?? 0,
    blocks,
    routes: rows.map(({ input, output, size, quotes, drifts }) => ({
      input,
      output,
      size_usd: size,
      quotes,
      later: later.map((each) => figuresOf(each, drifts.get(each)!)),
    })),
    sizes: sizes.map((size) => {
      const of = rows.filter((row) => row.size === size)
      return { size_usd: size, later: later.map((each) => figuresOf(each, driftsOf(of, each))) }
    }),
    all: later.map((each) => figuresOf(each, ofAll(each))),
    histogram: histogramOf(later.filter((each) => each > 0).flatMap(ofAll)),
  }
}

function quotesOf(market: Market, rows: readonly Row[]): readonly DriftQuote[] {
  const graph = graphOf(market)
  return rows.flatMap((row) => {
    const { input: denom, output, size } = row
    const amount = atomicsWorth(market, size, denom)
    if (!amount || !graph.indexOf.has(denom) || !graph.indexOf.has(output)) return []
    const input = { denom, amount }
    const found = findRoutes(queryOf(graph, denom, output, limits), input, 1, { slippageBps: 0 })
    const [best] = found.routes
    if (best === undefined) return []
    const call = { pairs: best.hops.map(({ book }) => book.state.pair.address), input }
    row.quotes += 1
    requireSame(market, call, best.expected)
    return [{ row, call, expected: best.expected }]
  })
}

/** An execution on the block of its quote pays what was quoted, to the atomic. */
function requireSame(market: Market, call: PathCall, expected: bigint): void {
  const executed = payoutAlong(market, call)
  if (executed === expected) return
  throw new Error(`block ${market.height} quotes ${expected} and executes ${executed}`)
}

function execute(market: Market, blocks: number, quotes: readonly DriftQuote[]): void {
  for (const { row, call, expected } of quotes)
    row.drifts.get(blocks)!.push(driftOf(expected, payoutAlong(market, call)))
}

function figuresOf(blocks: number, drifts: readonly number[]): DriftFigures {
  const sorted = Float64Array.from(drifts).sort()
  const at = (shareBps: number): number | null => {
    const value = sorted.length === 0 ? Number.POSITIVE_INFINITY : nearestRank(sorted, shareBps)
    return Number.isFinite(value) ? value / 100 : null
  }
  return {
    blocks_later: blocks,
    executions: drifts.length,
    failed: drifts.filter((value) => value === Number.POSITIVE_INFINITY).length,
    median_bps: at(5_000),
    p95_bps: at(9_500),
    p99_bps: at(9_900),
    worst_bps: at(10_000),
  }
}

function histogramOf(drifts: readonly number[]): DriftAnswer['histogram'] {
  const edges = [Number.NEGATIVE_INFINITY, ...BOUNDS, Number.POSITIVE_INFINITY]
  const bound = (edge: number) => (Number.isFinite(edge) ? edge / 100 : null)
  return edges.slice(1).map((to, i) => {
    const above = edges[i]!
    const executions = drifts.filter((each) => each > above && each <= to).length
    return { above_bps: bound(above), to_bps: bound(to), executions }
  })
}
