import type { Json } from '../errors.js'
import {
  isBetter,
  type Pair,
  type PairState,
  type RestingPool,
  type RestingSide,
  type Side,
} from '../market/pair.js'
import {
  type BookLevel,
  disagreement,
  EMPTY_SIDE,
  restingFromBook,
  restingOfUnknownKind,
} from '../market/resting-orders.js'
import { finRules } from '../market/venues/fin-rules.js'
import { paysNothing } from '../market/venues/resting-pool.js'
import { ArithmeticAbort, type Decimal, ONE } from '../math/decimal.js'
import { SCALED_ONE, SCALED_ZERO } from '../math/scaled.js'
import { decodeMakers } from './decode-makers.js'
import {
  amount,
  decimalOf,
  flag,
  integer,
  isAbsent,
  items,
  type JsonCursor,
  member,
  optional,
  refuse,
  scaledOf,
  text,
} from './json-cursor.js'

/** The document names a side after what its orders give: `base` is our asks, `quote` our bids. */
const SIDES = [
  ['base', 'ask'],
  ['quote', 'bid'],
] as const

/**
 * One open pair of the document. Throws `MalformedDocument` at the first thing that is malformed or that
 * contradicts another part of it. `decoded` has the pools of earlier documents, by their objects; new ones are
 * added.
 */
export function decodePair(node: JsonCursor, decoded?: DecodedPools): PairState {
  const pair: PairState = { asks: EMPTY_SIDE, bids: EMPTY_SIDE, ...decodeBare(node) }
  const pools = member(node, 'pools')
  try {
    if (!isAbsent(pools)) return withPools(pair, pools, member(node, 'book'), decoded)
    return withBook(pair, member(node, 'book'), !isAbsent(member(node, 'makers')))
  } catch (error) {
    if (error instanceof ArithmeticAbort)
      return refuse(node, `its makers cannot be read as the contract reads them: ${error.message}`)
    throw error
  }
}

/** A pair whose pools were validated in an earlier `decodePair`: they are decoded on first use. */
export function decodePairLater(node: JsonCursor): PairState {
  const pools = member(node, 'pools')
  let asks: RestingSide | undefined
  let bids: RestingSide | undefined
  return {
    get asks() {
      return (asks ??= decodePools(member(pools, 'base'), 'ask', undefined))
    },
    get bids() {
      return (bids ??= decodePools(member(pools, 'quote'), 'bid', undefined))
    },
    ...decodeBare(node),
  }
}

/** A pair of the document without its resting orders. */
function decodeBare(node: JsonCursor): Omit<PairState, 'asks' | 'bids'> {
  const pair = decodeConfig(node)
  const makers = member(node, 'makers')
  return {
    pair,
    makers: optional(makers, decodeMakers) ?? [],
    balances: optional(member(node, 'balances'), decodeBalances),
    exact: pair.ranges.length === 0 && !isAbsent(makers),
  }
}

/** The configuration of a pair of the document. Throws `MalformedDocument`. */
export function decodeConfig(node: JsonCursor): Pair {
  const [base, quote] = [text(member(node, 'base')), text(member(node, 'quote'))]
  if (base === quote) return refuse(member(node, 'quote'), 'must differ from base')
  const version = optional(member(node, 'fin_version'), text)
  return {
    address: text(member(node, 'address')),
    base,
    quote,
    ...decodeTerms(node),
    version,
    rules: finRules(version),
    ranges: (optional(member(node, 'ranges'), items) ?? []).map(({ value }) => value as Json),
  }
}

/** The members that a pair's own configuration has under the same names. Throws `MalformedDocument`. */
export const decodeTerms = (
  node: JsonCursor,
): Pick<Pair, 'tick' | 'takerFee' | 'makerFee' | 'oracles'> => ({
  tick: integer(member(node, 'tick'), 1, 38),
  takerFee: decodeFee(member(node, 'fee_taker')),
  makerFee: decodeFee(member(node, 'fee_maker')),
  oracles: decodeOracles(member(node, 'oracles')),
})

function decodeFee(node: JsonCursor): Decimal {
  const fee = decimalOf(node)
  return fee < ONE ? fee : refuse(node, 'must be a share below 1')
}

function decodeOracles(node: JsonCursor): Pair['oracles'] {
  if (isAbsent(node)) return null
  const [first, second, ...more] = items(node)
  if (first === undefined || second === undefined || more.length > 0)
    return refuse(node, 'must be null or two assets')
  return [first.value as Json, second.value as Json]
}

const decodeBalances = (node: JsonCursor): PairState['balances'] => ({
  base: amount(member(node, 'base')),
  quote: amount(member(node, 'quote')),
})

