import { isHeightUnavailable } from '../../chain/rpc/faults.js'
import { SwapError } from '../../engine/errors.js'
import { longestPause } from '../../platform/back-off.js'
import { pause } from '../../platform/pause.js'
import { StoreFault } from '../store/fault.js'
import type { HistoryStore, Leader, Leadership } from '../store/history-store.js'
import type { HistoryChain } from './chain.js'
import { indexRound, recheckPruned } from './indexer.js'
import type { IndexerEvents } from './indexing.js'
import { isMismatch, isSameChain, requireSameChain } from './same-chain.js'

/** Interval of head polls, and of attempts to lead while another process leads. */
const POLL_MS = 1_000

/** Pauses after failures. Only the leader retries, so no jitter is needed. */
const backOff = { firstMs: 500, longestMs: 30_000 }

/**
 * Consecutive failures after which a leader resigns, once: another process may reach the chain or write. A node that
 * gives no answer, for which a whole deadline was waited, counts as that many.
 */
const FAILURES = 3

/** Rounds after which pruned blocks are rechecked: a node that did not answer may have them. Of idle rounds, a minute. */
const RECHECK_ROUNDS = 60

/** Idle rounds without a new block after which a leader resigns, once a height: the node of another may not be stuck. */
const STUCK_ROUNDS = 120
/** Intervals that it leaves to the others to take the lead. */
const STUCK_PAUSES = 3

/** Consecutive mismatches of block hashes before the chain counts as another one. */
const MISMATCHES = 3

/** Events while a chain is followed. */
export type FollowerEvents = IndexerEvents & {
  /** This process writes from now on, as the leader of this epoch. */
  leading(epoch: number): void
  /** This process no longer leads. */
  resigned(): void
  /** Another process leads. */
  waiting(leader: Leader | undefined): void
  /** A round ended. */
  progress(round: { readonly newest: number; readonly left: number }): void
  /** A round failed and will be repeated. */
  failed(error: unknown): void
  /** The index is of another chain or decoder: indexing continues when it has been rebuilt. */
  blocked(error: SwapError): void
  /** Indexing ended for good: this database cannot be used. */
  stopped(error: SwapError): void
}

/** Parameters of `follow`. */
type Follow = {
  readonly chain: HistoryChain
  readonly store: HistoryStore
  readonly events: FollowerEvents
  readonly signal: AbortSignal
  /** The first block to index; the router's first one by default. */
  readonly from?: number | undefined
  /** Milliseconds between two polls of the head. */
  readonly every?: number | undefined
}

/**
 * Indexes missing and new blocks until the signal, or until the file of the store is replaced. Of several processes
 * with one database, one leads and writes; the others wait to take its place. An index of another chain is not changed
 * until it is rebuilt.
 */
export async function follow(parameters: Follow): Promise<void> {
  const { chain, store, events, signal, every = POLL_MS } = parameters
  const memory: Memory = { failures: 0, stalled: 0, mismatches: 0, isBlocked: false, stuckAt: 0 }
  while (!signal.aborted && !store.isReplaced()) {
    if (memory.isBlocked) memory.isBlocked = !(await isIndexable(chain, store))
    const leadership = memory.isBlocked ? undefined : await acquireLead(store, events, signal)
    if (leadership === 'never') return
    if (leadership === undefined) {
      await pause(every, signal)
      continue
    }
    const { error, pauseMs } = await lead(parameters, leadership, memory)
    await resign(leadership, events)
    if (isPermanent(error)) return events.stopped(error)
    if (error !== undefined) report(error, memory, events)
    await pause(pauseMs, signal)
  }
}

/** What is kept from one lead to the next. */
type Memory = {
  /** Consecutive failures, and mismatches among them. */
  failures: number
  mismatches: number
  /** Failures since a block was written, which decide how long the pauses are. */
  stalled: number
  /** Whether the index is of another chain or decoder. */
  isBlocked: boolean
  /** The newest block when a lead ended because there was no other. */
  stuckAt: number
}

