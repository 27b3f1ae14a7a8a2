import { type Decimal, decimal, formatDecimal, ONE } from '../../math/decimal.js'
import { truncateCeil, truncateFloor } from '../../math/tick.js'
import type { Person } from '../genesis/people.js'
import { TICK } from '../market/ladder.js'
import { drawBetween } from '../market/random.js'
import { executeMessage } from '../tx/encode.js'
import { byDenom } from '../wasm/coins.js'
import type { Coin } from '../wasm/contract.js'
import { oneOf } from './chance.js'
import { ask, type Deed, decimalOf, type KnownPair, purse, type Setting } from './setting.js'

const MILLION = 1_000_000n

/** What a pair's base is worth in its quote, with all drift. */
const fairPrice = ({ worth }: Setting, { base, quote }: KnownPair): Decimal =>
  decimal((worth(base) * ONE) / worth(quote))

/** A price moved by millionths. */
const moved = (price: Decimal, millionths: bigint): Decimal =>
  decimal((price * (MILLION + millionths)) / MILLION)

type Shown = {
  readonly base: readonly { readonly price: string }[]
  readonly quote: readonly { readonly price: string }[]
}

/** How far a best price may be off before somebody trades it back, in millionths. */
const SLACK = 4_000n

/** Trades a pair whose best price has been left behind by what its tokens are worth. */
export function move(setting: Setting, person: Person): Deed | undefined {
  const pair = oneOf(setting.random, setting.pairs)
  const book = pair && ask<Shown>(setting, pair.address, { book: { limit: 1 } })
  if (!pair || !book) return undefined
  const fair = fairPrice(setting, pair)
  const [cheap, dear] = [book.base[0], book.quote[0]]
  const pays =
    cheap && decimalOf(cheap.price) < moved(fair, -SLACK)
      ? pair.quote
      : dear && decimalOf(dear.price) > moved(fair, SLACK)
        ? pair.base
        : undefined
  if (pays === undefined) return undefined
  const coin = purse(setting, person, pays, drawBetween(setting.random, [500n, 5000n]))
  if (coin.amount === 0n) return undefined
  // An order takes what is on the way to its price; cancelled at once, it leaves nothing behind.
  const side = pays === pair.quote ? 'quote' : 'base'
  const price = { fixed: formatDecimal(truncateFloor(fair, TICK)) }
  const order = [
    [side, price, `${coin.amount}`],
    [side, price, '0'],
  ]
  const text = JSON.stringify({ order: [order, null] })
  return { person, messages: [executeMessage(person.address, pair.address, text, [coin])] }
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
