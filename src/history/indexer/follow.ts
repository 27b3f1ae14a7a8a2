import { isHeightUnavailable } from '../../chain/rpc/faults.js'
import { SwapError } from '../../engine/errors.js'
import { longestPause, pause } from '../../platform/clock.js'
import { StoreFault } from '../store/fault.js'
import type { HistoryStore, Leader, Leadership } from '../store/history-store.js'
import { indexRound, type RoundProgress, recheckPruned } from './indexer.js'
import type { HistoryChain, IndexEvent } from './indexing.js'
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

/** What happens while a chain is followed. */
export type FollowEvent =
  | IndexEvent
  /** This process writes from now on, as the leader of this epoch. */
  | { readonly is: 'leading'; readonly epoch: number }
  /** This process no longer leads. */
  | { readonly is: 'resigned' }
  /** Another process leads. */
  | { readonly is: 'waiting'; readonly leader: Leader | undefined }
  /** A round ended. */
  | (RoundProgress & { readonly is: 'progress' })
  | FailureEvent

/**
 * `failed`: an attempt that will be repeated. `blocked`: the index is of another chain or decoder, and indexing
 * continues when it has been rebuilt. `stopped`: indexing ended for good, as this database cannot be used.
 */
type FailureEvent = { readonly is: 'failed' | 'blocked' | 'stopped'; readonly error: unknown }

type Emit = (event: FollowEvent) => void

/** Parameters of `follow`. */
type Follow = {
  readonly chain: HistoryChain
  readonly store: HistoryStore
  readonly emit: Emit
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
  const { chain, store, emit, signal, every = POLL_MS } = parameters
  const memory: Memory = { failures: 0, stalled: 0, mismatches: 0, isBlocked: false, stuckAt: 0 }
  while (!signal.aborted && !store.isReplaced()) {
    if (memory.isBlocked) memory.isBlocked = !(await isIndexable(chain, store))
    const leadership = memory.isBlocked ? undefined : await acquireLead(store, emit, signal)
    if (leadership === 'never') return
    if (leadership === undefined) {
      await pause(every, signal)
      continue
    }
    const { error, pauseMs } = await lead(parameters, leadership, memory)
    await resign(leadership, emit)
    if (isPermanent(error)) return emit({ is: 'stopped', error })
    if (error !== undefined) report(error, memory, emit)
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
  { chain, store, emit, signal, from, every = POLL_MS }: Follow,
  leadership: Leadership,
  memory: Memory,
): Promise<{ readonly error?: unknown; readonly pauseMs: number }> {
  const stopSignal = AbortSignal.any([signal, leadership.lost])
  const emitInRound: Emit = (event) => {
    if (event.is === 'wrote') memory.stalled = 0
    emit(event)
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
        isCompared = await requireSameChain({ chain, store, leadership, emit })
        rounds = 0
      }
      if (rounds++ % RECHECK_ROUNDS === 0) await recheckPruned({ chain, store, leadership })
      const round = { chain, store, leadership, emit: emitInRound, signal: stopSignal }
      const progress = await indexRound(round, { from: first })
      Object.assign(memory, { failures: 0, stalled: 0, mismatches: 0 })
      emit({ is: 'progress', ...progress })
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
      const { endsLead, pauseMs } = countFailure(error, memory)
      if (endsLead) return { error, pauseMs }
      report(error, memory, emit)
      await pause(pauseMs, stopSignal)
    }
  }
  return { pauseMs: 0 }
}

/** Counts a failure of the leader. @returns the milliseconds until the next attempt, and whether another process may lead first */
function countFailure(
  error: unknown,
  memory: Memory,
): { readonly endsLead: boolean; readonly pauseMs: number } {
  const before = memory.failures
  const count = isTimeout(error) ? FAILURES : 1
  memory.failures += count
  memory.stalled += count
  memory.mismatches = isMismatch(error) ? memory.mismatches + 1 : 0
  memory.isBlocked = memory.mismatches >= MISMATCHES || isOfOtherDecoder(error)
  const isResigning = before < FAILURES && memory.failures >= FAILURES
  return {
    endsLead: isPermanent(error) || memory.isBlocked || isResigning,
    pauseMs: longestPause(backOff, memory.stalled),
  }
}

/** Nodes may have the newest block a moment later, which is not reported at once. */
function report(error: unknown, { isBlocked, failures }: Memory, emit: Emit): void {
  if (isBlocked) emit({ is: 'blocked', error })
  else if (!isHeightUnavailable(error) || failures >= FAILURES) emit({ is: 'failed', error })
}

/** Reports the end of the lead first: a server that is cut off delays the release. */
async function resign(leadership: Leadership, emit: Emit): Promise<void> {
  emit({ is: 'resigned' })
  await leadership.release().catch((error) => emit({ is: 'failed', error }))
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
  emit: Emit,
  signal: AbortSignal,
): Promise<Leadership | 'never' | undefined> {
  try {
    const leadership = await store.lead()
    emit({ is: 'leading', epoch: leadership.epoch })
    return leadership
  } catch (error) {
    if (signal.aborted) return undefined
    if (isPermanent(error)) {
      emit({ is: 'stopped', error })
      return 'never'
    }
    if (error instanceof SwapError && error.code === 'BUSY')
      emit({ is: 'waiting', leader: await store.leader().catch(() => undefined) })
    else emit({ is: 'failed', error })
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
