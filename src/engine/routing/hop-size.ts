import { fillSide, offerNear } from '../market/fill-side.js'
import { keptBySide } from '../market/pair.js'
import { ContractFailure, isRefusal } from '../market/refusal.js'
import { takerFee } from '../market/walk.js'
import { ArithmeticAbort, ceilDiv, MAX_UINT128, ONE } from '../math/decimal.js'
import { firstNear } from '../math/integers.js'
import type { Edge } from './graph.js'
import type { WorkBudget } from './query.js'

/**
 * An upper bound of a hop's output; `undefined` if unknown, since the arbitrage step may leave a maker with
 * more to pay out than it had.
 */
export function heldBy({ book, side }: Edge): bigint | undefined {
  const arbitrage = book.afterArbitrage()
  if (isRefusal(arbitrage)) return 0n
  return arbitrage.changed ? undefined : book.depth(side)
}

/** What a hop pays if it refuses nothing but what its book cannot take. */
export type EnvelopePoint = {
  readonly gross: bigint
  /** Whether every hop takes its whole offer, but for a rest of rounded shares. */
  readonly taken: boolean
  /** A contract fails for this and every larger size: nothing is paid. */
  readonly aborts: boolean
}

const NOTHING: EnvelopePoint = { gross: 0n, taken: true, aborts: true }

/** Units of work of one hop. */
const HOP = 2

/** The output of one hop, without refusals other than depth; it never falls when the offer grows until it aborts. */
export function envelopeHop(
  { book, side }: Pick<Edge, 'book' | 'side'>,
  offer: bigint,
  budget?: WorkBudget,
): EnvelopePoint {
  if (budget !== undefined) budget.spent += HOP
  if (isRefusal(book.afterArbitrage())) return NOTHING
  try {
    const fill = fillSide(book.executedSide(side), offer, 'ignored')
    const fee = takerFee(book.state.pair, fill.gross)
    // Makers at one price get shares that are rounded down: of a larger offer the last level may leave no rest.
    const taken = fill.unsold < (book.state.makers.length || 1)
    return { gross: fill.gross - fee, taken, aborts: false }
  } catch (error) {
    if (error instanceof ArithmeticAbort || error instanceof ContractFailure) return NOTHING
    throw error
  }
}

/**
 * The least offer that a hop takes whole and pays so much for, refusals other than depth ignored; `undefined` if there is
 * none.
 */
export function leastOffer(edge: Edge, least: bigint, budget: WorkBudget): bigint | undefined {
  if (least <= 0n) return 0n
  const held = heldBy(edge)
  if (held !== undefined && held < least) return undefined
  let end: EnvelopePoint | undefined
  const isEnd = (offer: bigint): boolean => {
    const point = envelopeHop(edge, offer, budget)
    const isReached = point.gross >= least || point.aborts || !point.taken
    if (isReached) end = point
    return isReached
  }
  const kept = ONE - edge.book.state.pair.takerFee
  const before = kept > 0n ? ceilDiv(least * ONE, kept) : least
  const guess = offerNear(edge.book.executedSide(edge.side), before)
  const offer = firstNear(guess, MAX_UINT128, isEnd)
  return end?.taken && end.gross >= least ? offer : undefined
}

/** The largest offer up to `last` that a hop takes whole, and what it pays for it. */
export function mostOffer(
  edge: Edge,
  last: bigint,
  budget: WorkBudget,
): { readonly offer: bigint; readonly gross: bigint } {
  const { gross, taken, aborts } = envelopeHop(edge, last, budget)
  if (taken && !aborts) return { offer: last, gross }
  return mostTaken(edge.book, edge.side)
}

/** The largest offer that a side takes whole and what it pays for it, kept with the book. */
const mostTaken = keptBySide((book: Edge['book'], side) => {
  const isOver = (offer: bigint) => {
    const { taken, aborts } = envelopeHop({ book, side }, offer)
    return aborts || !taken
  }
  const guess = book.executedSide(side).soldBefore.at(-1)!
  const over = firstNear(guess, MAX_UINT128, isOver) ?? MAX_UINT128
  return { offer: over - 1n, gross: envelopeHop({ book, side }, over - 1n).gross }
})
