import { isHeightUnavailable, NodeFault } from '../../chain/rpc/faults.js'
import type { IndexProgress, IndexRun } from '../../operations/history/history-port.js'
import type { HeightRange, HistoryStore, Leadership } from '../store/swap-row.js'
import type { HistoryChain } from './chain.js'
import { isMismatch, pause } from './follow.js'
import { countOf, indexRound, recheckPruned, type Written } from './indexer.js'
import { requireSameChain } from './same-chain.js'

/** Parameters of `sync`. */
export type Sync = {
  readonly chain: HistoryChain
  readonly store: HistoryStore
  readonly leadership: Leadership
  /** The first block to index; the router's first one by default. */
  readonly from?: number | undefined
  readonly signal: AbortSignal
  progress(progress: IndexProgress): void
  /** A step before everything else, which is repeated like the others until it succeeds once. */
  prepare?(): Promise<void>
  /** How long nodes that do not answer are waited for, in milliseconds. */
  readonly patienceMs?: number
  /** A step failed and will be repeated. */
  failed(error: unknown): void
}

/** Failures in a row, other than those of nodes, after which the run fails. */
const TRIES = 5
/** How long nodes that do not answer are waited for, in milliseconds. */
const PATIENCE_MS = 60_000
/** Milliseconds between two attempts. */
const PAUSE_MS = 1_000

/**
 * Indexes everything up to the newest block at the start, and waits for nodes that restart. The signal ends the run
 * after the current batch; what is written stays, and the next run continues there.
 *
 * @throws NodeFault, SwapError after too many failures in a row
 */
export async function sync(options: Sync): Promise<IndexRun> {
  const { chain, store, leadership, signal, prepare } = options
  const begun = performance.now()
  const ended = AbortSignal.any([signal, leadership.lost])
  const attempts = attemptsOf(options, ended)
  const within = await attempts.repeat(async () => {
    await prepare?.()
    await requireSameChain(chain, store)
    await recheckPruned(options)
    return { from: options.from ?? (await chain.creation()), to: await chain.newest() }
  }, 0)
  const isEmpty = within === undefined || within.to < within.from
  const total = isEmpty ? 0 : countOf(await store.gaps(within))
  const pruned: HeightRange[] = []
  let [done, swaps, quarantined] = [0, 0, 0]
  const progress = (): IndexProgress => {
    const gone = countOf(pruned)
    const ms = performance.now() - begun
    const left = Math.max(0, total - done - gone)
    const rate = ms > 0 ? (done * 1_000) / ms : 0
    const leftMs = done > 0 ? (left * ms) / done : undefined
    return { done, left, rate, leftMs, swaps, quarantined }
  }
  const events = {
    wrote(written: Written) {
      attempts.succeeded()
      done += written.blocks
      swaps += written.swaps
      quarantined += written.quarantined
      options.progress(progress())
    },
    pruned: (range: HeightRange) => void join(pruned, range),
  }
  let complete = false
  while (!complete && within !== undefined && !ended.aborted) {
    const round = { chain, store, leadership, events, signal: ended }
    const found = await attempts.repeat(() => indexRound(round, within), 1)
    complete = found?.left === 0
  }
  return { ...progress(), pruned, complete, ms: performance.now() - begun }
}

/** Attempts at a step of the run, with the failures in a row. */
function attemptsOf({ failed, patienceMs = PATIENCE_MS }: Sync, ended: AbortSignal) {
  let [failures, since] = [0, performance.now()]
  const succeeded = (): void => {
    failures = 0
  }
  const mayPass = (error: unknown, mismatches: number): boolean => {
    if (isMismatch(error)) return failures <= mismatches
    // Nodes may prune the oldest blocks during a round: the next round records that.
    if (!(error instanceof NodeFault) || error.kind === 'height_unavailable')
      return failures <= TRIES
    return error.passes && performance.now() - since < patienceMs
  }
  return {
    succeeded,
    /** The result of the step; `undefined` when the run has ended before. */
    async repeat<T>(step: () => Promise<T>, mismatches: number): Promise<T | undefined> {
      while (!ended.aborted)
        try {
          const result = await step()
          succeeded()
          return result
        } catch (error) {
          if (ended.aborted) break
          if (failures === 0) since = performance.now()
          failures += 1
          if (!mayPass(error, mismatches)) throw error
          if (isHeightUnavailable(error)) continue
          failed(error)
          await pause(PAUSE_MS, ended)
        }
      return undefined
    },
  }
}

/** Adds a range to others that end below it. */
function join(ranges: HeightRange[], { from, to }: HeightRange): void {
  const last = ranges.at(-1)
  if (last !== undefined && last.to + 1 === from) ranges[ranges.length - 1] = { ...last, to }
  else ranges.push({ from, to })
}
