import type { ChainBlock } from '../../chain/trades/block.js'
import type { EarliestBlock } from '../../chain/trades/block-range.js'
import type { Viewer } from '../../chain/trades/view.js'
import type { Heights } from '../../operations/history/history-port.js'
import type { CommitTotals, HistoryStore, Leadership } from '../store/history-store.js'

/** The chain that the history reads: its blocks, and the market and affiliates around their swaps. */
export type HistoryChain = {
  /** Address of the router: only its events count. */
  readonly router: string
  /** The newest block that can be indexed: two nodes have it, where two make blocks. @throws NodeFault */
  newest(): Promise<number>
  /** Blocks after it that one node alone names; 0 where its lead is that of a block just made. @throws NodeFault */
  unshared(): Promise<number>
  /** The first block that at least one node that answers still has. @throws NodeFault */
  earliest(): Promise<EarliestBlock>
  /** The height at which the router was instantiated. @throws NodeFault, InvalidChain */
  creation(): Promise<number>
  /** @throws NodeFault */
  block(height: number): Promise<ChainBlock>
  /** A block as each node gives it that has the same one: their events may differ. @throws NodeFault */
  versions(block: ChainBlock): Promise<readonly ChainBlock[]>
  readonly viewer: Viewer
}

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
