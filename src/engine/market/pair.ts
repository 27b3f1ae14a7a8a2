import type { Json } from '../errors.js'
import type { Decimal } from '../math/decimal.js'
import type { Scaled } from '../math/scaled.js'
import type { Denom } from './token.js'
import type { FinRules } from './venues/fin-rules.js'

/**
 * `ask`: resting offers of base, taken with quote. `bid`: resting offers of quote, taken with base.
 * The chain names a side after what its orders give: its `base` list is our asks.
 */
export type Side = 'ask' | 'bid'

/** Configuration of a pair. */
export type Pair = {
  readonly address: string
  readonly base: Denom
  readonly quote: Denom
  /** Significant figures of a price. */
  readonly tick: number
  /** Share of the output that the venue keeps, e.g. 0.0015. */
  readonly takerFee: Decimal
  readonly makerFee: Decimal
  readonly version: string | undefined
  readonly rules: FinRules
  /** The pair's oracle assets from its config; with them, orders may be oracle-priced. */
  readonly oracles: readonly [Json, Json] | null
  /** Concentrated ranges as the pair lists them: liquidity whose fills are not known to the atomic. */
  readonly ranges: readonly Json[]
}

/** All limit orders at one price, or at one distance from the oracle. */
export type RestingPool = {
  /** Quote atomics per base atomic. */
  readonly rate: Decimal
  /** The offered amount: base atomics on an ask, quote atomics on a bid. */
  readonly total: bigint
  /**
   * `fixed` and `oracle` pools are matched by the rule of pools. `unknown`: a level of a book whose
   * makers are not known, estimated by the rule of makers (docs/venues.md#levels-of-unknown-kind).
   */
  readonly origin: 'fixed' | 'oracle' | 'unknown'
  /** Distance from the oracle price of an `oracle` pool. */
  readonly bps?: number
  /** The pool's running sum and product; absent when only the book was seen. */
  readonly sum?: Scaled
  readonly product?: Scaled
  /** False when the level might be a fixed and an oracle pool at once, which round differently. */
  readonly certain: boolean
}

/** The limit orders of one side, each list best price first. */
export type RestingSide = {
  readonly fixed: readonly RestingPool[]
  readonly oracle: readonly RestingPool[]
  /** Set when more levels exist than were read: beyond this rate the side is unknown, not empty. */
  readonly knownTo: Decimal | undefined
}

/** One step of a maker: `price` is received per offered, `size` the maximum it pays. */
export type MakerLevel = { readonly price: Decimal; readonly size: bigint }

/** A constant-product maker, which determines everything it will quote. */
export type XykMaker = {
  readonly kind: 'xyk'
  readonly address: string
  readonly x: Denom
  readonly y: Denom
  readonly step: Decimal
  readonly minQuote: bigint
  readonly fee: Decimal
  /** Reserves in the strategy's state, not the maker's bank balance. */
  readonly reserveX: bigint
  readonly reserveY: bigint
}

/** A maker of which only the quoted levels are known: exact for one walk, unknown after a fill. */
export type QuotedMaker = {
  readonly kind: 'quoted'
  readonly address: string
  readonly asks: readonly MakerLevel[]
  readonly bids: readonly MakerLevel[]
  readonly asksTruncated: boolean
  readonly bidsTruncated: boolean
  /** True after a fill: its new levels are unknown. */
  readonly stale: boolean
}

/** A maker without an answer, which has no levels for the contract. */
type SilentMaker = { readonly kind: 'silent'; readonly address: string }

export type Maker = XykMaker | QuotedMaker | SilentMaker

/** The state of a pair, before or after a swap. */
export type PairState = {
  readonly pair: Pair
  readonly asks: RestingSide
  readonly bids: RestingSide
  /** In address order, in which the contract queries them. */
  readonly makers: readonly Maker[]
  /** The contract's own bank balances, if known. */
  readonly balances: { readonly base: bigint; readonly quote: bigint } | undefined
  /** False if something that affects fills is unknown (ranges, unseen makers). */
  readonly exact: boolean
}

export const restingOf = (state: PairState, side: Side): RestingSide =>
  side === 'ask' ? state.asks : state.bids

/** All pools of a side. */
export const poolsOf = ({ fixed, oracle }: RestingSide): readonly RestingPool[] => [
  ...fixed,
  ...oracle,
]

/** The sum of the pools of a side. */
export const totalOf = (side: RestingSide): bigint =>
  poolsOf(side).reduce((sum, pool) => sum + pool.total, 0n)

/**
 * The levels that a maker answered for a side. A constant-product maker has none, since its ladder follows from its
 * reserves, nor has one that was traded against since.
 */
export const quotedLevels = (maker: Maker, side: Side): readonly MakerLevel[] => {
  if (maker.kind !== 'quoted' || maker.stale) return []
  return side === 'ask' ? maker.asks : maker.bids
}

export const opposite = (side: Side): Side => (side === 'ask' ? 'bid' : 'ask')

/** A pair's two denoms: the traded asset and the one that prices are in. */
export type PairDenoms = Pick<Pair, 'base' | 'quote'>

/** The denom that a taker of this side pays. */
export const offerDenom = ({ base, quote }: PairDenoms, side: Side): Denom =>
  side === 'ask' ? quote : base

/** The denom that a taker of this side receives. */
export const askDenom = ({ base, quote }: PairDenoms, side: Side): Denom =>
  side === 'ask' ? base : quote

/** The side that an offer of this denom consumes, if it is one of the pair's. */
export const sideOf = (pair: Pair, offered: Denom): Side | undefined =>
  offered === pair.base ? 'bid' : offered === pair.quote ? 'ask' : undefined

/** Whether rate or distance `a` is served before `b`: asks ascend, bids descend. */
export const isBetter = <T extends Decimal | number>(side: Side, a: T, b: T): boolean =>
  side === 'ask' ? a < b : a > b

/** The denom of a pair that is not this one. */
export const otherDenom = ({ base, quote }: PairDenoms, denom: Denom): Denom =>
  denom === base ? quote : base

/** Caches results with the object, one for each side. */
export function keptBySide<Of extends object, Result extends object>(
  compute: (of: Of, side: Side) => Result,
): (of: Of, side: Side) => Result {
  const kept = new WeakMap<Of, Partial<Record<Side, Result>>>()
  return (of, side) => {
    const sides = kept.get(of) ?? {}
    kept.set(of, sides)
    return (sides[side] ??= compute(of, side))
  }
}
