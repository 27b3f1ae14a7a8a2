import { invalidRequest, SwapError } from '../../engine/errors.js'
import type { Book } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { isRefusal } from '../../engine/market/refusal.js'
import { executePath, type RouterState } from '../../engine/market/router.js'
import { graphOf } from '../../engine/routing/graph.js'
import { costOfGas } from '../../engine/routing/rank-paths.js'
import { attemptAsync } from '../../platform/attempt.js'
import { driftOf, nearestRank } from '../slippage/replay-path.js'
import { sroute } from '../split/split.js'
import type { BacktestAnswer, DivisionDocument, PlanDocument } from './plan-documents.js'

/** Recorded blocks, in the order of their heights. */
type RecordedBlocks = {
  readonly heights: readonly number[]
  readonly first: BlockHead
  readonly last: BlockHead
  markets(): Iterable<Market>
}

type BlockHead = { readonly height: number; readonly chainId: string; readonly time: string }

/** The results of a plan on recorded blocks, and of selling everything at once. */
type Backtest = Pick<BacktestAnswer, 'runs' | 'gain'>

/** A pair traded by slices: its recorded state then, and the state they left. */
type TradedPair = { readonly recorded: Book; readonly after: Book }

/** A run of the plan from one of the blocks. */
type Run = {
  readonly plan: PlanDocument
  readonly start: Market
  readonly atOnce: bigint | undefined
  readonly left: Map<string, TradedPair>
  /** Number of executed slices. */
  done: number
  received: bigint
  failed: number
}

/**
 * Executes a plan on recorded blocks, from at most this many starting blocks (docs/tape.md#backtest).
 *
 * @throws SwapError INVALID_REQUEST for a plan of another chain, or one longer than the tape
 */
export async function backtestPlan(
  blocks: RecordedBlocks,
  plan: PlanDocument,
  most: number,
): Promise<BacktestAnswer> {
  const { network, chain_id, input, output, slices } = plan
  const range = { first: blocks.first.height, last: blocks.last.height }
  const [result] = await backtest(blocks.markets(), [plan], startsOf(blocks, plan, most))
  return { network, chain_id, ...range, input, output, slices: slices.length, ...result! }
}

/** Longest gap between recorded blocks that a run may have: prices move in the meantime. */
const MOST_MISSING = 10

/** The recorded blocks from one long gap to the next; milliseconds between two blocks on average, and of the longest part. */
function stretchesOf({ heights, first, last }: RecordedBlocks) {
  const begins = heights.flatMap((height, i) =>
    i === 0 || isLongGap(heights[i - 1]!, height) ? [i] : [],
  )
  const stretches = begins.map((begin, i) => heights.slice(begin, begins[i + 1]))
  const recordedMs = Date.parse(last.time) - Date.parse(first.time)
  const blockMs = recordedMs / (last.height - first.height || 1)
  const lengths = stretches.map((stretch) => stretch.at(-1)! - stretch[0]!)
  return { stretches, blockMs, longestMs: Math.round(Math.max(...lengths) * blockMs) }
}

const isLongGap = (before: number, height: number): boolean => height - before > MOST_MISSING + 1

/**
 * Evenly spaced starting heights, such that the plan ends before a long gap and on the tape.
 *
 * @throws SwapError INVALID_REQUEST
 */
function startsOf(
  blocks: RecordedBlocks,
  { chain_id, slices }: PlanDocument,
  most: number,
): ReadonlySet<number> {
  const { chainId } = blocks.last
  if (chainId !== chain_id) throw unusable(`the tape is of ${chainId}, the plan for ${chain_id}`)
  const lasts = Date.parse(slices.at(-1)!.due) - Date.parse(slices[0]!.due)
  // Blocks are assumed evenly spaced only for choosing starts; a run that does not end is left out.
  const { stretches, blockMs, longestMs } = stretchesOf(blocks)
  if (lasts > longestMs)
    throw unusable(
      `the plan takes ${lasts / 1_000} s, and ${longestMs / 1_000} s are recorded without a long gap`,
    )
  const fitting = stretches.flatMap((stretch) =>
    stretch.filter((height) => Math.round((stretch.at(-1)! - height) * blockMs) >= lasts),
  )
  const count = Math.min(most, fitting.length)
  return new Set(
    Array.from({ length: count }, (_, i) => fitting[Math.floor((i * fitting.length) / count)]!),
  )
}

