import type { MessagePort } from 'node:worker_threads'
import { SwapError } from '../../engine/errors.js'
import { type Following, follow, pause } from '../../history/indexer/follow.js'
import { openHistory, type StorePlace } from '../../history/store/open.js'
import type { HistoryFigures, HistoryStore } from '../../history/store/swap-row.js'
import { type Indexed, openIndexed } from './chain.js'
import { lookAt } from './poll-chain.js'

/** What a thread is to index, and where. */
export type IndexTask = {
  readonly place: StorePlace
  readonly indexed: Indexed
  /** The first block that is wanted; the router's first one by default. */
  readonly from: number | undefined
  /** Milliseconds between two looks at the head. */
  readonly every: number
}

/** What the thread tells. */
export type IndexReport =
  | { readonly is: 'leads'; readonly epoch: number }
  | { readonly is: 'rests' }
  | { readonly is: 'waits'; readonly pid: number | undefined; readonly host: string | undefined }
  | {
      readonly is: 'wrote'
      readonly height: number
      readonly swaps: number
      readonly aside: number
    }
  | { readonly is: 'stands'; readonly newest: number; readonly left: number }
  | { readonly is: 'pruned'; readonly from: number; readonly to: number }
  | { readonly is: 'failed'; readonly reason: string }
  | { readonly is: 'stopped'; readonly reason: string }
  | { readonly is: 'holds'; readonly figures: HistoryFigures }
  | { readonly is: 'unreadable'; readonly reason: string }

/** The pause before a database is tried again that could not be opened. */
const OPEN_AGAIN_MS = 5_000

/**
 * Indexes on a thread of its own, so that neither reading blocks nor the database holds up who is
 * answered. Once asked to close, it ends after the batch that is under way.
 */
export async function indexFor(port: MessagePort, task: IndexTask): Promise<void> {
  const ending = new AbortController()
  port.on('message', () => ending.abort())
  const tell = (report: IndexReport): void => port.postMessage(report)
  const told = teller(tell)
  try {
    const store = await openedStore(task.place, told, ending.signal)
    if (store === undefined) return
    const unlook = lookAt(() => store.figures(), {
      holds: (figures) => tell({ is: 'holds', figures }),
      unreadable: (reason) => tell({ is: 'unreadable', reason }),
    })
    try {
      const { chain, close } = await openIndexed(task.indexed)
      const { from, every } = task
      await follow({ chain, store, told, from, every, signal: ending.signal }).finally(close)
    } finally {
      unlook()
      await store.close()
    }
  } catch (error) {
    told.stopped(error)
  } finally {
    port.close()
  }
}

async function openedStore(
  place: StorePlace,
  told: Following,
  signal: AbortSignal,
): Promise<HistoryStore | undefined> {
  while (!signal.aborted) {
    try {
      // This thread does nothing else, so the file may hold it up.
      return await openHistory({ ...place, here: true })
    } catch (error) {
      // A database of another chain or version stays one.
      if (!(error instanceof SwapError) || error.code === 'INVALID_REQUEST') throw error
      told.failed(error)
      await pause(OPEN_AGAIN_MS, signal)
    }
  }
  return undefined
}

type Teller = Following & { stopped(error: unknown): void }

const teller = (tell: (report: IndexReport) => void): Teller => ({
  leads: (epoch) => tell({ is: 'leads', epoch }),
  rests: () => tell({ is: 'rests' }),
  waits: (leader) => tell({ is: 'waits', pid: leader?.pid, host: leader?.host }),
  wrote: ({ height, swaps, quarantined }) =>
    tell({ is: 'wrote', height, swaps, aside: quarantined }),
  stands: ({ newest, left }) => tell({ is: 'stands', newest, left }),
  pruned: ({ from, to }) => tell({ is: 'pruned', from, to }),
  failed: (error) => tell({ is: 'failed', reason: reasonOf(error) }),
  stopped: (error) => tell({ is: 'stopped', reason: reasonOf(error) }),
})

function reasonOf(error: unknown): string {
  if (error instanceof SwapError) return `${error.message}: ${error.why ?? error.code}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
