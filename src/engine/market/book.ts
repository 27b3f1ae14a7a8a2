import { ArithmeticAbort } from '../math/decimal.js'
import { type AfterArbitrage, afterArbitrage } from './after-arbitrage.js'
import {
  balanceChange,
  fillMakers,
  isSent,
  type MakerOrder,
  makerOrders,
  moveBalances,
  restAfter,
} from './commit.js'
import { type CompiledSide, compileSide, groupsOf } from './compiled-side.js'
import { type FillTrail, fillSide, type SideFill } from './fill-side.js'
import {
  offerDenom,
  type PairState,
  quotedLevels,
  type RestingSide,
  restingOf,
  type Side,
  sideOf,
  totalOf,
} from './pair.js'
import { ContractFailure, isRefusal, type Refusal, refusal, refusalOf } from './refusal.js'
import { amountIn, type Coin } from './token.js'
import { xykReserves } from './venues/xyk.js'
import { type Trade, takerFee, walk } from './walk.js'

/** See `Book.depth`. */
const depthOf = (state: PairState, side: Side): bigint =>
  state.makers.reduce(
    (sum, maker) =>
      maker.kind === 'xyk'
        ? sum + xykReserves(maker, offerDenom(state.pair, side))[1]
        : quotedLevels(maker, side).reduce((total, { size }) => total + size, sum),
    totalOf(restingOf(state, side)),
  )

/** What one swap through a pair does, in atomics: `sold + unsold` is the offer. */
export type Fill = {
  readonly side: Side
  readonly sold: bigint
  /** The part of the offer that the book could not take; an execution refunds it. */
  readonly unsold: bigint
  /** Received, after the venue's fee. */
  readonly bought: bigint
  /** The venue's taker fee, in the denom received. */
  readonly fee: bigint
  /** Groups that were visited. */
  readonly groups: number
  /** Whether the numbers rest on complete knowledge of everything touched. */
  readonly exact: boolean
}

/** A fill level by level, and the pair that it leaves behind. */
export type Execution = Fill & {
  readonly trades: readonly Trade[]
  /** The arbitrage step's profit, which goes to the pair's fee address. */
  readonly profit: { readonly base: bigint; readonly quote: bigint }
  /** Payments to the makers for the swap itself, in the order of their messages. */
  readonly orders: readonly MakerOrder[]
  readonly after: Book
}

/** A pair prepared for many quotes. Derived data is computed on first use and cached; none depends on an offer. */
export type Book = {
  readonly state: PairState
  /** The pair after the step that every execution runs first (docs/venues.md#the-arbitrage-step). */
  afterArbitrage(): AfterArbitrage | Refusal
  /** The side as the contract's `simulate` query sees it, without the arbitrage step. */
  simulatedSide(side: Side): CompiledSide
  /** The side as used by an execution, after the arbitrage step. */
  executedSide(side: Side): CompiledSide
  /**
   * Depth of a side, in the denom that the taker receives: its pools, the reserves of its constant-product
   * makers and the levels of its other makers. The ladder of a reserve ends a little before the reserve does.
   */
  depth(side: Side): bigint
}

export function compileBook(state: PairState): Book {
  const simulated = sides(() => state)
  let arbitrage: AfterArbitrage | Refusal | undefined
  const arbitrageOnce = () => (arbitrage ??= afterArbitrage(state))
  const depths = new Map<Side, bigint>()
  const executed = sides(() => {
    const after = arbitrageOnce()
    return isRefusal(after) ? state : after.state
  })
  return {
    state,
    afterArbitrage: arbitrageOnce,
    simulatedSide: simulated,
    executedSide(side) {
      const after = arbitrageOnce()
      return isRefusal(after) || !after.changed ? simulated(side) : executed(side)
    },
    depth(side) {
      const depth = depths.get(side) ?? depthOf(state, side)
      depths.set(side, depth)
      return depth
    },
  }
}

function sides(state: () => PairState): (side: Side) => CompiledSide {
  let ask: CompiledSide | undefined
  let bid: CompiledSide | undefined
  return (side) =>
    side === 'ask' ? (ask ??= compileSide(state(), 'ask')) : (bid ??= compileSide(state(), 'bid'))
}

/**
 * What the pair's `simulate` query answers, in atomics: without the arbitrage step and without the
 * failures that only executions have (docs/venues.md#simulation-and-execution).
 */
export const simulateBook = (book: Book, offer: Coin): Fill | Refusal =>
  refusing(book, offer, (side) => {
    const fill = fillSide(book.simulatedSide(side), offer.amount)
    return netOf(book, side, fill, fill.certain)
  })

/**
 * What an execution of this offer pays, or why it would fail: the arbitrage step first, then the
 * matching, then the makers' messages (docs/venues.md#what-a-swap-executes).
 */
export const quoteBook = (book: Book, offer: Coin): Fill | Refusal =>
  refusing(book, offer, (side) => {
    const arbitrage = requireArbitrage(book, [offer])
    const fill = fillSide(book.executedSide(side), offer.amount)
    // Throws where a maker's message fails.
    for (const order of fill.orders) isSent(book.state.pair.rules, order)
    return netOf(book, side, fill, fill.certain && arbitrage.known)
  })

