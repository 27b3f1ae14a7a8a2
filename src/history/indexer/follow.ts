import { setTimeout as wait } from 'node:timers/promises'
import { isHeightUnavailable } from '../../chain/rpc/faults.js'
import { SwapError } from '../../engine/errors.js'
import { longestPause } from '../../platform/back-off.js'
import { StoreFault } from '../store/fault.js'
import type { HistoryStore, Leader, Leadership } from '../store/swap-row.js'
import type { HistoryChain } from './chain.js'
import { indexRound, reconsider, type Told } from './indexer.js'
import { requireSameChain } from './same-chain.js'

/** How often the head is looked at; and, by who waits, whether who leads has gone. */
const POLL_MS = 1_000

/** Pauses after failures. One process leads, so jitter would spread nothing. */
const backOff = { firstMs: 500, longestMs: 30_000 }

/** Times in a row that blocks may not link up with those that are kept before that is believed. */
const MISMATCHES = 3

/** What happens while a chain is followed. */
export type Following = Told & {
  /** This process writes from now on, as the leader of this epoch. */
  leads(epoch: number): void
  /** It does not any more: the lead was lost or let go of. */
  rests(): void
  /** Another one does. */
  waits(leader: Leader | undefined): void
  /** Caught up with the head, or not. */
  stands(standing: { readonly newest: number; readonly left: number }): void
  /** A round failed; there will be another one. */
  failed(error: unknown): void
  /** There will be no other one: the chain or the database is not the one that was indexed. */
  stopped(error: SwapError): void
}

/** What is to be followed, and how. */
export type Follow = {
  readonly chain: HistoryChain
  readonly store: HistoryStore
  readonly told: Following
  readonly signal: AbortSignal
  /** The first block that is wanted; the router's first one by default. */
  readonly from?: number | undefined
  /** Milliseconds between two looks at the head. */
  readonly every?: number | undefined
}

/** Waits, unless it is over. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => {})

/**
 * Indexes what there is and what comes, until the signal. Of several processes with one database one
 * writes and the others wait for its place.
 */
export async function follow({ chain, store, told, signal, from, every }: Follow): Promise<void> {
  let failures = 0
  let mismatches = 0
  let first = from
  while (!signal.aborted) {
    const leadership = await led(store, told, signal)
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
          await reconsider({ chain, store, leadership })
        }
        const indexing = { chain, store, leadership, told, signal: ended }
        const standing = await indexRound(indexing, { from: first })
        ;[failures, mismatches] = [0, 0]
        told.stands(standing)
        // A chain whose height went back may have been reset: its blocks are compared again.
        isNew = standing.newest < newest
        newest = standing.newest
        if (standing.left === 0) await pause(every ?? POLL_MS, ended)
      } catch (error) {
        if (ended.aborted) break
        mismatches = isMismatch(error) ? mismatches + 1 : 0
        if (isLasting(error) || (isMismatch(error) && mismatches >= MISMATCHES)) {
          await leadership.release().catch(told.failed)
          told.rests()
          return told.stopped(error)
        }
        // The oldest blocks go while others are read: the next round writes that down.
        if (!isHeightUnavailable(error)) told.failed(error)
        await pause(longestPause(backOff, ++failures), ended)
      }
    }
    await leadership.release().catch(told.failed)
    told.rests()
  }
}

/** The right to write, if nobody else has it; `never` where the database is not for us. */
async function led(
  store: HistoryStore,
  told: Following,
  signal: AbortSignal,
): Promise<Leadership | 'never' | undefined> {
  try {
    const leadership = await store.lead()
    told.leads(leadership.epoch)
    return leadership
  } catch (error) {
    if (signal.aborted) return undefined
    if (isLasting(error)) {
      told.stopped(error)
      return 'never'
    }
    if (error instanceof SwapError && error.code === 'BUSY')
      told.waits(await store.leader().catch(() => undefined))
    else told.failed(error)
    return undefined
  }
}

/** A block is not the child of the one before it: the chain is not the one that was indexed. */
export const isMismatch = (error: unknown): error is StoreFault =>
  error instanceof StoreFault && error.kind === 'unlinked'

/** What no waiting mends. */
const LASTING: ReadonlySet<string> = new Set(['corrupt', 'foreign', 'newer', 'decoder'])

const isLasting = (error: unknown): error is StoreFault =>
  error instanceof StoreFault && LASTING.has(error.kind)
