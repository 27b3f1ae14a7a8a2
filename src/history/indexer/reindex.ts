import { SwapError } from '../../engine/errors.js'
import type { HistoryStore, Leadership } from '../store/swap-row.js'
import type { HistoryChain } from './chain.js'
import { isSameChain } from './same-chain.js'

/**
 * Deletes the index except its prices, so that every block is indexed again. Refused unless the chain
 * answers and still has every block with a swap, because those could not be restored.
 *
 * @throws NodeFault
 * @throws SwapError INVALID_REQUEST if swaps would be lost
 */
export async function restartIndex(
  chain: HistoryChain,
  store: HistoryStore,
  leadership: Leadership,
): Promise<void> {
  const [earliest, oldest] = [await chain.earliest(), await oldestSwap(store)]
  if (oldest !== undefined && oldest < earliest) throw wouldLose(oldest, earliest)
  // After a chain reset the stored prices belong to other blocks.
  await store.reindex(leadership, { prices: (await isSameChain(chain, store)) !== false })
}

/** The height of the oldest indexed swap. */
async function oldestSwap(store: HistoryStore): Promise<number | undefined> {
  const { swaps } = await store.state()
  if (swaps === 0) return undefined
  const { items } = await store.page({ by: 'latest' }, { page: swaps, limit: 1 })
  return items[0]?.height
}

const wouldLose = (oldest: number, earliest: number): SwapError =>
  new SwapError('INVALID_REQUEST', 'the index cannot be rebuilt without losing swaps', {
    why: `its oldest one is of block ${oldest}, and no node has blocks before ${earliest} any more`,
    hint: 'name an archive node with --rpc, or fill another database beside this one: --database',
    members: { oldest_indexed: oldest, earliest_held: earliest },
  })
