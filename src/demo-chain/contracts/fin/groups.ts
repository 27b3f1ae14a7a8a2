import type { FinRules } from '../../../engine/market/venues/fin-rules.js'
import { levelRate, takeLevel } from '../../../engine/market/venues/maker-level.js'
import { type PoolFill, poolFactor } from '../../../engine/market/venues/resting-pool.js'
import { type Decimal, formatDecimal, inverse } from '../../../engine/math/decimal.js'
import type { Scaled } from '../../../engine/math/scaled.js'
import { attempt } from '../../../platform/attempt.js'
import { Abort, ContractError } from '../../modules/contract.js'
import { GAS } from '../../modules/gas.js'
import { fieldsOf, read } from '../serde.js'
import { type BidPool, drawFrom, NOTHING } from './bid-pool.js'
import { type FinVersion, givenDenom, type View, wantedDenom } from './config.js'
import { type BookSide, marketSide, type OrderPrice, rateOf } from './price.js'
import { loadPool, type PriceKind, poolPrices } from './storage.js'

/**
 * All liquidity on one side at one rate, filled together: at most a fixed and an oracle pool, and one level of each
 * maker in address order (docs/venues.md#groups). Mutated by one walk.
 */
export type Group = {
  /** Quote per base, truncated to the tick where a maker set it. */
  readonly rate: Decimal
  readonly pools: readonly PoolPart[]
  readonly levels: readonly LevelPart[]
}

type Part = PoolPart | LevelPart

/** The groups of one side, best first, read lazily. */
export function* groupsOf(view: View, side: BookSide): Generator<Group, void> {
  const sources: readonly Iterator<Part, void>[] = [
    poolSource(view, side, 'fixed'),
    poolSource(view, side, 'oracle'),
    ...view.config.makers.map((maker) => levelSource(view, side, maker)),
  ]
  /** The next part of each source; `undefined` until it is read, and at the end of the source. */
  const heads: (Part | undefined)[] = []
  for (;;) {
    for (const [at, source] of sources.entries()) heads[at] ??= source.next().value ?? undefined
    const parts = bestOf(side, heads)
    if (parts[0] === undefined) return
    for (const part of parts) heads[heads.indexOf(part)] = undefined
    yield {
      rate: parts[0].rate,
      pools: parts.filter((part) => 'pool' in part),
      levels: parts.filter((part) => 'maker' in part),
    }
  }
}

/** The parts at the best rate. */
function bestOf(side: BookSide, heads: readonly (Part | undefined)[]): readonly Part[] {
  const parts = heads.filter((head) => head !== undefined)
  const isBetter = (rate: Decimal, best: Decimal) => (side === 'base' ? rate < best : rate > best)
  let best: Decimal | undefined
  for (const { rate } of parts) if (best === undefined || isBetter(rate, best)) best = rate
  return parts.filter(({ rate }) => rate === best)
}

/** A copy of a group for a trial, which mutates it. */
export const copyOf = ({ rate, pools, levels }: Group): Group => ({
  rate,
  pools: pools.map((part) => ({ ...part })),
  levels: levels.map((part) => ({ ...part })),
})

/** Atomics left in a group, in the denom that the taker receives. */
export const totalOf = ({ pools, levels }: Group): bigint => inPools(pools) + inLevels(levels)

const inPools = (parts: readonly PoolPart[]): bigint =>
  parts.reduce((sum, { pool }) => sum + pool.total, 0n)

const inLevels = (parts: readonly LevelPart[]): bigint =>
  parts.reduce((sum, { left }) => sum + left, 0n)

/**
 * Fills from a group: the offer is divided among pools and makers in proportion to their size, rounded down for the
 * pools; an unused part is not offered to the others (docs/venues.md#shares-within-a-group). In 1.1 `sold` may exceed
 * the offer.
 */
export function takeFrom(rules: FinRules, { pools, levels }: Group, offer: bigint): PoolFill {
  if (levels.length === 0) return takePools(rules, pools, offer)
  if (pools.length === 0) return takeLevels(levels, offer)
  const resting = inPools(pools)
  const part = share(offer, resting, resting + inLevels(levels))
  return sumOf(takePools(rules, pools, part), takeLevels(levels, offer - part))
}

function takePools(rules: FinRules, [first, second]: readonly PoolPart[], offer: bigint): PoolFill {
  if (first === undefined) return NOTHING
  if (second === undefined) return takeFromPool(rules, first, offer)
  const part = share(offer, first.pool.total, first.pool.total + second.pool.total)
  return sumOf(takeFromPool(rules, first, part), takeFromPool(rules, second, offer - part))
}

