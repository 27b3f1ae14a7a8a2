import type { ChainBlock } from '../../chain/trades/block.js'
import type { Viewer } from '../../chain/trades/view.js'

/** What the history needs of a chain: its blocks one by one, and what surrounds their swaps. */
export type HistoryChain = {
  /** Only what this contract says of itself counts. */
  readonly router: string
  /** @throws NodeFault */
  newest(): Promise<number>
  /** The first block that some node still has. @throws NodeFault */
  earliest(): Promise<number>
  /** The height at which the router was made. @throws NodeFault, InvalidChain */
  creation(): Promise<number>
  /** @throws NodeFault */
  block(height: number): Promise<ChainBlock>
  readonly viewer: Viewer
}
