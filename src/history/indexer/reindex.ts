import { SwapError } from '../../engine/errors.js'
import type { HistoryStore, Leadership } from '../store/swap-row.js'
import type { HistoryChain } from './chain.js'
import { isSameChain } from './same-chain.js'

/**
 * Deletes the index except its prices, so that every block is indexed again. Refused unless the chain
 * answers and still has every block with a swap or an order, because those could not be restored.
 *
 * @param from the first block to index; the router's first one by default
 * @throws NodeFault
 * @throws SwapError INVALID_REQUEST if swaps or orders would be lost
 */
export async function restartIndex(
  chain: HistoryChain,
  store: HistoryStore,
  leadership: Leadership,
  from?: number | undefined,
): Promise<void> {
  const [earliest, oldest] = [await chain.earliest(), await oldestRow(store)]
  if (oldest !== undefined && oldest < earliest) throw wouldLose(oldest, earliest)
  const within = { from: from ?? (await chain.creation()), to: await chain.newest() }
  // After a chain reset the stored prices belong to other blocks.
  await store.reindex(leadership, {
    prices: (await isSameChain(chain, store)) !== false,
    within,
  })
}

/** The height of the oldest indexed swap or order. */
async function oldestRow(store: HistoryStore): Promise<number | undefined> {
  const latest = { by: 'latest' } as const
  const [swaps, orders] = [(await store.state()).swaps, await store.orders(latest, first)]
  const pages = [
    ...(swaps > 0 ? [await store.page(latest, { page: swaps, limit: 1 })] : []),
    ...(orders.total > 0 ? [await store.orders(latest, { page: orders.total, limit: 1 })] : []),
  ]
  const heights = pages.flatMap(({ items }) => items.map(({ height }) => height))
  return heights.length === 0 ? undefined : Math.min(...heights)
}

const first = { page: 1, limit: 1 }

const wouldLose = (oldest: number, earliest: number): SwapError =>
  new SwapError('INVALID_REQUEST', 'the index cannot be rebuilt without losing swaps or orders', {
    why: `its oldest one is of block ${oldest}, and no node has blocks before ${earliest} any more`,
    hint: 'name an archive node with --rpc, or fill another database beside this one: --database',
    members: { oldest_indexed: oldest, earliest_held: earliest },
  })
