import type { Side } from '../market/pair.js'
import { type Decimal, decimal, floorDiv, formatDecimal, MAX_UINT128 } from '../math/decimal.js'
import { truncateCeil, truncateFloor } from '../math/tick.js'
import type { OrderFailure } from './order-failure.js'
import type { OrderEntry } from './order-message.js'

/** Maximum entries of a ladder; more do not fit the gas of a message. */
export const MOST_STEPS = 20

/** How a ladder divides its total: equally, or growing by equal amounts from its first step on. */
export type LadderWeight = 'flat' | 'linear'

/** Orders at evenly spaced prices, `from` first. `total` in atomics of the denom that the side gives. */
export type Ladder = {
  readonly side: Side
  readonly from: Decimal
  readonly to: Decimal
  /** 1 to `MOST_STEPS`. */
  readonly steps: number
  readonly weight: LadderWeight
  readonly total: bigint
}

/** The least price of `tick` significant figures: the contract aborts below it. */
const leastPrice = (tick: number): Decimal => decimal(10n ** BigInt(tick - 1))

/** The greatest price of `tick` significant figures that 128 bits, 39 digits, hold. */
export const greatestPrice = (tick: number): Decimal =>
  decimal(MAX_UINT128 - (MAX_UINT128 % 10n ** BigInt(39 - tick)))

/**
 * The nearest price on the tick that is no worse for the order's owner: a bid rounds down, an ask up.
 * Where there is none, the least price or the greatest one.
 */
export function priceOnTick(side: Side, price: Decimal, tick: number): Decimal {
  const [least, greatest] = [leastPrice(tick), greatestPrice(tick)]
  if (price <= least) return least
  if (price >= greatest) return greatest
  return side === 'bid' ? truncateFloor(price, tick) : truncateCeil(price, tick)
}

/** Writes a price in an error. */
export type ShowPrice = (price: Decimal) => string

/** The error if no price on the tick is good enough for the owner; `undefined` if one is. */
export function beyondPrices(
  side: Side,
  price: Decimal,
  tick: number,
  show: ShowPrice,
): string | undefined {
  const onTick = priceOnTick(side, price, tick)
  if (side === 'bid' ? onTick <= price : onTick >= price) return undefined
  const end = side === 'bid' ? 'least' : 'greatest'
  return `prices have ${tick} significant figures: the ${end} is ${show(onTick)}, and ${show(price)} is beyond it`
}

/**
 * The entries of a ladder. Prices are rounded to the tick by `priceOnTick`; amounts are rounded so that
 * they add up to the total. Refused where two steps would have the same price, a step has no amount, or a
 * price is beyond those of the tick.
 */
export function ladderEntries(
  ladder: Ladder,
  tick: number,
  show: ShowPrice = formatDecimal,
): readonly OrderEntry[] | OrderFailure {
  const { side, steps, weight, total } = ladder
  const weights = Array.from({ length: steps }, (_, i) => (weight === 'flat' ? 1n : BigInt(i + 1)))
  const totalWeight = weights.reduce((sum, value) => sum + value, 0n)
  const entries: OrderEntry[] = []
  let weightSoFar = 0n
  for (const [i, each] of weights.entries()) {
    const previous = weightSoFar
    weightSoFar += each
    const target = (total * weightSoFar) / totalWeight - (total * previous) / totalWeight
    const evenPrice = stepPrice(ladder, i)
    const fixed = priceOnTick(side, evenPrice, tick)
    const beyondPrice = beyondPrices(side, evenPrice, tick, show)
    if (beyondPrice !== undefined) return invalidLadder(beyondPrice, 'invalid_price')
    if (target === 0n)
      return invalidLadder(`a total of ${total} gives nothing to step ${i + 1} of ${steps}`)
    if (entries.some(({ price }) => 'fixed' in price && price.fixed === fixed))
      return invalidLadder(
        `steps ${i} and ${i + 1} of ${steps} are both at ${show(fixed)}, since prices have ${tick} significant figures`,
      )
    entries.push({ side, price: { fixed }, target })
  }
  return entries
}

/** `from + (to − from)·i/(steps − 1)`, rounded in the owner's favour. */
function stepPrice({ side, from, to, steps }: Ladder, i: number): Decimal {
  if (i === 0) return from
  const distance = (to - from) * BigInt(i)
  const gaps = BigInt(steps - 1)
  return decimal(from + (side === 'bid' ? floorDiv(distance, gaps) : -floorDiv(-distance, gaps)))
}

const invalidLadder = (
  why: string,
  reason: 'invalid_ladder' | 'invalid_price' = 'invalid_ladder',
): OrderFailure => ({ refused: reason, why, contractText: undefined })
