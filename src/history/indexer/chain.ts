import type { ChainBlock } from '../../chain/trades/block.js'
import type { Viewer } from '../../chain/trades/view.js'
import { StoreFault } from '../store/fault.js'
import type { HistoryStore } from '../store/swap-row.js'

/** The chain that the history reads: its blocks, and the market and affiliates around their swaps. */
export type HistoryChain = {
  /** Address of the router: only its events count. */
  readonly router: string
  /** @throws NodeFault */
  newest(): Promise<number>
  /** The first block that at least one node still has. @throws NodeFault */
  earliest(): Promise<number>
  /** The height at which the router was instantiated. @throws NodeFault, InvalidChain */
  creation(): Promise<number>
  /** @throws NodeFault */
  block(height: number): Promise<ChainBlock>
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
  const found = await compareNewest(chain, store)
  return found && found.kept === found.given
}

/** @throws NodeFault, StoreFault `unlinked` for another chain */
export async function requireSameChain(chain: HistoryChain, store: HistoryStore): Promise<void> {
  const found = await compareNewest(chain, store)
  if (found === undefined || found.kept === found.given) return
  throw new StoreFault('unlinked', 'the chain is not the one that was indexed', {
    why: `block ${found.height} has the hash ${found.given.slice(0, 12)}…, and ${found.kept.slice(0, 12)}… in the history: the chain was reset under the same id, or the node is on a fork`,
    hint: 'check the node; if the chain was reset, run `swap history --reindex`, or name a new file with --database to keep the old history',
    members: { height: found.height },
  })
}

async function compareNewest(chain: HistoryChain, store: HistoryStore) {
  const known = await store.knownBlock(await chain.newest())
  if (known === undefined || known.height < (await chain.earliest())) return undefined
  const { hash } = await chain.block(known.height)
  return { height: known.height, kept: known.hash, given: hash.toUpperCase() }
}
