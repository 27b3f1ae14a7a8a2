import { isHeightUnavailable } from '../../chain/rpc/faults.js'
import type { HeightRange, HistoryStore, Leadership } from '../store/swap-row.js'
import type { HistoryChain } from './chain.js'
import { isMismatch, pause } from './follow.js'
import { indexRound, recheckPruned, type Written } from './indexer.js'
import { countOf } from './plan.js'
import { requireSameChain } from './same-chain.js'

/** Progress of an indexing run. Rates are those of this run. */
export type Progress = {
  /** Blocks written by this run. */
  readonly done: number
  readonly left: number
  /** Blocks a second. */
  readonly rate: number
  /** Estimated milliseconds left; `undefined` before a rate is known. */
  readonly leftMs: number | undefined
  readonly swaps: number
  readonly quarantined: number
}

/** Result of a run. */
export type Synced = Progress & {
  /** Blocks that no node has any more. */
  readonly pruned: readonly HeightRange[]
  /** The first and the last block to index. */
  readonly within: HeightRange
  /** Whether nothing is missing except pruned blocks. */
  readonly complete: boolean
  readonly ms: number
}

/** Parameters of `sync`. */
export type Sync = {
  readonly chain: HistoryChain
  readonly store: HistoryStore
  readonly leadership: Leadership
  /** The first block to index; the router's first one by default. */
  readonly from?: number | undefined
  readonly signal: AbortSignal
  progress(progress: Progress): void
  /** A round failed and will be repeated. */
  failed(error: unknown): void
}

/** Consecutive failed rounds after which the run fails. */
const TRIES = 5
const PAUSE_MS = 1_000

/**
 * Indexes everything up to the newest block at the start. The signal ends the run after the current
 * batch; what is written stays, and the next run continues there.
 *
 * @throws NodeFault, SwapError after several failed rounds in a row
 */
export async function sync(options: Sync): Promise<Synced> {
  const { chain, store, leadership, signal } = options
  const begun = performance.now()
  await requireSameChain(chain, store)
  await recheckPruned(options)
  const within = { from: options.from ?? (await chain.creation()), to: await chain.newest() }
  const total = within.to < within.from ? 0 : countOf(await store.gaps(within))
  const pruned: HeightRange[] = []
  let [done, swaps, quarantined, failures] = [0, 0, 0, 0]
  const progress = (): Progress => {
    const gone = countOf(pruned)
    const ms = performance.now() - begun
    const left = Math.max(0, total - done - gone)
    const rate = ms > 0 ? (done * 1_000) / ms : 0
    const leftMs = done > 0 ? (left * ms) / done : undefined
    return { done, left, rate, leftMs, swaps, quarantined }
  }
  const events = {
    wrote(written: Written) {
      done += written.blocks
      swaps += written.swaps
      quarantined += written.quarantined
      options.progress(progress())
    },
    pruned: (range: HeightRange) => void join(pruned, range),
  }
  let complete = false
  const ended = AbortSignal.any([signal, leadership.lost])
  while (!complete && !ended.aborted) {
    try {
      const { left } = await indexRound(
        { chain, store, leadership, events: events, signal: ended },
        within,
      )
      complete = left === 0
      failures = 0
    } catch (error) {
      if (ended.aborted) break
      if (isMismatch(error) ? failures >= 1 : failures >= TRIES) throw error
      failures += 1
      // Nodes may prune the oldest blocks during a round: the next round records that.
      if (isHeightUnavailable(error)) continue
      options.failed(error)
      await pause(PAUSE_MS, ended)
    }
  }
  return { ...progress(), pruned, within, complete, ms: performance.now() - begun }
}

/** Adds a range to others that end below it. */
function join(ranges: HeightRange[], { from, to }: HeightRange): void {
  const last = ranges.at(-1)
  if (last !== undefined && last.to + 1 === from) ranges[ranges.length - 1] = { ...last, to }
  else ranges.push({ from, to })
}
