import type { Coin } from '../../engine/market/token.js'
import { addCoin, coinsOf, sumsOf } from '../../engine/orders/coin-sums.js'
import type { OrderPreview } from '../../engine/orders/preview-order.js'

/**
 * The coins that an order message offers anew: what its entries take at once and what they add to the
 * book, also where orders that it cancels pay for that. Coins that are sent count at least: what of them
 * comes back depends on what rests when the message is executed.
 */
export function offeredCoins({
  entries,
  funds,
}: Pick<OrderPreview, 'entries' | 'funds'>): readonly Coin[] {
  const offered = sumsOf([])
  for (const { given, taken, added } of entries) addCoin(offered, given, taken.offered + added)
  for (const { denom, amount } of funds)
    if (amount > (offered.get(denom) ?? 0n)) offered.set(denom, amount)
  return coinsOf(offered)
}