/** Fills the makers in order, each with its share, rounded down, but at most the rest of the offer. */
function takeLevels(levels: readonly LevelPart[], offer: bigint): PoolFill {
  const total = levels.length === 1 ? 1n : inLevels(levels)
  let rest = offer
  let bought = 0n
  for (const level of levels) {
    if (rest === 0n) break
    const part = levels.length === 1 ? offer : share(offer, level.left, total)
    const taken = takeFromLevel(level, part < rest ? part : rest)
    rest -= taken.sold
    bought += taken.bought
  }
  return { sold: offer - rest, bought }
}

function share(offer: bigint, part: bigint, total: bigint): bigint {
  if (total === 0n) throw new ContractError('Denominator must not be zero')
  return (offer * part) / total
}

const sumOf = (a: PoolFill, b: PoolFill): PoolFill => ({
  sold: a.sold + b.sold,
  bought: a.bought + b.bought,
})

/** A pool of limit orders during a walk, which mutates it. */
type PoolPart = {
  readonly rate: Decimal
  readonly price: OrderPrice
  /** Bought per sold. */
  readonly factor: Decimal
  pool: BidPool
  /** The epoch that was ended by draining the pool, with the sum at its end. */
  ended: { readonly epoch: number; readonly sum: Scaled } | undefined
}

/** One level of a market maker during a walk, which mutates it. */
type LevelPart = {
  readonly rate: Decimal
  readonly maker: string
  /** Received per offered. */
  readonly price: Decimal
  left: bigint
  sold: bigint
  bought: bigint
}

/** Takes from a pool. @throws ContractError `DistributionError` */
function takeFromPool(rules: FinRules, part: PoolPart, offer: bigint): PoolFill {
  const { epoch } = part.pool
  const drawn = drawFrom(rules, part.factor, part.pool, offer)
  part.pool = drawn.pool
  if (drawn.ended !== undefined) part.ended = { epoch, sum: drawn.ended }
  return drawn.taken
}

/** Takes from a maker's level. @throws ArithmeticAbort where 128 bits do not hold it. */
function takeFromLevel(part: LevelPart, offer: bigint): PoolFill {
  const taken = takeLevel(part.price, part.left, offer)
  part.left -= taken.bought
  part.sold += taken.sold
  part.bought += taken.bought
  return taken
}

/** The name of a level in trade events: its exact price as quote per base. */
export function levelName(version: FinVersion, side: BookSide, level: LevelPart): string {
  const { maker, price } = level
  const named = formatDecimal(side === 'base' ? inverse(price) : price)
  return `${version === '1.0' ? 'mm' : maker}:${named}`
}

/** Charges gas for one level, with the node's name of the location. */
export const chargeLevel = ({ call }: View): void => call.gas.charge(GAS.level, 'wasm contract')

/** The non-empty pools of one kind, best first. */
function* poolSource(view: View, side: BookSide, kind: PriceKind): Iterator<PoolPart, void> {
  const { storage } = view.call
  for (const price of poolPrices(storage, side, kind)) {
    view.call.gas.charge(GAS.pool, 'wasm contract')
    const rate = rateOf(price, view.oracle)
    if (side === 'base' && rate === 0n) throw noInverse()
    const factor = poolFactor(marketSide(side), rate)
    yield { rate, price, factor, pool: loadPool(storage, { side, price }), ended: undefined }
  }
}

const noInverse = () => new Abort('called `Option::unwrap()` on a `None` value')

/** The levels of one maker, queried lazily; they end at a failed query. */
function* levelSource(view: View, side: BookSide, maker: string): Iterator<LevelPart, void> {
  const { tick } = view.config
  const denoms = {
    offer_denom: wantedDenom(view.config, side),
    ask_denom: givenDenom(view.config, side),
  }
  let before: ReturnType<typeof askMaker>
  for (;;) {
    const quote = askMaker(view, maker, {
      min_price: before?.written ?? null,
      ...denoms,
      data: before?.data ?? null,
    })
    if (quote === undefined) return
    chargeLevel(view)
    const { price, size } = quote
    if (price === 0n && side === 'base') throw noInverse()
    const rate = levelRate(marketSide(side), tick, { price, size })
    yield { rate, maker, price, left: size, sold: 0n, bought: 0n }
    before = quote
  }
}

const askMaker = (
  { call }: View,
  maker: string,
  quote: { readonly [key: string]: string | null },
) =>
  attempt(() => {
    const answer = call.querier.smart(maker, { quote })
    if (answer === null) return undefined
    const fields = fieldsOf('rujira_rs::bow::QuoteResponse', answer)
    return {
      price: fields.decimal('price'),
      /** The price as the maker writes it. */
      written: fields.text('price'),
      size: fields.uint128('size'),
      data: fields.optional('data', read.text),
    }
  }, ContractError)
