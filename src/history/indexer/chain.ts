import type { ChainBlock } from '../../chain/trades/block.js'
import type { EarliestBlock } from '../../chain/trades/block-range.js'
import type { Viewer } from '../../chain/trades/view.js'

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
