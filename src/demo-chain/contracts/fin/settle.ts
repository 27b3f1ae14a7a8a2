import { sortedCoins } from '../../modules/bank.js'
import { type Coin, type Message, type Storage, wireCoin } from '../../modules/contract.js'
import { pay as payment } from '../payment.js'
import { writeJson } from '../serde.js'
import { givenDenom, type View, wantedDenom } from './config.js'
import { chargeLevel, copyOf, type Group, groupsOf, takeFrom, totalOf } from './groups.js'
import type { BookSide } from './price.js'
import { saveEpochSum, savePool } from './storage.js'

/**
 * Stores the pools of these groups of one side, and sends each of their makers one swap with the sums of its levels.
 * The swap of a maker without a fill fails. FIN 1.0 skips a maker that owes nothing and keeps its offer
 * (docs/venues.md#maker-messages).
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
      const place = { side, price }
      savePool(storage, place, pool)
      if (ended !== undefined) saveEpochSum(storage, place, ended.epoch, ended.sum)
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
 * A payment; empty for an amount of zero. With a callback (base64) the recipient is called with the coins instead.
 */
export function pay(to: string, coins: readonly Coin[], callback?: string): Message[] {
  const due = sortedCoins(coins)
  return due.length === 0 ? [] : [payment(to, due, callback)]
}

/**
 * Matches the best base orders with the best quote orders, round by round, until a round makes a loss, which is
 * discarded (docs/venues.md#the-arbitrage-step). A round without any change repeats until the gas is used up.
 */
export function matchSides(view: View) {
  const sources = { base: groupsOf(view, 'base'), quote: groupsOf(view, 'quote') }
  const used = { base: [] as Group[], quote: [] as Group[] }
  const profit = { base: 0n, quote: 0n }
  let base = nextOf(sources.base)
  let quote = nextOf(sources.quote)
  while (base !== undefined && quote !== undefined) {
    chargeLevel(view)
    const trial = { base: copyOf(base), quote: copyOf(quote) }
    const sale = takeFrom(view.rules, trial.quote, totalOf(base))
    const purchase = takeFrom(view.rules, trial.base, sale.bought)
    if (purchase.bought < sale.sold || sale.bought < purchase.sold) break
    profit.base += purchase.bought - sale.sold
    profit.quote += sale.bought - purchase.sold
    replaceLast(used.base, base, trial.base)
    replaceLast(used.quote, quote, trial.quote)
    base = totalOf(trial.base) === 0n ? nextOf(sources.base) : trial.base
    quote = totalOf(trial.quote) === 0n ? nextOf(sources.quote) : trial.quote
  }
  return { ...used, profit }
}

const nextOf = (source: Iterator<Group, void>) => source.next().value as Group | undefined

/** Replaces a group in the list by its state after a later round. */
function replaceLast(list: Group[], before: Group, after: Group): void {
  if (list.at(-1) === before) list[list.length - 1] = after
  else list.push(after)
}