function withPools(
  pair: PairState,
  pools: JsonCursor,
  book: JsonCursor,
  decoded: DecodedPools | undefined,
): PairState {
  const state = {
    ...pair,
    asks: decodePools(member(pools, 'base'), 'ask', decoded),
    bids: decodePools(member(pools, 'quote'), 'bid', decoded),
  }
  if (!state.pair.oracles && (state.asks.oracle[0] ?? state.bids.oracle[0]))
    return refuse(pools, 'must be fixed without oracles')
  if (isAbsent(book)) return state
  for (const [name, side] of SIDES) {
    const { levels, truncated } = decodeBook(state, book, name, side)
    const conflict = disagreement(state, side, levels, truncated)
    // A pair with ranges shows more in its book than its pools and makers hold.
    if (conflict !== undefined && state.exact) return refuse(member(book, name), conflict)
  }
  return state
}

function withBook(pair: PairState, book: JsonCursor, makersKnown: boolean): PairState {
  const [asks, bids] = SIDES.map(([name, side]) => {
    const { levels, truncated } = decodeBook(pair, book, name, side)
    if (truncated && levels.length === 0)
      return refuse(member(book, name), 'must have a level where it is truncated')
    if (!makersKnown) return restingOfUnknownKind(levels, truncated)
    const resting = restingFromBook(pair, side, levels, truncated)
    if (typeof resting === 'string') return refuse(member(book, name), resting)
    return isOrdered(side, resting.fixed)
      ? resting
      : refuse(member(book, name), 'must hold resting orders best first')
  })
  return { ...pair, asks: asks!, bids: bids! }
}

const isOrdered = (side: Side, pools: readonly RestingPool[]): boolean =>
  pools.every(({ rate, origin }, i) => {
    const previous = pools[i - 1]
    return previous === undefined || origin === 'unknown' || isBetter(side, previous.rate, rate)
  })

/**
 * The levels of one side. They have to be sorted, best first, unless a maker quotes: its levels are contained and
 * need not be sorted. `decodePair` checks what is left without them.
 */
function decodeBook(
  { makers }: PairState,
  book: JsonCursor,
  name: 'base' | 'quote',
  side: Side,
): { readonly levels: readonly BookLevel[]; readonly truncated: boolean } {
  const levels = items(member(book, name)).map((node) => ({
    rate: priceOf(member(node, 'price'), side),
    total: amount(member(node, 'total')),
    node,
  }))
  const ordered = makers.every((maker) => maker.kind === 'silent')
  for (const [i, { rate, node }] of levels.entries()) {
    const previous = levels[i - 1]
    if (ordered && previous && isBetter(side, rate, previous.rate))
      refuse(member(node, 'price'), 'must not be better than the level before it')
  }
  const truncatedNode = member(book, 'truncated')
  return {
    levels,
    truncated: isAbsent(truncatedNode) ? false : flag(member(truncatedNode, name)),
  }
}

function priceOf(node: JsonCursor, side: Side): Decimal {
  const price = decimalOf(node)
  if (price === 0n) return refuse(node, 'must be above zero')
  if (paysNothing(side, price)) return refuse(node, 'must be a price that has an inverse')
  return price
}

/** Pools by the objects of their documents. */
export type DecodedPools = WeakMap<object, RestingPool>

function decodePools(node: JsonCursor, side: Side, decoded: DecodedPools | undefined): RestingSide {
  const fixed: RestingPool[] = []
  const oracle: RestingPool[] = []
  for (const item of items(node)) {
    const document = item.value as object
    const pool = decoded?.get(document) ?? decodePool(item, side)
    decoded?.set(document, pool)
    const list = pool.origin === 'oracle' ? oracle : fixed
    const previous = list.at(-1)
    if (previous && !isBefore(side, previous, pool))
      refuse(member(item, 'price'), 'must be worse than the pool before it')
    if (pool.total > 0n) list.push(pool)
  }
  return { fixed, oracle, knownTo: undefined }
}

/** The order of two pools. Distances that differ may have the same rate, since rates are rounded. */
const isBefore = (side: Side, a: RestingPool, b: RestingPool): boolean =>
  b.bps === undefined
    ? isBetter(side, a.rate, b.rate)
    : isBetter(side, a.bps!, b.bps) && !isBetter(side, b.rate, a.rate)

function decodePool(node: JsonCursor, side: Side): RestingPool {
  const bps = member(node, 'bps')
  const base = {
    rate: priceOf(member(node, 'price'), side),
    total: amount(member(node, 'total')),
    sum: optional(member(node, 'sum'), scaledOf) ?? SCALED_ZERO,
    product: optional(member(node, 'product'), scaledOf) ?? SCALED_ONE,
    certain: true,
  }
  // A distance of -10000 leaves no price.
  return isAbsent(bps)
    ? { origin: 'fixed', ...base }
    : { origin: 'oracle', bps: integer(bps, -9_999, 32_767), ...base }
}
