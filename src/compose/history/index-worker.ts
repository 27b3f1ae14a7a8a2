import type { MessagePort } from 'node:worker_threads'
import { reasonOf, SwapError } from '../../engine/errors.js'
import { type FollowerEvents, follow } from '../../history/indexer/follow.js'
import type { HistoryFigures, HistoryStore, Leader } from '../../history/store/history-store.js'
import { openHistory, type StorePlace } from '../../history/store/open.js'
import { pause } from '../../platform/pause.js'
import { type IndexedChain, openIndexed } from './history-chain.js'
import { pollFigures } from './store.js'

/** The task of an indexing thread. */
export type IndexTask = {
  readonly place: StorePlace
  readonly indexed: IndexedChain
  /** The first block to index; the router's first one by default. */
  readonly from: number | undefined
}

/** Messages of the thread. */
export type IndexReport =
  | { readonly is: 'leading'; readonly epoch: number }
  | { readonly is: 'resigned' }
  | { readonly is: 'waiting'; readonly leader: Leader | undefined }
  | { readonly is: 'wrote'; readonly height: number; readonly quarantined: number }
  | { readonly is: 'progress'; readonly newest: number; readonly left: number }
  | {
      readonly is: 'pruned'
      readonly from: number
      readonly to: number
      readonly silent: readonly string[]
    }
  | { readonly is: 'forgot'; readonly from: number; readonly to: number }
  | { readonly is: 'failed'; readonly reason: string }
  | { readonly is: 'blocked'; readonly reason: string }
  | { readonly is: 'stopped'; readonly reason: string }
  | { readonly is: 'holds'; readonly figures: HistoryFigures }
  | { readonly is: 'unreadable'; readonly reason: string }

/** Pause before a database that failed to open is opened again, in milliseconds. */
const REOPEN_MS = 5_000

/**
 * Indexes on a thread of its own, so that reading blocks and database writes never delay answers. After
 * `close` it ends with the blocks read so far.
 */
export async function indexFor(port: MessagePort, task: IndexTask): Promise<void> {
  const ending = new AbortController()
  port.on('message', () => ending.abort())
  const send = (report: IndexReport): void => port.postMessage(report)
  const events = eventsTo(send)
  try {
    let isReplaced = true
    while (isReplaced && !ending.signal.aborted)
      isReplaced = await indexOpened(task, events, send, ending.signal)
  } catch (error) {
    events.stopped(error)
  } finally {
    port.close()
  }
}

/** Opens the database and indexes. @returns whether its file was replaced and has to be opened again */
async function indexOpened(
  task: IndexTask,
  events: WorkerEvents,
  send: (report: IndexReport) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const store = await openStore(task.place, events, signal)
  if (store === undefined) return false
  const stopPolling = pollFigures(() => store.figures(), {
    holds: (figures) => send({ is: 'holds', figures }),
    unreadable: (reason) => send({ is: 'unreadable', reason }),
  })
  try {
    const { chain, close } = await openIndexed(task.indexed)
    // A node that hangs would delay the end of the thread.
    signal.addEventListener('abort', close, { once: true })
    await follow({ chain, store, events, from: task.from, signal }).finally(close)
    return store.isReplaced()
  } finally {
    stopPolling()
    await store.close()
  }
}

async function openStore(
  place: StorePlace,
  events: FollowerEvents,
  signal: AbortSignal,
): Promise<HistoryStore | undefined> {
  while (!signal.aborted) {
    try {
      // This thread does nothing else, so blocking file access is fine.
      return await openHistory({ ...place, here: true })
    } catch (error) {
      // A database of another chain or version is a permanent failure.
      if (!(error instanceof SwapError) || error.code === 'INVALID_REQUEST') throw error
      events.failed(error)
      await pause(REOPEN_MS, signal)
    }
  }
  return undefined
}

type WorkerEvents = FollowerEvents & { stopped(error: unknown): void }

const eventsTo = (send: (report: IndexReport) => void): WorkerEvents => ({
  leading: (epoch) => send({ is: 'leading', epoch }),
  resigned: () => send({ is: 'resigned' }),
  waiting: (leader) => send({ is: 'waiting', leader }),
  wrote: ({ height, quarantined }) => send({ is: 'wrote', height, quarantined }),
  progress: ({ newest, left }) => send({ is: 'progress', newest, left }),
  pruned: ({ from, to }, silent) => send({ is: 'pruned', from, to, silent }),
  forgot: ({ from, to }) => send({ is: 'forgot', from, to }),
  failed: (error) => send({ is: 'failed', reason: reportedReason(error) }),
  blocked: (error) => send({ is: 'blocked', reason: reportedReason(error) }),
  stopped: (error) => send({ is: 'stopped', reason: reportedReason(error) }),
})

/** The message of a failure; for a bug its stack. */
const reportedReason = (error: unknown): string =>
  error instanceof Error && !(error instanceof SwapError) && error.stack !== undefined
    ? error.stack
    : reasonOf(error)
