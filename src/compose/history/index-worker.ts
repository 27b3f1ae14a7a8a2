import type { MessagePort } from 'node:worker_threads'
import { SwapError } from '../../engine/errors.js'
import { type FollowEvent, follow } from '../../history/indexer/follow.js'
import type { HistoryStore } from '../../history/store/history-store.js'
import { openHistory, type StorePlace } from '../../history/store/open.js'
import { pause } from '../../platform/clock.js'
import { type FailureFields, failureOf } from '../../service/metrics/log.js'
import { type IndexedChain, openIndexed } from './history-chain.js'
import { type FiguresReport, pollFigures } from './store.js'

/** The task of an indexing thread. */
export type IndexTask = {
  readonly place: StorePlace
  readonly indexed: IndexedChain
  /** The first block to index; the router's first one by default. */
  readonly from: number | undefined
}

/** Messages of the thread. */
export type IndexReport =
  | Exclude<FollowEvent, { readonly error: unknown }>
  | ({ readonly is: 'failed' | 'blocked' | 'stopped' } & FailureFields)
  | FiguresReport

/** Pause before a database that failed to open, or was replaced, is opened again, in milliseconds. */
const REOPEN_MS = 5_000

/**
 * Indexes on a thread of its own, so that reading blocks and database writes never delay answers. After
 * `close` it ends with the blocks read so far.
 */
export async function indexFor(port: MessagePort, task: IndexTask): Promise<void> {
  const ending = new AbortController()
  port.on('message', () => ending.abort())
  const send = (report: IndexReport): void => port.postMessage(report)
  const emit = (event: FollowEvent): void =>
    send('error' in event ? { is: event.is, ...failureOf(event.error) } : event)
  try {
    // One without a table counts as replaced each time.
    while (await indexOpened(task, emit, send, ending.signal)) await pause(REOPEN_MS, ending.signal)
  } catch (error) {
    emit({ is: 'stopped', error })
  } finally {
    port.close()
  }
}

/** Opens the database and indexes. @returns whether its file was replaced and has to be opened again */
async function indexOpened(
  task: IndexTask,
  emit: (event: FollowEvent) => void,
  send: (report: IndexReport) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const store = await openStore(task.place, emit, signal)
  if (store === undefined) return false
  const stopPolling = pollFigures(() => store.figures(), send)
  try {
    const { chain, close } = await openIndexed(task.indexed)
    const end = () => {
      signal.removeEventListener('abort', end)
      close()
    }
    // A node that hangs would delay the end of the thread.
    signal.addEventListener('abort', end)
    await follow({ chain, store, emit, from: task.from, signal }).finally(end)
    return store.isReplaced()
  } finally {
    stopPolling()
    await store.close()
  }
}

async function openStore(
  place: StorePlace,
  emit: (event: FollowEvent) => void,
  signal: AbortSignal,
): Promise<HistoryStore | undefined> {
  while (!signal.aborted) {
    try {
      // This thread does nothing else, so blocking file access is fine.
      return await openHistory({ ...place, here: true })
    } catch (error) {
      // A database of another chain or version is a permanent failure.
      if (!(error instanceof SwapError) || error.code === 'INVALID_REQUEST') throw error
      emit({ is: 'failed', error })
      await pause(REOPEN_MS, signal)
    }
  }
  return undefined
}
