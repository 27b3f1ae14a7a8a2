import type { Heights } from '../../operations/history/history-port.js'
import type { CommitTotals, HistoryStore, Leadership } from '../store/history-store.js'
import type { HistoryChain } from './chain.js'

/** Totals of a written batch, and its last block. */
export type BatchTotals = CommitTotals & { readonly height: number }

/** Events while blocks are indexed. */
export type IndexerEvents = {
  wrote(written: BatchTotals): void
  /** No node that answers gives these blocks; the silent ones may. */
  pruned(range: Heights, silent: readonly string[]): void
  /** These indexed blocks differed from the chain, and are missing from now on. */
  forgot(range: Heights): void
}

/** Parameters of a round. */
export type Indexing = {
  readonly chain: HistoryChain
  readonly store: HistoryStore
  readonly leadership: Leadership
  readonly events: IndexerEvents
  /** Ends the round after the current batch. */
  readonly signal: AbortSignal
}
