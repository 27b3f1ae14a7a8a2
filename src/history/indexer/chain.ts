import type { ChainBlock } from '../../chain/trades/block.js'
import type { EarliestBlock } from '../../chain/trades/block-range.js'
import type { Viewer } from '../../chain/trades/view.js'
import { StoreFault } from '../store/fault.js'
import type { HistoryStore } from '../store/history-store.js'

/** The chain that the history reads: its blocks, and the market and affiliates around their swaps. */
export type HistoryChain = {
  /** Address of the router: only its events count. */
  readonly router: string
  /** @throws NodeFault */
  newest(): Promise<number>
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

/**
 * Whether the chain is the indexed one: the newest indexed block that it still has must have the same hash. A chain
 * that was reset has the same id and other blocks. `undefined` if no block can be compared.
 *
 * @throws NodeFault
 */
export async function isSameChain(
  chain: HistoryChain,
  store: HistoryStore,
): Promise<boolean | undefined> {
  const comparison = await compareNewest(chain, store)
  return comparison && comparison.kept === comparison.given
}

/**
 * @returns whether a block could be compared
 * @throws NodeFault, StoreFault `unlinked` for another chain
 */
export async function requireSameChain(chain: HistoryChain, store: HistoryStore): Promise<boolean> {
  const comparison = await compareNewest(chain, store)
  if (comparison === undefined) return false
  if (comparison.kept === comparison.given) return true
  throw new StoreFault('unlinked', 'the chain is not the one that was indexed', {
    why: `block ${comparison.height} has the hash ${comparison.given.slice(0, 12)}…, and ${comparison.kept.slice(0, 12)}… in the history: the chain was reset under the same id, or the node is on a fork`,
    hint: 'check the node; if the chain was reset, run `swap history --reindex`, or name a new file with --database to keep the old history',
    members: { height: comparison.height },
  })
}

async function compareNewest(chain: HistoryChain, store: HistoryStore) {
  const stored = await store.knownBlock(await chain.newest())
  if (stored === undefined || stored.height < (await chain.earliest()).height) return undefined
  const { hash } = await chain.block(stored.height)
  return { height: stored.height, kept: stored.hash, given: hash.toUpperCase() }
}
