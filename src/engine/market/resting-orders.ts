import { ArithmeticAbort, type Decimal, formatDecimal } from '../math/decimal.js'
import { fitsTick } from '../math/tick.js'
import type { Group } from './group.js'
import {
  isBetter,
  type PairState,
  type RestingPool,
  type RestingSide,
  restingOf,
  type Side,
} from './pair.js'
import { priceLevels } from './price-levels.js'

/** One entry of a pair's `book` answer: everything of one rate. */
export type BookLevel = { readonly rate: Decimal; readonly total: bigint }

/** The side without any resting orders. */
export const EMPTY_SIDE: RestingSide = { fixed: [], oracle: [], knownTo: undefined }

/** Content of a group, in the denom that the taker receives. */
export const groupTotal = (group: Group): bigint =>
  [...group.pools, ...group.levels].reduce((sum, part) => sum + part.size, 0n)

/**
 * The resting orders of one side: what its book shows less what its makers quote
 * (docs/venues.md#a-book-without-storage). The state's own resting orders are ignored. Returns a
 * sentence instead when the two do not belong to one height. With oracles, a level on the tick may be
 * two pools in one and is not certain.
 */
export function restingFromBook(
  state: PairState,
  side: Side,
  levels: readonly BookLevel[],
  truncated: boolean,
): RestingSide | string {
  const makers = priceLevels({ ...state, asks: EMPTY_SIDE, bids: EMPTY_SIDE }, side)
  let head = makers.next()
  const fixed: RestingPool[] = []
  for (const { rate, total } of levels) {
    const isSameRate = !head.done && head.value.rate === rate
    const quoted = isSameRate ? groupTotal(head.value as Group) : 0n
    if (!head.done && isBetter(side, head.value.rate, rate))
      return `a maker quotes ${formatDecimal(head.value.rate)}, which the book does not show`
    if (quoted > total)
      return `makers quote ${quoted} at ${formatDecimal(rate)} where the book shows ${total}`
    if (isSameRate) head = makers.next()
    const known = !head.done || head.value
    if (total > quoted) fixed.push(pool(state, rate, total - quoted, known))
  }
  if (!truncated && !head.done)
    return `a maker quotes ${formatDecimal(head.value.rate)}, beyond the end of the book`
  return { fixed, oracle: [], knownTo: truncated ? levels.at(-1)?.rate : undefined }
}

/** The part of a level that no maker accounts for; unknown where a maker's levels were cut off. */
const pool = (
  { pair }: PairState,
  rate: Decimal,
  total: bigint,
  makersKnown: boolean,
): RestingPool => ({
  rate,
  total,
  origin: makersKnown ? 'fixed' : 'unknown',
  certain: makersKnown && (pair.oracles === null || !fitsTick(rate, pair.tick)),
})

/** A side known from its book alone (docs/venues.md#levels-of-unknown-kind). */
export const restingOfUnknownKind = (
  levels: readonly BookLevel[],
  truncated: boolean,
): RestingSide => ({
  fixed: levels.map(({ rate, total }) => ({ rate, total, origin: 'unknown', certain: false })),
  oracle: [],
  knownTo: truncated ? levels.at(-1)?.rate : undefined,
})

/** The beginning of a side as its pair's `book` query shows it. */
export type VisibleBook = {
  readonly levels: readonly BookLevel[]
  /** More follows, or may follow. */
  readonly truncated: boolean
  /** The query itself aborts at the level behind these. */
  readonly aborts: boolean
}

/** The first `limit` levels of a side, as far as it was read. */
export function visibleBook(state: PairState, side: Side, limit: number): VisibleBook {
  const { knownTo } = restingOf(state, side)
  const levels: BookLevel[] = []
  try {
    for (const group of priceLevels(state, side)) {
      const isBeyondBook = knownTo !== undefined && isBetter(side, knownTo, group.rate)
      if (levels.length === limit || isBeyondBook) return { levels, truncated: true, aborts: false }
      levels.push({ rate: group.rate, total: groupTotal(group) })
    }
  } catch (error) {
    if (!(error instanceof ArithmeticAbort)) throw error
    return { levels, truncated: true, aborts: true }
  }
  return { levels, truncated: knownTo !== undefined, aborts: false }
}

/**
 * A sentence where a book and the pools and makers of the same pair disagree, level by level, as far
 * as the makers' levels are known.
 */
export function disagreement(
  state: PairState,
  side: Side,
  levels: readonly BookLevel[],
  truncated: boolean,
): string | undefined {
  const groups = priceLevels(state, side)
  for (const { rate, total } of levels) {
    const next = groups.next()
    if (next.done ? !next.value : !next.value.certain) return undefined
    const computed = next.done
      ? undefined
      : { rate: next.value.rate, total: groupTotal(next.value) }
    if (computed?.rate !== rate || computed.total !== total)
      return `the book shows ${total} at ${formatDecimal(rate)}, pools and makers give ${
        computed ? `${computed.total} at ${formatDecimal(computed.rate)}` : 'no further level'
      }`
  }
  if (!truncated && groups.next().done === false)
    return 'pools and makers give more levels than the book'
  return undefined
}
