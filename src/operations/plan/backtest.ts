import { SwapError } from '../../engine/errors.js'
import type { Book } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { isRefusal } from '../../engine/market/refusal.js'
import { executePath, type RouterState } from '../../engine/market/router.js'
import { graphOf } from '../../engine/routing/graph.js'
import { driftOf, nearestRank } from '../slippage/replay-path.js'
import { sroute } from '../split/split.js'
import type { BacktestAnswer } from './backtest-answer.js'
import type { PlanDocument } from './plan-document.js'

/** Recorded blocks, in the order of their heights. */
export type RecordedBlocks = {
  readonly heights: readonly number[]
  /** The market of a height, by default the last. */
  at(height?: number): Market
  markets(): Iterable<Market>
}

/** A pair that slices have traded with: as it was recorded then, and as they left it. */
type Traded = { readonly recorded: Book; readonly after: Book }

/** A plan that began on one of the blocks. */
type Run = {
  readonly start: Market
  readonly atOnce: bigint | undefined
  readonly left: Map<string, Traded>
  /** Slices that were executed. */
  done: number
  received: bigint
  failed: number
}

/**
 * Executes a plan on recorded blocks, begun on so many of them at most (docs/tape.md#backtest).
 *
 * @throws SwapError INVALID_REQUEST for a plan of another chain, or one that takes longer than what is recorded
 */
export async function backtestPlan(
  { heights, at, markets }: RecordedBlocks,
  plan: PlanDocument,
  most: number,
): Promise<BacktestAnswer> {
  const [first, last] = [at(heights[0]), at()]
  const { network, chain_id, input, output, slices } = plan
  if (last.chainId !== chain_id)
    throw unusable(`the tape is of ${last.chainId}, the plan for ${chain_id}`)
  const lasts = Date.parse(slices.at(-1)!.due) - Date.parse(slices[0]!.due)
  const recorded = Date.parse(last.time) - Date.parse(first.time)
  if (lasts > recorded)
    throw unusable(`the plan takes ${lasts / 1_000} s, and ${recorded / 1_000} s are recorded`)
  // Blocks are taken to be evenly spaced here alone; a run that does not end is left out.
  const fitting = Math.max(1, Math.floor(heights.length * (1 - lasts / (recorded || 1))))
  const count = Math.min(most, fitting)
  const starts = Array.from(
    { length: count },
    (_, i) => heights[Math.floor((i * fitting) / count)]!,
  )
  const range = { first: first.height, last: last.height }
  const compared = await backtest(markets(), plan, new Set(starts))
  return { network, chain_id, ...range, input, output, slices: slices.length, ...compared }
}

const unusable = (why: string): SwapError =>
  new SwapError('INVALID_REQUEST', 'the plan cannot be executed on this tape', {
    why,
    hint: 'record more blocks, or divide into a shorter time',
    members: { errors: [{ pointer: '', detail: why }] },
  })

/**
 * Executes a plan on recorded markets, begun on several of their blocks, and compares each with the whole
 * amount sold at once on that block. A slice is executed on the first block that is as far from the start
 * as the plan says, along the best division as of that block. What the slices took from a pair is missing
 * there until its recorded state changes: then its makers are taken to have quoted again.
 *
 * @param markets in the order of their heights
 * @param starts the heights on which the plan begins
 */
export async function backtest(
  markets: Iterable<Market>,
  plan: PlanDocument,
  starts: ReadonlySet<number>,
): Promise<Pick<BacktestAnswer, 'runs' | 'gain'>> {
  const running = new Set<Run>()
  const ended: Run[] = []
  const [first] = plan.slices
  const offsets = plan.slices.map(({ due }) => Date.parse(due) - Date.parse(first!.due))
  for (const market of markets) {
    if (starts.has(market.height)) running.add(await begin(market, plan))
    for (const run of running) {
      forgetChanged(run.left, market)
      const since = Date.parse(market.time) - Date.parse(run.start.time)
      // Two slices that are due in one block are executed in it, one after the other.
      while (run.done < offsets.length && offsets[run.done]! <= since)
        await executeNext(run, market, plan)
      if (run.done < offsets.length) continue
      running.delete(run)
      ended.push(run)
    }
  }
  const runs = ended.map(({ start, atOnce, received, failed }) => ({
    height: start.height,
    time: start.time,
    at_once: atOnce === undefined ? null : `${atOnce}`,
    in_time: `${received}`,
    failed,
    gain_bps: atOnce === undefined || failed > 0 ? null : -driftOf(atOnce, received) / 100,
  }))
  return { runs, gain: gainOf(runs.flatMap(({ gain_bps: each }) => each ?? [])) }
}

async function begin(start: Market, { input, output }: PlanDocument): Promise<Run> {
  const atOnce = await executeBest(start, input.denom, BigInt(input.amount), output)
  return { start, atOnce: atOnce?.received, left: new Map(), done: 0, received: 0n, failed: 0 }
}

async function executeNext(run: Run, recorded: Market, { input, output, slices }: PlanDocument) {
  const books = new Map(recorded.books)
  for (const [address, { after }] of run.left) books.set(address, after)
  const amount = BigInt(slices[run.done]!.amount)
  const done = await executeBest({ ...recorded, books }, input.denom, amount, output)
  run.done += 1
  if (done === undefined) {
    run.failed += 1
    return
  }
  run.received += done.received
  for (const [address, after] of done.books)
    if (after !== books.get(address))
      run.left.set(address, { recorded: recorded.books.get(address)!, after })
}

/** Forgets what was taken from pairs whose recorded state has changed since. */
function forgetChanged(left: Map<string, Traded>, { books }: Market): void {
  for (const [address, { recorded }] of left)
    if (books.get(address) !== recorded) left.delete(address)
}

/** Sells an amount along its best division; `undefined` where the market refuses that. */
async function executeBest(market: Market, denom: string, amount: bigint, output: string) {
  const view = { market, graph: graphOf(market) }
  const context = { openMarket: async () => view }
  const request = { input: { denom, amount: `${amount}` }, output: { denom: output } }
  const answer = await sroute(context, { ...request, grid: false, limit: 1 }).catch(
    (error: unknown) => {
      if (error instanceof SwapError) return undefined
      throw error
    },
  )
  const [best] = answer?.routes ?? []
  if (best === undefined) return undefined
  let world: RouterState = market
  let received = 0n
  for (const { funds, hops } of best.legs) {
    const pairs = hops.map(({ address }) => address)
    const coin = { denom: funds.denom, amount: BigInt(funds.amount) }
    const done = executePath(world, pairs, coin, { minReturn: { denom: output, amount: 0n } })
    if (isRefusal(done)) return undefined
    world = done.after
    received += done.recipient
  }
  return { received, books: world.books }
}

/** Gains in basis points, from the worst to the best. */
function gainOf(gains: readonly number[]): BacktestAnswer['gain'] {
  if (gains.length === 0) return null
  const sorted = Float64Array.from(gains).sort()
  const at = (shareBps: number) => nearestRank(sorted, shareBps)
  return {
    worst_bps: at(0),
    p5_bps: at(500),
    median_bps: at(5_000),
    p95_bps: at(9_500),
    best_bps: at(10_000),
  }
}
