import { sortedCoins } from '../../wasm/coins.js'
import type { Coin, Message, Storage } from '../../wasm/contract.js'
import { pay as payment } from '../payment.js'
import { wireCoin, writeJson } from '../serde.js'
import { givenDenom, wantedDenom } from './config.js'
import type { Group } from './groups.js'
import { saveEpochSum, savePool } from './ledger.js'
import type { BookSide } from './price.js'
import type { View } from './view.js'

/**
 * Stores the pools of these groups of one side, and sends each of their makers one swap with the sums
 * of its levels, also one that was not taken from: that swap fails. FIN 1.0 skips a maker that owes
 * nothing and keeps its offer (docs/venues.md#maker-messages).
 */
export function commitGroups(
  view: View,
  storage: Storage,
  side: BookSide,
  groups: Iterable<Group>,
): Message[] {
  const makers = new Map<string, { sold: bigint; bought: bigint }>()
  for (const { pools, levels } of groups) {
    for (const { price, pool, ended } of pools) {
      savePool(storage, side, price, pool)
      if (ended !== undefined) saveEpochSum(storage, side, price, ended.epoch, ended.sum)
    }
    for (const { maker, sold, bought } of levels) {
      const sum = makers.get(maker) ?? { sold: 0n, bought: 0n }
      makers.set(maker, { sold: sum.sold + sold, bought: sum.bought + bought })
    }
  }
  const paid = wantedDenom(view.config, side)
  const asked = givenDenom(view.config, side)
  return view.config.makers.flatMap((maker) => {
    const sum = makers.get(maker)
    return sum === undefined || (view.version === '1.0' && sum.bought === 0n)
      ? []
      : [swapAt(maker, { denom: paid, amount: sum.sold }, { denom: asked, amount: sum.bought })]
  })
}

const swapAt = (maker: string, offer: Coin, asked: Coin): Message => ({
  kind: 'execute',
  contract: maker,
  message: writeJson({ swap: { min_return: wireCoin(asked), to: null, callback: null } }),
  funds: sortedCoins([offer]),
})

/**
 * A payment, none when there is nothing to pay. With a callback (base64) the recipient is called with
 * the coins instead.
 */
export function pay(to: string, coins: readonly Coin[], callback?: string): Message[] {
  const due = sortedCoins(coins)
  const data = callback === undefined ? undefined : Buffer.from(callback, 'base64')
  return due.length === 0 ? [] : [payment(to, due, data)]
}
