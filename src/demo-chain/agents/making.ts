import { type Decimal, decimal, formatDecimal, ONE } from '../../engine/math/decimal.js'
import { truncateCeil, truncateFloor } from '../../engine/math/tick.js'
import type { Person } from '../genesis/people.js'
import { shiftedBy, TICK } from '../market/ladder.js'
import { drawBetween } from '../market/random.js'
import { executeMessage } from '../tx/encode.js'
import { byDenom } from '../wasm/coins.js'
import type { Coin } from '../wasm/contract.js'
import { oneOf } from './chance.js'
import { moved, referenceOf } from './reference.js'
import { ask, type Deed, decimalOf, type KnownPair, purse, type Setting } from './setting.js'

/**
 * What a pair's base is worth in its quote, with all drift. Pairs that were made to disagree with the
 * rest go on doing so: there is always a circle that pays.
 */
export function fairPrice({ worth }: Setting, pair: KnownPair): Decimal {
  const fair = decimal((worth(pair.base) * ONE) / worth(pair.quote))
  return shiftedBy(fair, referenceOf(pair)?.shift ?? 0n)
}

type Placed = {
  readonly side: string
  readonly price: { readonly fixed: string }
  readonly filled: string
}

/** Orders that one person leaves on a pair before the oldest goes. */
const PATIENCE = 6

/** Places an order on each side of a pair about its fair price, and clears away old ones. */
export function quote(setting: Setting, person: Person): Deed | undefined {
  const { random } = setting
  const pair = oneOf(random, setting.pairs)
  if (!pair) return undefined
  const fair = fairPrice(setting, pair)
  const spread = () => drawBetween(random, [1_500n, 15_000n])
  const bid = truncateFloor(moved(fair, -spread()), TICK)
  const offered = truncateCeil(moved(fair, spread()), TICK)
  const [gives, pays] = [pair.base, pair.quote].map((denom) =>
    purse(setting, person, denom, drawBetween(random, [300n, 4000n])),
  ) as [Coin, Coin]
  if (gives.amount === 0n || pays.amount === 0n || bid === 0n) return undefined
  const placed = [
    ['base', { fixed: formatDecimal(offered) }, `${gives.amount}`],
    ['quote', { fixed: formatDecimal(bid) }, `${pays.amount}`],
  ]
  const old = stale(setting, person, pair, fair)
  const text = JSON.stringify({ order: [[...old, ...placed], null] })
  const funds = [gives, pays].sort(byDenom)
  return { person, messages: [executeMessage(person.address, pair.address, text, funds)] }
}

/** Claims what was filled, and cancels what lies furthest from the price when there is too much. */
function stale(setting: Setting, { address }: Person, pair: KnownPair, fair: Decimal) {
  const answer = ask<{ orders: readonly Placed[] }>(setting, pair.address, {
    orders: { owner: address, limit: 31 },
  })
  const distance = ({ price }: Placed): bigint => {
    const off = decimalOf(price.fixed) - fair
    return off < 0n ? -off : off
  }
  const orders = [...(answer?.orders ?? [])].sort((a, b) => (distance(a) < distance(b) ? 1 : -1))
  const cancelled = orders.slice(0, Math.max(0, orders.length - PATIENCE))
  const claimed = orders.filter((each) => each.filled !== '0' && !cancelled.includes(each))
  return [
    ...cancelled.map(({ side, price }) => [side, price, '0']),
    ...claimed.map(({ side, price }) => [side, price, null]),
  ]
}
