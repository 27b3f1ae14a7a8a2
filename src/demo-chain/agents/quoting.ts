import { ceilDiv, type Decimal, formatDecimal, ONE } from '../../engine/math/decimal.js'
import { truncateCeil, truncateFloor } from '../../engine/math/tick.js'
import type { Agent } from '../genesis/known-accounts.js'
import { movedBy, TICK } from '../market/draw.js'
import { byDenom } from '../modules/bank.js'
import type { Coin } from '../modules/contract.js'
import { executeMessage } from '../tx/sign.js'
import {
  type Action,
  type AgentContext,
  affordableCoin,
  ask,
  decimalOf,
  type KnownPair,
  ownOrders,
  type RestingOrder,
} from './context.js'
import { fairPrice } from './market-making.js'
import { type Reference, referenceOf } from './prices.js'

type Side = RestingOrder['side']
const sides = ['base', 'quote'] as const

/** One update of a pair's quotes by an agent. */
type QuoteUpdate = {
  readonly context: AgentContext
  readonly agent: Agent
  readonly pair: KnownPair
  readonly reference: Reference
  readonly fair: Decimal
}

/** An entry of an order message: the amount to rest at a price; `null` only claims. */
type Entry = readonly [side: Side, price: { readonly fixed: string }, target: string | null]

type Level = { readonly price: string; readonly total: string }
type Book = { readonly [side in Side]: readonly Level[] }

/** Book levels per query. */
const LEVELS = 24

/** Deviation of a best price from the fair one, in millionths, above which agents trade it back. */
const SLACK = 1_500n

/**
 * Keeps one pair after another near its initial shape: trades best prices back to the fair one, and adds missing orders
 * on both sides.
 */
export function updateQuotes(context: AgentContext, agent: Agent): Action | undefined {
  const { pairs, agents, age } = context
  const turn = age * agents.mover.length + agents.mover.indexOf(agent)
  const pair = pairs[turn % pairs.length]
  const reference = pair && referenceOf(pair)
  const book = reference && ask<Book>(context, pair.address, { book: { limit: LEVELS } })
  if (!book) return undefined
  const round: QuoteUpdate = { context, agent, pair, reference, fair: fairPrice(context, pair) }
  const own = ownOrders(context, agent, pair)
  const wanted = wantedOrders(round, book, own)
  const taken = takeEntries(round, book)
  const messages =
    taken.length === 0
      ? [[...cancelEntries(own, wanted), ...placeEntries(own, wanted)]]
      : [
          [...cancelEntries(own, wanted), ...taken],
          [
            ...taken.map(([side, price]): Entry => [side, price, '0']),
            ...placeEntries(own, wanted),
          ],
        ]
  const sent = messages.filter((entries) => entries.length > 0)
  if (sent.length === 0) return undefined
  return { agent, messages: sent.map((entries) => orderMessage(round, entries)) }
}

const keyOf = (side: Side, price: string): string => `${side} ${price}`

const denomOf = ({ base, quote }: KnownPair, side: Side): string => (side === 'base' ? base : quote)

/** Fills orders beyond the fair price by an order at the fair price. */
function takeEntries(
  { context, agent, pair, reference, fair }: QuoteUpdate,
  book: Book,
): readonly Entry[] {
  const side = takingSide(book, fair)
  if (side === undefined) return []
  const coin = affordableCoin(context, agent, denomOf(pair, side), 2n * reference.depthUsd)
  const price = formatDecimal(truncateFloor(fair, TICK))
  return coin.amount === 0n ? [] : [[side, { fixed: price }, `${coin.amount}`]]
}

/** The side of an order that takes the best price of the other side, if that is beyond the fair price. */
function takingSide({ base: [cheap], quote: [dear] }: Book, fair: Decimal): Side | undefined {
  if (cheap && decimalOf(cheap.price) < movedBy(fair, -SLACK)) return 'quote'
  return dear && decimalOf(dear.price) > movedBy(fair, SLACK) ? 'base' : undefined
}

/** The wanted resting atomics, by side and price. */
function wantedOrders(
  round: QuoteUpdate,
  book: Book,
  own: readonly RestingOrder[],
): ReadonlyMap<string, { readonly entry: readonly [Side, string]; readonly amount: bigint }> {
  const { context, agent, pair, reference } = round
  const tended = sides.filter((side) => side === 'quote' || reference.hasAsks)
  const rows = tended.flatMap((side) => {
    const prices = pricesOf(round, side).filter((price) => !touches(book, side, price))
    const missing = missingUsd(round, book, own, side, prices)
    const parts = BigInt((prices.length * (prices.length + 1)) / 2)
    return prices.map((price, i) => {
      const dollars = (missing * BigInt(i + 1)) / parts
      const { amount } = affordableCoin(context, agent, denomOf(pair, side), dollars)
      return [keyOf(side, price), { entry: [side, price] as const, amount }] as const
    })
  })
  return new Map(rows.filter(([, { amount }]) => amount > 0n))
}

