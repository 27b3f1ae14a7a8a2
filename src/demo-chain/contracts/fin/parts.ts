import type { FinRules } from '../../../engine/market/venues/fin-rules.js'
import { takeLevel } from '../../../engine/market/venues/maker-level.js'
import type { Taken } from '../../../engine/market/venues/resting-pool.js'
import { type Decimal, formatDecimal, inverse } from '../../../engine/math/decimal.js'
import type { Scaled } from '../../../engine/math/scaled.js'
import { type BidPool, drawFrom } from './bid-pool.js'
import type { FinVersion } from './config.js'
import { type BookSide, type OrderPrice, priceText } from './price.js'

/** A pool of limit orders while it is being taken from. Owned and changed by one walk. */
export type PoolPart = {
  readonly rate: Decimal
  readonly side: BookSide
  readonly price: OrderPrice
  /** Bought per sold. */
  readonly factor: Decimal
  pool: BidPool
  /** The epoch that was ended by draining the pool, with the sum at its end. */
  ended: { readonly epoch: number; readonly sum: Scaled } | undefined
}

/** One level of a market maker while it is being taken from. Owned and changed by one walk. */
export type LevelPart = {
  readonly rate: Decimal
  readonly side: BookSide
  readonly maker: string
  /** Received per offered. */
  readonly price: Decimal
  left: bigint
  sold: bigint
  bought: bigint
}

/** Takes from a pool. @throws ContractError `DistributionError` */
export function takeFromPool(rules: FinRules, part: PoolPart, offer: bigint): Taken {
  const { epoch } = part.pool
  const drawn = drawFrom(rules, part.factor, part.pool, offer)
  part.pool = drawn.pool
  if (drawn.ended !== undefined) part.ended = { epoch, sum: drawn.ended }
  return drawn.taken
}

/** Takes from a maker's level. @throws ArithmeticAbort where 128 bits do not hold it. */
export function takeFromLevel(part: LevelPart, offer: bigint): Taken {
  const taken = takeLevel(part.price, part.left, offer)
  part.left -= taken.bought
  part.sold += taken.sold
  part.bought += taken.bought
  return taken
}

export const poolName = ({ price }: PoolPart): string => priceText(price)

/** A level as trades name it: its exact price as quote per base. */
export function levelName(version: FinVersion, { maker, price, side }: LevelPart): string {
  const named = formatDecimal(side === 'base' ? inverse(price) : price)
  return `${version === '1.0' ? 'mm' : maker}:${named}`
}