/** Indexes as the leader. @returns the error that ended it, if any, and the milliseconds until the next attempt to lead */
async function lead(
  { chain, store, events, signal, from, every = POLL_MS }: Follow,
  leadership: Leadership,
  memory: Memory,
): Promise<{ readonly error?: unknown; readonly pauseMs: number }> {
  const stopSignal = AbortSignal.any([signal, leadership.lost])
  const roundEvents: FollowerEvents = {
    ...events,
    wrote(written) {
      memory.stalled = 0
      events.wrote(written)
    },
  }
  let isCompared = false
  let newest = 0
  let first = from
  let rounds = 0
  let idle = 0
  while (!stopSignal.aborted && !store.isReplaced()) {
    try {
      if (!isCompared || first === undefined) {
        first = from ?? (await chain.creation())
        isCompared = await requireSameChain({ chain, store, leadership, events })
        rounds = 0
      }
      if (rounds++ % RECHECK_ROUNDS === 0) await recheckPruned({ chain, store, leadership })
      const round = { chain, store, leadership, events: roundEvents, signal: stopSignal }
      const progress = await indexRound(round, { from: first })
      Object.assign(memory, { failures: 0, stalled: 0, mismatches: 0 })
      events.progress(progress)
      // A lower height may mean that the chain was reset: compare its blocks again, once it has one of the index.
      if (progress.newest < newest) isCompared = false
      idle = progress.newest === newest && progress.left === 0 ? idle + 1 : 0
      newest = progress.newest
      if (idle >= STUCK_ROUNDS && newest !== memory.stuckAt) {
        memory.stuckAt = newest
        return { pauseMs: STUCK_PAUSES * every }
      }
      if (progress.left === 0) await pause(every, stopSignal)
    } catch (error) {
      if (stopSignal.aborted) break
      const before = memory.failures
      const count = isTimeout(error) ? FAILURES : 1
      memory.failures += count
      memory.stalled += count
      memory.mismatches = isMismatch(error) ? memory.mismatches + 1 : 0
      memory.isBlocked = memory.mismatches >= MISMATCHES || isOfOtherDecoder(error)
      const pauseMs = longestPause(backOff, memory.stalled)
      const isResigning = before < FAILURES && memory.failures >= FAILURES
      if (isPermanent(error) || memory.isBlocked || isResigning) return { error, pauseMs }
      report(error, memory, events)
      await pause(pauseMs, stopSignal)
    }
  }
  return { pauseMs: 0 }
}

/** Nodes may have the newest block a moment later, which is not reported at once. */
function report(error: unknown, { isBlocked, failures }: Memory, events: FollowerEvents): void {
  if (isBlocked) events.blocked(error as StoreFault)
  else if (!isHeightUnavailable(error) || failures >= FAILURES) events.failed(error)
}

/** Reports the end of the lead first: a server that is cut off delays the release. */
async function resign(leadership: Leadership, events: FollowerEvents): Promise<void> {
  events.resigned()
  await leadership.release().catch(events.failed)
}

/** Whether the index is of this decoder, and of this chain as far as its blocks can be compared. */
async function isIndexable(chain: HistoryChain, store: HistoryStore): Promise<boolean> {
  try {
    return (await store.state()).current && (await isSameChain(chain, store)) !== false
  } catch {
    return false
  }
}

/** Takes the lead if it is free. `never` if this database cannot be used. */
async function acquireLead(
  store: HistoryStore,
  events: FollowerEvents,
  signal: AbortSignal,
): Promise<Leadership | 'never' | undefined> {
  try {
    const leadership = await store.lead()
    events.leading(leadership.epoch)
    return leadership
  } catch (error) {
    if (signal.aborted) return undefined
    if (isPermanent(error)) {
      events.stopped(error)
      return 'never'
    }
    if (error instanceof SwapError && error.code === 'BUSY')
      events.waiting(await store.leader().catch(() => undefined))
    else events.failed(error)
    return undefined
  }
}

/** Failures that waiting does not resolve. */
const PERMANENT: ReadonlySet<string> = new Set(['corrupt', 'foreign', 'newer'])

const isTimeout = (error: unknown): boolean =>
  error instanceof SwapError && error.code === 'UPSTREAM_TIMEOUT'

const isOfOtherDecoder = (error: unknown): boolean =>
  error instanceof StoreFault && error.kind === 'decoder'

const isPermanent = (error: unknown): error is StoreFault =>
  error instanceof StoreFault && PERMANENT.has(error.kind)