const MILLION = 1_000_000n

/**
 * Prices of a side, outwards from the fair price. They are on a grid around the initial price, so that prices recur and
 * the number of pools stays bounded.
 */
function pricesOf({ reference, fair }: QuoteUpdate, side: Side): readonly string[] {
  const { anchor, rungs } = reference
  const { nearest, step, count } = rungs
  const sign = side === 'base' ? 1n : -1n
  const edge = movedBy(fair, sign * nearest)
  // Steps between the anchor and the edge, away from the middle.
  const off = sign * (((edge - anchor) * MILLION) / anchor)
  const first = off >= 0n ? off / step + 1n : -(-off / step)
  const cut = side === 'base' ? truncateCeil : truncateFloor
  return Array.from({ length: count }, (_, i) =>
    formatDecimal(cut(movedBy(anchor, sign * (first + BigInt(i)) * step), TICK)),
  )
}

/** Whether an order would touch or cross the best price of the other side. */
function touches(book: Book, side: Side, price: string): boolean {
  const best = book[side === 'base' ? 'quote' : 'base'][0]
  if (best === undefined) return false
  const off = decimalOf(price) - decimalOf(best.price)
  return side === 'base' ? off <= 0n : off >= 0n
}

/** Dollars missing from the initial depth of a side up to the outermost price, in quarters of that depth. */
function missingUsd(
  { context, pair, reference }: QuoteUpdate,
  book: Book,
  own: readonly RestingOrder[],
  side: Side,
  prices: readonly string[],
): bigint {
  const last = decimalOf(prices.at(-1) ?? '0')
  const isNear = (price: string) =>
    side === 'base' ? decimalOf(price) <= last : decimalOf(price) >= last
  const sum = (amounts: readonly string[]) => amounts.reduce((all, each) => all + BigInt(each), 0n)
  const resting = sum(book[side].flatMap(({ price, total }) => (isNear(price) ? [total] : [])))
  const mine = sum(
    own.flatMap((each) => (each.side === side && isNear(each.price.fixed) ? [each.remaining] : [])),
  )
  const others = ((resting > mine ? resting - mine : 0n) * context.worth(denomOf(pair, side))) / ONE
  const { depthUsd } = reference
  const quarters = others >= depthUsd ? 0n : ceilDiv(4n * (depthUsd - others), depthUsd)
  return (depthUsd * quarters) / 4n
}

type TargetOrders = ReturnType<typeof wantedOrders>

/** Cancels orders that are no longer wanted. */
const cancelEntries = (own: readonly RestingOrder[], wanted: TargetOrders): readonly Entry[] =>
  own
    .filter(({ side, price }) => !wanted.has(keyOf(side, price.fixed)))
    .map(({ side, price }) => [side, price, '0'])

/**
 * Places missing orders, replaces those that are off by more than a third, and claims filled ones. Orders are
 * replaced, not increased: an increase is not matched and could cross the other side.
 */
function placeEntries(own: readonly RestingOrder[], wanted: TargetOrders): readonly Entry[] {
  const placed = new Map(own.map((each) => [keyOf(each.side, each.price.fixed), each]))
  return [...wanted].flatMap(([key, { entry, amount }]): readonly Entry[] => {
    const [side, fixed] = entry
    const before = placed.get(key)
    const place: Entry = [side, { fixed }, `${amount}`]
    if (before === undefined) return [place]
    const off = amount - BigInt(before.remaining)
    if ((off < 0n ? -off : off) * 3n > amount) return [[side, { fixed }, '0'], place]
    return before.filled === '0' ? [] : [[side, { fixed }, null]]
  })
}

/** The message with coins for all of its orders; the contract returns the surplus. */
function orderMessage({ agent, pair }: QuoteUpdate, entries: readonly Entry[]) {
  const needs = (side: Side): Coin => {
    const targets = entries.map(([of, , target]) => (of === side ? BigInt(target ?? 0) : 0n))
    return { denom: denomOf(pair, side), amount: targets.reduce((sum, each) => sum + each, 0n) }
  }
  const funds = sides
    .map(needs)
    .filter(({ amount }) => amount > 0n)
    .sort(byDenom)
  const text = JSON.stringify({ order: [entries, null] })
  return executeMessage(agent.address, pair.address, text, funds)
}
