import type { ChainBlock } from '../../chain/trades/block.js'
import { StoreFault } from '../store/fault.js'
import type { HistoryStore } from '../store/history-store.js'
import type { HistoryChain, Indexing } from './indexing.js'

/** Indexed blocks with known hashes that a comparison may find false: more are those of another chain. */
const FALSE_BLOCKS = 10

/** The newest indexed block that the chain still has, compared by its hash. */
type Comparison =
  | { readonly is: 'same' }
  /** The chain has other blocks than those after `base` up to `to`, after which none is indexed: a node made them up. */
  | { readonly is: 'false'; readonly base: ChainBlock; readonly to: number }
  /** A chain that was reset has the same id and other blocks. */
  | { readonly is: 'other'; readonly fault: StoreFault }

/**
 * Compares the newest indexed block at or below a height, by default the newest one of the chain.
 *
 * @returns `undefined` if no block can be compared
 * @throws NodeFault
 */
export async function compareChain(
  chain: HistoryChain,
  store: HistoryStore,
  atMost?: number,
): Promise<Comparison | undefined> {
  const newest = await store.knownBlock(atMost ?? (await chain.newest()))
  const { height: earliest } = await chain.earliest()
  if (newest === undefined || newest.height < earliest) return undefined
  const { hash, results } = await chain.block(newest.height)
  const areResultsOther =
    results !== undefined && newest.results !== undefined && results !== newest.results
  if (hash === newest.hash && !areResultsOther) return { is: 'same' }
  let before = newest.isLast ? await store.knownBlock(newest.height - 1) : undefined
  for (let count = 1; count <= FALSE_BLOCKS && before && before.height >= earliest; count++) {
    const block = await chain.block(before.height)
    if (block.hash === before.hash) return { is: 'false', base: block, to: newest.height }
    before = await store.knownBlock(before.height - 1)
  }
  const fault = new StoreFault('unlinked', 'the chain is not the one that was indexed', {
    why: `block ${newest.height} has the hash ${hash.slice(0, 12)}…, and ${newest.hash.slice(0, 12)}… in the history: the chain was reset under the same id, or the node is on a fork`,
    hint: 'check the node; if the chain was reset, run `swap history --reindex`, or name a new file with --database to keep the old history',
    members: { height: newest.height },
  })
  return { is: 'other', fault }
}

/**
 * Whether the chain is the indexed one, apart from blocks that a node made up; `undefined` if no block can be compared.
 *
 * @throws NodeFault
 */
export async function isSameChain(
  chain: HistoryChain,
  store: HistoryStore,
): Promise<boolean | undefined> {
  const comparison = await compareChain(chain, store)
  return comparison && comparison.is !== 'other'
}

/** What may change the index while it is compared. */
type Comparing = Pick<Indexing, 'chain' | 'store' | 'leadership' | 'emit'>

/** Compares, and removes false blocks from the index, so that they are missing. @throws NodeFault, SwapError */
export async function removeFalse(
  { chain, store, leadership, emit }: Comparing,
  atMost?: number,
): Promise<Comparison | undefined> {
  const comparison = await compareChain(chain, store, atMost)
  if (comparison?.is !== 'false') return comparison
  const { base, to } = comparison
  await store.forget(leadership, base, to)
  emit({ is: 'forgot', from: base.height + 1, to })
  return comparison
}

/**
 * @returns whether a block could be compared
 * @throws NodeFault, StoreFault `unlinked` for another chain
 */
export async function requireSameChain(indexing: Comparing): Promise<boolean> {
  const comparison = await removeFalse(indexing)
  if (comparison?.is === 'other') throw comparison.fault
  return comparison !== undefined
}

/** Whether a block is not the child of the previous indexed one: one of them is of another chain. */
export const isMismatch = (error: unknown): error is StoreFault =>
  error instanceof StoreFault && error.kind === 'unlinked'
