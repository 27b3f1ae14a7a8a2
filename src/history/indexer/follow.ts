import { setTimeout as wait } from 'node:timers/promises'
import { isHeightUnavailable } from '../../chain/rpc/faults.js'
import { SwapError } from '../../engine/errors.js'
import { longestPause } from '../../platform/back-off.js'
import { StoreFault } from '../store/fault.js'
import type { HistoryStore, Leader, Leadership } from '../store/swap-row.js'
import type { HistoryChain } from './chain.js'
import { type IndexerEvents, indexRound, recheckPruned } from './indexer.js'
import { requireSameChain } from './same-chain.js'

/** Interval of head polls, and of attempts to lead while another process leads. */
const POLL_MS = 1_000

/** Pauses after failures. Only the leader retries, so no jitter is needed. */
const backOff = { firstMs: 500, longestMs: 30_000 }

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
  /** Indexing ended for good: the chain or the database is not the one that was indexed. */
  stopped(error: SwapError): void
}

/** Parameters of `follow`. */
export type Follow = {
  readonly chain: HistoryChain
  readonly store: HistoryStore
  readonly events: FollowerEvents
  readonly signal: AbortSignal
  /** The first block to index; the router's first one by default. */
  readonly from?: number | undefined
  /** Milliseconds between two polls of the head. */
  readonly every?: number | undefined
}

/** Waits until the time has passed or the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => {})

/**
 * Indexes missing and new blocks until the signal. Of several processes with one database one leads and
 * writes; the others wait to take its place.
 */
export async function follow({ chain, store, events, signal, from, every }: Follow): Promise<void> {
  let failures = 0
  let mismatches = 0
  let first = from
  while (!signal.aborted) {
    const leadership = await acquireLead(store, events, signal)
    if (leadership === 'never') return
    if (leadership === undefined) {
      await pause(every ?? POLL_MS, signal)
      continue
    }
    const ended = AbortSignal.any([signal, leadership.lost])
    let [isNew, newest] = [true, 0]
    while (!ended.aborted) {
      try {
        first ??= await chain.creation()
        if (isNew) {
          await requireSameChain(chain, store)
          await recheckPruned({ chain, store, leadership })
        }
        const round = { chain, store, leadership, events, signal: ended }
        const progress = await indexRound(round, { from: first })
        ;[failures, mismatches] = [0, 0]
        events.progress(progress)
        // A height that went back may mean a chain reset: compare its blocks again.
        isNew = progress.newest < newest
        newest = progress.newest
        if (progress.left === 0) await pause(every ?? POLL_MS, ended)
      } catch (error) {
        if (ended.aborted) break
        mismatches = isMismatch(error) ? mismatches + 1 : 0
        if (isPermanent(error) || (isMismatch(error) && mismatches >= MISMATCHES)) {
          await leadership.release().catch(events.failed)
          events.resigned()
          return events.stopped(error)
        }
        // Nodes may prune the oldest blocks during a round: the next round records that.
        if (!isHeightUnavailable(error)) events.failed(error)
        await pause(longestPause(backOff, ++failures), ended)
      }
    }
    await leadership.release().catch(events.failed)
    events.resigned()
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

/** Whether a block is not the child of the indexed one before it: another chain than was indexed. */
export const isMismatch = (error: unknown): error is StoreFault =>
  error instanceof StoreFault && error.kind === 'unlinked'

/** Failures that waiting does not resolve. */
const PERMANENT: ReadonlySet<string> = new Set(['corrupt', 'foreign', 'newer', 'decoder'])

const isPermanent = (error: unknown): error is StoreFault =>
  error instanceof StoreFault && PERMANENT.has(error.kind)
