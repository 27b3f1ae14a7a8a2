import { SwapError } from '../../engine/errors.js'
import type { HistoryStore, Leadership } from '../store/swap-row.js'
import type { HistoryChain } from './chain.js'
import { isSameChain } from './same-chain.js'

/**
 * Forgets everything but the prices, so that all of it is indexed again; but only when the chain answers
 * and still has every block with a swap. Nothing else could give those back.
 *
 * @throws NodeFault
 * @throws SwapError INVALID_REQUEST where swaps would be lost
 */
export async function restartIndex(
  chain: HistoryChain,
  store: HistoryStore,
  leadership: Leadership,
): Promise<void> {
  const [earliest, oldest] = [await chain.earliest(), await oldestSwap(store)]
  if (oldest !== undefined && oldest < earliest) throw wouldLose(oldest, earliest)
  // The prices of a chain that was reset are of other blocks.
  await store.reindex(leadership, { prices: (await isSameChain(chain, store)) !== false })
}

/** The height of the oldest swap that is kept. */
async function oldestSwap(store: HistoryStore): Promise<number | undefined> {
  const { swaps } = await store.state()
  if (swaps === 0) return undefined
  const { items } = await store.page({ by: 'latest' }, { page: swaps, limit: 1 })
  return items[0]?.height
}

const wouldLose = (oldest: number, earliest: number): SwapError =>
  new SwapError('INVALID_REQUEST', 'the index cannot be made anew without losing swaps', {
    why: `its oldest one is of block ${oldest}, and no node has blocks before ${earliest} any more`,
    hint: 'name an archive node with --rpc, or fill another database beside this one: --database',
    members: { oldest_indexed: oldest, earliest_held: earliest },
  })
