import type { Side } from '../../engine/market/pair.js'
import type { BookLevel } from '../../engine/market/resting-orders.js'
import { paysNothing } from '../../engine/market/venues/resting-pool.js'
import {
  amount,
  decimalOf,
  type JsonCursor,
  member,
  refuse,
} from '../../engine/snapshot/json-cursor.js'
import { itemsUpTo } from './wire.js'

/** The two sides of a `book` answer: `asks` give base. */
export type BookPage = { readonly asks: readonly BookLevel[]; readonly bids: readonly BookLevel[] }

/**
 * A pair's `book` answer. The chain names a side after the denom that its orders give: its `base` list is our asks.
 * Consecutive levels may have equal prices; the order of levels is checked together with the makers. Levels that pay
 * nothing, which come last, are left out.
 *
 * @param limit requested levels a side; a longer list is malformed
 * @throws MalformedDocument
 */
export const decodeBook =
  (limit: number) =>
  (node: JsonCursor): BookPage => ({
    asks: levelsOf(member(node, 'base'), limit, 'ask'),
    bids: levelsOf(member(node, 'quote'), limit, 'bid'),
  })

const levelsOf = (node: JsonCursor, limit: number, side: Side): readonly BookLevel[] =>
  itemsUpTo(node, limit, 'levels').flatMap((level) => {
    const price = member(level, 'price')
    const rate = decimalOf(price)
    if (paysNothing(side, rate)) return []
    if (rate === 0n) return refuse(price, 'must be above zero')
    return { rate, total: amount(member(level, 'total')) }
  })
