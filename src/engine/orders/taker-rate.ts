import type { Book } from '../market/book.js'
import { groupsOf } from '../market/compiled-side.js'
import { opposite, type Side } from '../market/pair.js'
import { ContractFailure, isRefusal } from '../market/refusal.js'
import { type Walk, walk } from '../market/walk.js'
import {
  ArithmeticAbort,
  BPS,
  ceilDiv,
  type Decimal,
  decimal,
  divFloor,
  mulCeil,
} from '../math/decimal.js'
import { lastFalse } from '../math/integers.js'
import { type Rational, rational } from '../math/rational.js'
import { priceOnTick } from './ladder.js'

/** An order that takes an amount of the base token at once: an ask sells it, a bid buys it. */
export type TakerOrder = { readonly side: Side; readonly amount: bigint }

/** The last group of the opposite side that an order takes, and how much of that side's depth it takes. */
export type TakerRate = { readonly rate: Decimal; readonly depthUsed: Rational }

/**
 * The liquidity for an order after the arbitrage step; `undefined` if the side has less than the amount, or less
 * before the level at which the contract aborts, or the step is refused.
 */
export const takerRate = (book: Book, order: TakerOrder): TakerRate | undefined =>
  isRefusal(book.afterArbitrage())
    ? undefined
    : unlessAborted(() => lastTaken(book, order), undefined)

/** The result of a computation, or another one where the contract aborts. */
function unlessAborted<T>(compute: () => T, otherwise: T): T {
  try {
    return compute()
  } catch (error) {
    if (error instanceof ContractFailure || error instanceof ArithmeticAbort) return otherwise
    throw error
  }
}

function lastTaken(book: Book, { side, amount }: TakerOrder): TakerRate | undefined {
  const against = opposite(side)
  let remaining = amount
  let taken = 0n
  for (const { rate, pools, levels } of groupsOf(book.executedSide(against))) {
    const parts = [...pools, ...levels].filter(({ factor }) => factor > 0n)
    const size = parts.reduce((sum, part) => sum + part.size, 0n)
    const base =
      side === 'bid'
        ? size
        : parts.reduce((sum, part) => sum + divFloor(part.size, part.factor), 0n)
    if (base < remaining) {
      remaining -= base
      taken += size
      continue
    }
    const depth = book.depth(against)
    taken += (size * remaining) / base
    return { rate, depthUsed: rational(taken, depth > 0n ? depth : 1n) }
  }
  return undefined
}

/**
 * What an order that buys an amount of the base token offers, in the quote denom: the least for which the book
 * pays the amount before its fee, up to the limit, rounded up. Where it pays less than the amount, what that part
 * costs, and the rest at the limit. The pair spends all of an offer, so that more would buy more than the amount.
 */
function offerToBuy(book: Book, amount: bigint, limit: Decimal): bigint {
  const most = mulCeil(amount, limit)
  const after = book.afterArbitrage()
  if (isRefusal(after)) return most
  // No offer at which the contract aborts is found.
  const walked = (offer: bigint) =>
    unlessAborted<Pick<Walk, 'gross' | 'sold'>>(() => walk(after.state, 'ask', offer, limit), {
      gross: 0n,
      sold: 0n,
    })
  const { gross, sold } = walked(most)
  const offer = sold + mulCeil(amount - gross, limit)
  if (gross < amount) return offer < most ? offer : most
  return lastFalse(0n, most, (less) => walked(less).gross >= amount) + 1n
}

/** What an order for an amount of the base token offers, in the denom that its side gives. */
export const takerOffer = (book: Book, { side, amount }: TakerOrder, limit: Decimal): bigint =>
  side === 'ask' ? amount : offerToBuy(book, amount, limit)

/**
 * The limit of an order at a rate less a tolerance: below the rate for an ask, above it for a bid, on the tick,
 * rounded in the owner's favour where the tick has such a price.
 */
export function takerLimit(side: Side, rate: Decimal, slippageBps: number, tick: number): Decimal {
  const share = BPS - BigInt(slippageBps)
  return priceOnTick(
    side,
    decimal(side === 'ask' ? ceilDiv(rate * share, BPS) : (rate * BPS) / share),
    tick,
  )
}
