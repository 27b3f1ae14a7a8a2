import type { Pair, Side } from '../../engine/market/pair.js'
import type { BookLevel } from '../../engine/market/resting-orders.js'
import { paysNothing } from '../../engine/market/venues/resting-pool.js'
import { decodeTerms } from '../../engine/snapshot/decode-pair.js'
import {
  amount,
  decimalOf,
  isAbsent,
  items,
  type JsonCursor,
  member,
  refuse,
  text,
} from '../../engine/snapshot/json-cursor.js'
import { type Question, smartQuery } from './questions.js'
import { itemsUpTo } from './wire.js'

/** The members of a pair's config that the reader needs; every version has them. */
export type PairConfig = Pick<
  Pair,
  'base' | 'quote' | 'tick' | 'takerFee' | 'makerFee' | 'oracles'
> & {
  /** Without duplicates, in the order in which the contract queries them. */
  readonly makers: readonly string[]
}

/** Most makers of a pair; longer lists are refused. */
const MOST_MAKERS = 64

/**
 * A pair's `config` answer. Version 1.0 has one maker or none, later ones a list; oracles are absent,
 * null, or two assets. Members that other versions add are ignored.
 *
 * @throws MalformedDocument
 */
export function decodeConfig(node: JsonCursor): PairConfig {
  const [base, quote, ...more] = items(member(node, 'denoms')).map(text)
  if (base === undefined || quote === undefined || more.length > 0)
    return refuse(member(node, 'denoms'), 'must be two denoms')
  if (base === quote) return refuse(member(node, 'denoms'), 'must be two different denoms')
  return {
    base,
    quote,
    ...decodeTerms(node),
    makers: decodeMakers(node),
  }
}

function decodeMakers(node: JsonCursor): readonly string[] {
  const [single, several] = [member(node, 'market_maker'), member(node, 'market_makers')]
  if (isAbsent(several)) return isAbsent(single) ? [] : [text(single)]
  return [...new Set(itemsUpTo(several, MOST_MAKERS, 'makers').map(text))].sort()
}

/** A pair's own configuration. */
export const pairConfig = (address: string): Question<PairConfig> =>
  smartQuery(address, { config: {} }, decodeConfig)

/** A contract's version, stored under `contract_info` (CW2). @throws MalformedDocument */
export const decodeVersion = (node: JsonCursor): string => text(member(node, 'version'))

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