/** As `quoteBook`, walking level by level, with the trades and the resulting pair. */
export const executeBook = (book: Book, offer: Coin): Execution | Refusal =>
  refusing(book, offer, (side) => {
    const { arbitrage, known } = requireArbitrage(book, [offer])
    const { state } = arbitrage
    const groups = groupsOf(book.executedSide(side))
    const { trades, ...filled } = walk(state, side, offer.amount, undefined, groups)
    const liveGroups = trades.map((trade) => trade.live)
    const orders = makerOrders(state.pair.rules, liveGroups)
    const certain = filled.certain && known
    const fill = netOf(book, side, { ...filled, groups: trades.length }, certain)
    const rest = restAfter(state, side, liveGroups)
    const after = compileBook(stateAfter(state, side, filled, rest, orders, certain))
    return { trades, profit: arbitrage.profit, orders, after, ...fill }
  })

/** A fill, and the pair that it leaves behind. */
export type SettledFill = Fill & { readonly after: Book }

/** As `executeBook`, from the compiled side: without the trades, and without walking what is drained. */
export function settleBook(book: Book, offer: Coin): SettledFill | Refusal {
  const settled = refusing(book, offer, (side) => {
    const { arbitrage, known } = requireArbitrage(book, [offer])
    const { state } = arbitrage
    const compiled = book.executedSide(side)
    const trail: FillTrail = { liveGroups: [], drained: [] }
    const filled = fillSide(compiled, offer.amount, 'refused', trail)
    // The walk may call exact what the compiled form does not (docs/maths.md#exactness).
    if (!filled.certain) return undefined
    const orders = filled.orders
      .filter((order) => isSent(book.state.pair.rules, order))
      .sort((a, b) => a.maker - b.maker)
    const drained = trail.drained.flatMap(([from, to]) => compiled.groups.slice(from, to))
    const rest = restAfter(state, side, trail.liveGroups, drained)
    const after = stateAfter(state, side, filled, rest, orders, known)
    return { after: compileBook(after), ...netOf(book, side, filled, known) }
  })
  return settled ?? executeBook(book, offer)
}

/** The pair after a swap that leaves these resting orders and sends these messages. */
const stateAfter = (
  state: PairState,
  side: Side,
  filled: { readonly sold: bigint; readonly gross: bigint },
  rest: RestingSide,
  orders: readonly MakerOrder[],
  isExact: boolean,
): PairState => ({
  ...state,
  ...(side === 'ask' ? { asks: rest } : { bids: rest }),
  makers: fillMakers(state, side, orders),
  balances: moveBalances(
    state,
    balanceChange(side, filled.sold - totalSold(orders), totalAsked(orders) - filled.gross),
  ),
  exact: state.exact && isExact,
})

const totalSold = (orders: readonly MakerOrder[]): bigint =>
  orders.reduce((sum, order) => sum + order.sold, 0n)

const totalAsked = (orders: readonly MakerOrder[]): bigint =>
  orders.reduce((sum, order) => sum + order.asked, 0n)

function netOf(
  book: Book,
  side: Side,
  fill: Pick<SideFill, 'sold' | 'unsold' | 'gross' | 'groups'>,
  exact: boolean,
): Fill {
  const fee = takerFee(book.state.pair, fill.gross)
  const { sold, unsold, gross, groups } = fill
  return { side, sold, unsold, bought: gross - fee, fee, groups, exact }
}

/**
 * The arbitrage step, with its payments covered by the pair's balances and the coins that came with the
 * message. Throws `ContractFailure` where it fails.
 */
export function requireArbitrage(
  book: Book,
  funds: readonly Coin[],
): { readonly arbitrage: AfterArbitrage; readonly known: boolean } {
  const arbitrage = book.afterArbitrage()
  if (isRefusal(arbitrage)) throw new ContractFailure(arbitrage.refused, arbitrage.why)
  if (arbitrage.capital.base === 0n && arbitrage.capital.quote === 0n)
    return { arbitrage, known: arbitrage.certain }
  const { pair, balances } = book.state
  const holds = balances ?? { base: totalOf(book.state.asks), quote: totalOf(book.state.bids) }
  const shortSide = (['base', 'quote'] as const).find(
    (denom) => arbitrage.capital[denom] > holds[denom] + amountIn(funds, pair[denom]),
  )
  if (shortSide !== undefined && balances !== undefined)
    throw new ContractFailure(
      'arb_capital',
      `the pair's arbitrage step needs ${arbitrage.capital[shortSide]} ${pair[shortSide]} and the pair holds ${holds[shortSide]}`,
    )
  return { arbitrage, known: arbitrage.certain && shortSide === undefined }
}

function refusing<T>(book: Book, offer: Coin, swap: (side: Side) => T): T | Refusal {
  const { pair } = book.state
  const side = sideOf(pair, offer.denom)
  if (side === undefined)
    return refusal('invalid_denom', `${offer.denom} is not traded by ${pair.address}`)
  try {
    return swap(side)
  } catch (error) {
    if (error instanceof ContractFailure) return refusalOf(error)
    if (error instanceof ArithmeticAbort)
      return refusal('overflow', `the contract aborts: ${error.message}`)
    throw error
  }
}
