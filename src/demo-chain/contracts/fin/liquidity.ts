import type { FinRules } from '../../../engine/market/venues/fin-rules.js'
import { levelRate, takeLevel } from '../../../engine/market/venues/maker-level.js'
import { poolFactor, type Taken } from '../../../engine/market/venues/resting-pool.js'
import { type Decimal, formatDecimal, inverse } from '../../../engine/math/decimal.js'
import type { Scaled } from '../../../engine/math/scaled.js'
import { Abort, ContractError } from '../../modules/contract.js'
import { GAS } from '../../modules/gas.js'
import { fieldsOf, read } from '../serde.js'
import { type BidPool, drawFrom } from './bid-pool.js'
import { type FinVersion, givenDenom, type View, wantedDenom } from './config.js'
import { type BookSide, marketSide, type OrderPrice, priceText, rateOf } from './price.js'
import { loadPool, nonEmptyPrefix, type PriceKind, priceAfter } from './storage.js'

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

/** The gas location of a walk, in the node's words. */
export const chargeLevel = ({ call }: View): void => call.gas.charge(GAS.level, 'wasm contract')
const chargePool = ({ call }: View): void => call.gas.charge(GAS.pool, 'wasm contract')

/** The non-empty pools of one kind, best first, each read from storage when it is looked at. */
export function* poolSource(view: View, side: BookSide, kind: PriceKind): Iterator<PoolPart, void> {
  const { storage } = view.call
  const prefix = nonEmptyPrefix(side, kind)
  const ascending = storage.keys(prefix)
  for (const key of side === 'base' ? ascending : [...ascending].reverse()) {
    chargePool(view)
    const price = priceAfter(prefix, key)
    const rate = rateOf(price, view.oracle)
    if (side === 'base' && rate === 0n) throw noInverse()
    const factor = poolFactor(marketSide(side), rate)
    yield { rate, side, price, factor, pool: loadPool(storage, side, price), ended: undefined }
  }
}

const noInverse = () => new Abort('called `Option::unwrap()` on a `None` value')

type Quote = { readonly price: Decimal; readonly size: bigint; readonly data: string | undefined }

/** The levels of one maker, each queried when needed. A maker whose query fails has no more. */
export function* levelSource(view: View, side: BookSide, maker: string): Iterator<LevelPart, void> {
  const { tick } = view.config
  const denoms = {
    offer_denom: wantedDenom(view.config, side),
    ask_denom: givenDenom(view.config, side),
  }
  let before: { readonly price: string; readonly data: string | undefined } | undefined
  for (;;) {
    const quote = askMaker(view, maker, {
      min_price: before?.price ?? null,
      ...denoms,
      data: before?.data ?? null,
    })
    if (quote === undefined) return
    chargeLevel(view)
    const { price, size, data } = quote.level
    if (price === 0n && side === 'base') throw noInverse()
    const rate = levelRate(marketSide(side), tick, { price, size })
    yield { rate, side, maker, price, left: size, sold: 0n, bought: 0n }
    before = { price: quote.written, data }
  }
}

function askMaker(
  { call }: View,
  maker: string,
  quote: { readonly [key: string]: string | null },
): { readonly level: Quote; readonly written: string } | undefined {
  try {
    const answer = call.querier.smart(maker, { quote })
    if (answer === null) return undefined
    const fields = fieldsOf('rujira_rs::bow::QuoteResponse', answer)
    return {
      level: {
        price: fields.decimal('price'),
        size: fields.uint128('size'),
        data: fields.optional('data', read.text),
      },
      written: fields.text('price'),
    }
  } catch (error) {
    if (error instanceof ContractError) return undefined
    throw error
  }
}
