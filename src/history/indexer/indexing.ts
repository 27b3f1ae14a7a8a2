import type { Heights } from '../../operations/history/history-port.js'
import type { CommitTotals, HistoryStore, Leadership } from '../store/history-store.js'
import type { HistoryChain } from './chain.js'

/** What happens while blocks are indexed. */
export type IndexEvent =
  /** A batch was written; `height` is that of its last block. */
  | (CommitTotals & { readonly is: 'wrote'; readonly height: number })
  /** No node that answers gives these blocks; the silent ones may. */
  | (Heights & { readonly is: 'pruned'; readonly silent: readonly string[] })
  /** These indexed blocks differed from the chain, and are missing from now on. */
  | (Heights & { readonly is: 'forgot' })

/** Parameters of a round. */
export type Indexing = {
  readonly chain: HistoryChain
  readonly store: HistoryStore
  readonly leadership: Leadership
  emit(event: IndexEvent): void
  /** Ends the round after the current batch. */
  readonly signal: AbortSignal
}