const unusable = (why: string): SwapError =>
  invalidRequest('the plan cannot be executed on this tape', '', {
    why,
    hint: 'record more blocks, or divide into a shorter time',
  })

/**
 * Executes plans for the same amount on recorded markets from several starting blocks, and compares each with
 * selling the whole amount on the starting block. A slice is executed on the first block at or after its
 * time, along the best split of that block. What the slices took from a pair stays missing until its recorded
 * state changes: then its makers are assumed to have requoted. A start counts if every plan ends before a long gap.
 *
 * @param markets in the order of their heights
 * @param starts starting heights
 * @returns in the order of the plans
 */
export async function backtest(
  markets: Iterable<Market>,
  plans: readonly PlanDocument[],
  starts: ReadonlySet<number>,
): Promise<readonly Backtest[]> {
  const running = new Set<Run>()
  const endedRuns: Run[] = []
  const offsets = new Map(plans.map((plan) => [plan, offsetsOf(plan)]))
  let before = Number.POSITIVE_INFINITY
  for (const market of markets) {
    if (isLongGap(before, market.height)) running.clear()
    before = market.height
    if (starts.has(market.height)) for (const run of await begin(market, plans)) running.add(run)
    for (const run of running) {
      forgetChanged(run.left, market)
      const since = Date.parse(market.time) - Date.parse(run.start.time)
      const due = offsets.get(run.plan)!
      // Two slices due in the same block are executed in it one after the other.
      while (run.done < due.length && due[run.done]! <= since) await executeNext(run, market)
      if (run.done < due.length) continue
      running.delete(run)
      endedRuns.push(run)
    }
  }
  const endsAll = ({ start }: Run) =>
    endedRuns.filter((run) => run.start === start).length === plans.length
  const whole = endedRuns.filter(endsAll)
  return plans.map((plan) => {
    const runs = whole.filter((run) => run.plan === plan).map(runDocument)
    return { runs, gain: gainOf(runs) }
  })
}

/** Milliseconds from the first slice to each. */
const offsetsOf = ({ slices }: PlanDocument): readonly number[] =>
  slices.map(({ due }) => Date.parse(due) - Date.parse(slices[0]!.due))

const runDocument = ({ start, atOnce, received, failed }: Run): BacktestAnswer['runs'][number] => ({
  height: start.height,
  time: start.time,
  at_once: atOnce === undefined ? null : `${atOnce}`,
  in_time: `${received}`,
  failed,
  gain_bps: atOnce === undefined || failed > 0 ? null : -driftOf(atOnce, received) / 100,
})

async function begin(start: Market, plans: readonly PlanDocument[]): Promise<readonly Run[]> {
  const { input, output } = plans[0]!
  const atOnce = await executeBest(start, input.denom, BigInt(input.amount), output)
  const fresh = { start, atOnce: atOnce?.received, done: 0, received: 0n, failed: 0 }
  return plans.map((plan) => ({ ...fresh, plan, left: new Map() }))
}

async function executeNext(run: Run, recorded: Market): Promise<void> {
  const { input, output, slices } = run.plan
  const books = new Map(recorded.books)
  for (const [address, { after }] of run.left) books.set(address, after)
  const amount = BigInt(slices[run.done]!.amount)
  const executed = await executeBest({ ...recorded, books }, input.denom, amount, output)
  run.done += 1
  if (executed === undefined) {
    run.failed += 1
    return
  }
  run.received += executed.received
  for (const [address, after] of executed.books)
    if (after !== books.get(address))
      run.left.set(address, { recorded: recorded.books.get(address)!, after })
}

/** Drops the effects on pairs whose recorded state has changed since. */
function forgetChanged(effects: Map<string, TradedPair>, { books }: Market): void {
  for (const [address, { recorded }] of effects)
    if (books.get(address) !== recorded) effects.delete(address)
}

/**
 * Sells an amount along its best split.
 *
 * @returns what it pays less the cost of gas; `undefined` if the market refuses it, or nothing remains
 */
