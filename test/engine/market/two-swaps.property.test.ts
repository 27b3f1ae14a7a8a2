import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { fillMakers, makerOrders, restAfter } from '../../../src/engine/market/commit.js'
import type { PairState, Side, XykMaker } from '../../../src/engine/market/pair.js'
import { ContractFailure } from '../../../src/engine/market/refusal.js'
import { type Walk, walk } from '../../../src/engine/market/walk.js'
import { ArithmeticAbort, ceilDiv, ONE } from '../../../src/engine/math/decimal.js'
import { anySide, anyState, type BookShape, POOLS, runs } from '../../support/books.js'
import { anyOffer, offerOf } from '../../support/offers.js'

/** A walk that is accepted, or `undefined`. */
function walked(state: PairState, side: Side, offer: bigint): Walk | undefined {
  try {
    return walk(state, side, offer)
  } catch (error) {
    if (error instanceof ContractFailure || error instanceof ArithmeticAbort) return undefined
    throw error
  }
}

/** The matching of two offers in a row, without the arbitrage step between them. */
function inTwo(state: PairState, side: Side, offer: bigint, then: bigint) {
  const first = walked(state, side, offer)
  if (first === undefined || first.unsold > 0n) return undefined
  const liveGroups = first.trades.map((trade) => trade.live)
  const rest = restAfter(state, side, liveGroups)
  try {
    const makers = fillMakers(state, side, makerOrders(state.pair.rules, liveGroups))
    const left = { ...state, ...(side === 'ask' ? { asks: rest } : { bids: rest }), makers }
    const second = walked(left, side, then)
    return second && { first, second, gross: first.gross + second.gross }
  } catch (error) {
    if (error instanceof ContractFailure) return undefined
    throw error
  }
}

describe('two swaps in a row compared with one of their sum', () => {
  test('with limit orders at different prices pay between the sum and one bid atomic less', () => {
    fc.assert(
      fc.property(
        anyState({ ...POOLS, oraclePools: 0 }),
        anySide,
        anyOffer,
        anyOffer,
        (state, side, a, b) => {
          const [offer, sum] = [offerOf(state, side, a), offerOf(state, side, b)]
          fc.pre(offer > 0n && sum > offer)
          const split = inTwo(state, side, offer, sum - offer)
          const oneSwap = walked(state, side, sum)
          fc.pre(split !== undefined && oneSwap !== undefined)
          assert.ok(split.gross <= oneSwap.gross)
          const ended = split.first.trades.at(-1)!.live.pools[0]!
          const atomic = ended.left === 0n ? 0n : ceilDiv(ONE, ended.part.factor)
          const less = sum >= atomic ? walked(state, side, sum - atomic) : undefined
          if (less !== undefined) assert.ok(split.gross >= less.gross)
        },
      ),
      runs(200),
    )
  })

  test('with tied limit orders differ by at most four offer atomics and three bid atomics for every pool reached', () => {
    fc.assert(
      fc.property(
        anyState({ ...POOLS, oraclePools: 4 }),
        anySide,
        anyOffer,
        anyOffer,
        (state, side, a, b) => {
          const [offer, sum] = [offerOf(state, side, a), offerOf(state, side, b)]
          fc.pre(offer > 0n && sum > offer)
          const split = inTwo(state, side, offer, sum - offer)
          const oneSwap = walked(state, side, sum)
          fc.pre(split !== undefined && oneSwap !== undefined && oneSwap.unsold === 0n)
          fc.pre(split.second.unsold === 0n)
          const parts = [split.first, split.second, oneSwap]
            .flatMap(({ trades }) => trades)
            .flatMap(({ live }) => live.pools)
          const factors = new Map(
            parts.map(({ part }) => [`${part.pool.origin} ${part.factor}`, part]),
          )
          let bound = 0n
          for (const { factor } of factors.values()) bound += 3n + ceilDiv(4n * factor, ONE)
          const difference = split.gross - oneSwap.gross
          assert.ok(difference <= bound && -difference <= bound)
        },
      ),
      runs(200),
    )
  })

  test('with one maker pay no more than rounding allows, and no less than half a step of a step', () => {
    fc.assert(
      fc.property(anyMaker, anySide, anyShare, anyShare, (state, side, a, b) => {
        const { y, step, split, whole, rounding } = onCurve(state, side, a, b)
        const curve = Number(y) * step * step
        const difference = Number(split.gross - whole.gross)
        assert.ok(difference <= rounding, `${difference} is better than ${rounding}`)
        assert.ok(difference >= -(curve / 2 + rounding), `${difference} of ${curve}`)
      }),
      runs(80),
    )
  })

  test('with one maker among limit orders differ within the steps of the ladder and of the tick', () => {
    fc.assert(
      fc.property(anyMakerAmongOrders, anySide, anyShare, anyShare, (state, side, a, b) => {
        const { y, step, split, whole, rounding } = onCurve(state, side, a, b)
        const hiddenRate = 10 ** (1 - state.pair.tick)
        const order = 3 * Number(y) * hiddenRate * (step + hiddenRate)
        const curve = Number(y) * step * step
        const difference = Number(split.gross - whole.gross)
        assert.ok(difference <= curve / 4 + order + rounding, `${difference} of ${curve}`)
        assert.ok(difference >= -(1.5 * curve + order + rounding), `${difference} of ${curve}`)
      }),
      runs(80),
    )
  })
})

/** Constant-product makers whose ladders do not end before half of their reserve is sold. */
const deep = (shape: BookShape): fc.Arbitrary<PairState> =>
  anyState({ ...shape, oraclePools: 0, xyk: 1, sizes: ['real'] }).map((state) => ({
    ...state,
    makers: state.makers.map((maker) =>
      maker.kind === 'xyk' ? { ...maker, minQuote: 1000n } : maker,
    ),
  }))
const anyMaker = deep({ ...POOLS, pools: 0 })
const anyMakerAmongOrders = deep(POOLS)

/** Ten-thousandths of the reserve that is paid in. */
const anyShare = fc.bigInt(1n, 5_000n)

/**
 * Two swaps and their sum on a book with one maker. `y`: the reserve it pays from. `rounding`: three
 * atomics for every level and an offer atomic's worth for every pool, in each of the three walks.
 */
function onCurve(state: PairState, side: Side, a: bigint, b: bigint) {
  const maker = state.makers[0]
  fc.pre(maker?.kind === 'xyk')
  const [x, y] = paidAndGiven(maker, side)
  fc.pre(x > 10n ** 7n && y > 10n ** 7n)
  const [offer, then] = [(x * a) / 10_000n, (x * b) / 10_000n]
  const split = inTwo(state, side, offer, then)
  const oneSwap = walked(state, side, offer + then)
  fc.pre(split !== undefined && oneSwap !== undefined)
  fc.pre(split.second.unsold === 0n && oneSwap.unsold === 0n)
  const trades = [split.first, split.second, oneSwap].flatMap((part) => part.trades)
  const pools = trades.flatMap(({ live }) => live.pools)
  const tolerance = pools.reduce((sum, { part }) => sum + 1n + ceilDiv(part.factor, ONE), 0n)
  const rounding = 3 * trades.length + Number(tolerance)
  return { y, step: Number(maker.step) / 1e18, split, whole: oneSwap, rounding }
}

const paidAndGiven = (maker: XykMaker, side: Side): readonly [bigint, bigint] =>
  (maker.x === 'quote') === (side === 'ask')
    ? [maker.reserveX, maker.reserveY]
    : [maker.reserveY, maker.reserveX]