async function executeBest(market: Market, denom: string, amount: bigint, output: string) {
  const graph = graphOf(market)
  const context = { openMarket: async () => ({ market, graph }) }
  const request = { input: { denom, amount: `${amount}` }, output: { denom: output } }
  const quote = () => sroute(context, { ...request, grid: false, limit: 1 })
  const answer = await attemptAsync(quote, SwapError)
  const [best] = answer?.routes ?? []
  if (best === undefined) return undefined
  let state: RouterState = market
  let received = -costOfGas(graph, output, BigInt(best.gas_estimate))
  for (const { funds, hops } of best.legs) {
    const pairs = hops.map(({ address }) => address)
    const coin = { denom: funds.denom, amount: BigInt(funds.amount) }
    const executed = executePath(state, pairs, coin, { minReturn: { denom: output, amount: 0n } })
    if (isRefusal(executed)) return undefined
    state = executed.after
    received += executed.recipient
  }
  return received > 0n ? { received, books: state.books } : undefined
}

/** The quantiles of the gains, in basis points. */
function gainOf(runs: BacktestAnswer['runs']): BacktestAnswer['gain'] {
  const gains = runs.flatMap(({ gain_bps: each }) => each ?? [])
  if (gains.length === 0) return null
  const sorted = Float64Array.from(gains).sort()
  const at = (shareBps: number) => nearestRank(sorted, shareBps)
  return {
    worst_bps: at(0),
    p5_bps: at(500),
    median_bps: at(5_000),
    p95_bps: at(9_500),
    best_bps: at(10_000),
    left_out: runs.length - gains.length,
  }
}

/** Slices of equal size that add up to the amount; the first ones get the remaining atomics. */
export function evenSlices(
  amount: bigint,
  count: number,
  { start, everyMs }: { readonly start: number; readonly everyMs: number },
): PlanDocument['slices'] {
  const share = amount / BigInt(count)
  const remainder = amount % BigInt(count)
  return Array.from({ length: count }, (_, i) => ({
    amount: `${share + (BigInt(i) < remainder ? 1n : 0n)}`,
    due: new Date(start + i * everyMs).toISOString(),
  }))
}

/** Compared numbers of slices. */
const COUNTS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48] as const

/**
 * Compares numbers of slices for an amount on the same starting blocks. The longest plan takes at most half
 * of the longest recording, so that starts can be spread over the other half.
 *
 * @param planOf builds the plan of a number of slices
 * @throws SwapError INVALID_REQUEST if not even two slices fit the tape
 */
export async function compareDivisions(
  blocks: RecordedBlocks,
  planOf: (slices: number) => PlanDocument,
  { everyMs, most }: { readonly everyMs: number; readonly most: number },
): Promise<readonly DivisionDocument[]> {
  const half = stretchesOf(blocks).longestMs / 2
  const amount = BigInt(planOf(1).input.amount)
  const counts = COUNTS.filter(
    (count) => (count <= 2 || (count - 1) * everyMs <= half) && BigInt(count) <= amount,
  )
  const plans = counts.map(planOf)
  const starts = startsOf(blocks, plans.at(-1)!, most)
  const results = await backtest(blocks.markets(), plans, starts)
  return counts.map((slices, i) => {
    const { runs, gain } = results[i]!
    const paid = runs.flatMap(({ failed, in_time }) => (failed > 0 ? [] : [BigInt(in_time)]))
    const [median] = paid.toSorted((a, b) => (a < b ? -1 : 1)).slice((paid.length - 1) >> 1)
    const failed = runs.length - paid.length
    return { slices, received: median === undefined ? null : `${median}`, failed, gain }
  })
}

/**
 * The division that fails on the fewest starting blocks; of those the one with the greatest median gain, or where the
 * whole amount is never sold at once the greatest median output; ties go to the fewest slices.
 */
export const bestDivision = (divisions: readonly DivisionDocument[]): DivisionDocument =>
  divisions.reduce((best, division) => (isBetter(division, best) ? division : best))

function isBetter(a: DivisionDocument, b: DivisionDocument): boolean {
  if (a.failed !== b.failed) return a.failed < b.failed
  return a.gain === null && b.gain === null
    ? BigInt(a.received ?? 0) > BigInt(b.received ?? 0)
    : medianOf(a) > medianOf(b)
}

const medianOf = ({ gain }: DivisionDocument): number =>
  gain?.median_bps ?? Number.NEGATIVE_INFINITY
