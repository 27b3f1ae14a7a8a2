import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { compileSide, groupAt } from '../../../src/engine/market/compiled-side.js'
import { fillSide } from '../../../src/engine/market/fill-side.js'
import { leftIn, liveGroup, takeGroup } from '../../../src/engine/market/group.js'
import { groupDrain } from '../../../src/engine/market/group-drain.js'
import type { PairState, Side } from '../../../src/engine/market/pair.js'
import { priceLevels } from '../../../src/engine/market/price-levels.js'
import { ContractFailure } from '../../../src/engine/market/refusal.js'
import { type Trade, walk } from '../../../src/engine/market/walk.js'
import { ArithmeticAbort } from '../../../src/engine/math/decimal.js'
import { ANY_BOOK, anySide, anyState, type BookShape, runs } from '../../support/books.js'
import { anyOffer, offerOf } from '../../support/offers.js'

/** The result of a computation, or why the contract would stop. */
function outcome<T>(compute: () => T): T | { readonly stopped: string } {
  try {
    return compute()
  } catch (error) {
    if (error instanceof ContractFailure) return { stopped: error.reason }
    if (error instanceof ArithmeticAbort) return { stopped: 'overflow' }
    throw error
  }
}

const byMaker = <T extends { readonly maker: number }>(orders: readonly T[]) =>
  orders.toSorted((a, b) => a.maker - b.maker)

/** The amounts sold to and asked of every maker over all groups, empty messages included. */
function ordersOf(trades: readonly Trade[]) {
  const orders = new Map<number, { maker: number; sold: bigint; asked: bigint }>()
  for (const { live } of trades)
    for (const { part, sold, bought } of live.levels) {
      const order = orders.get(part.maker) ?? { maker: part.maker, sold: 0n, asked: 0n }
      orders.set(part.maker, { ...order, sold: order.sold + sold, asked: order.asked + bought })
    }
  return byMaker([...orders.values()])
}

const walked = (state: PairState, side: Side, offer: bigint) =>
  outcome(() => {
    const { trades, ...rest } = walk(state, side, offer)
    return { ...rest, groups: trades.length, orders: ordersOf(trades) }
  })

const anyOffers = fc.array(anyOffer, { minLength: 4, maxLength: 8 })

const shapes: Readonly<Record<string, BookShape>> = {
  'any book': ANY_BOOK,
  'a book of one known maker and its orders': {
    ...ANY_BOOK,
    xyk: 1,
    quoted: 0,
    oraclePools: 0,
    unknowns: false,
  },
  'a book of tied makers': { ...ANY_BOOK, pools: 2, xyk: 0, quoted: 4, sizes: ['tiny', 'small'] },
}

for (const [name, shape] of Object.entries(shapes))
  test(`the compiled form fills every offer as the level walk does: ${name}`, () => {
    fc.assert(
      fc.property(anyState(shape), anySide, anyOffers, (state, side, draws) => {
        const compiled = compileSide(state, side)
        for (const draw of draws) {
          const offer = offerOf(state, side, draw)
          const expected = walked(state, side, offer)
          const filled = outcome(() => fillSide(compiled, offer))
          if ('stopped' in expected || 'stopped' in filled) {
            assert.deepEqual(filled, expected, `${offer}`)
            continue
          }
          // A fill may be marked inexact although it is exact (docs/maths.md#exactness).
          assert.ok(expected.certain || !filled.certain, `${offer} is not certain`)
          assert.deepEqual(
            { ...filled, orders: byMaker(filled.orders), certain: expected.certain },
            expected,
            `${offer}`,
          )
        }
      }),
      runs(60),
    )
  })

test('the compiled form shows the same groups as the walk, whatever was computed before', () => {
  fc.assert(
    fc.property(anyState(), anySide, anyOffer, fc.nat(12), (state, side, draw, most) => {
      const compiled = compileSide(state, side)
      outcome(() => fillSide(compiled, offerOf(state, side, draw)))
      const groups = priceLevels(state, side)
      for (let i = 0; i <= most; i += 1) {
        const next = outcome(() => groups.next())
        const group = outcome(() => groupAt(compiled, i))
        if ('stopped' in next || next.done) return assert.ok(!group || 'stopped' in group)
        assert.deepEqual(group, next.value)
        if (i === 0) assert.equal(groupAt(compiled, 0)?.rate, next.value.rate)
      }
    }),
    runs(60),
  )
})

test('a group of the compiled form is drained from its threshold on, at its fixed cost, and not one atomic sooner', () => {
  const anyExcess = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, 10n ** 12n))
  fc.assert(
    fc.property(anyState(), anySide, fc.nat(8), anyExcess, (state, side, index, excess) => {
      const { rules } = state.pair
      const groups = outcome(() => [...take(priceLevels(state, side), index + 1)])
      fc.pre(!('stopped' in groups) && groups.length > index)
      const group = groups[index]!
      const drain = groupDrain(rules, group)
      fc.pre(drain !== undefined && drain.threshold + excess <= drain.limit)
      const live = liveGroup(group)
      const taken = takeGroup(rules, live, drain.threshold + excess)
      assert.deepEqual(taken, { sold: drain.cost, bought: drain.pays })
      assert.equal(leftIn(live), 0n)
      assert.ok(drain.cost <= drain.threshold)
      const short = liveGroup(group)
      const less = outcome(() => takeGroup(rules, short, drain.threshold - 1n))
      const drained = !('stopped' in less) && leftIn(short) === 0n
      // Below the threshold a group may be drained only where that costs more than the offer.
      if (drained) assert.ok(less.sold > drain.threshold - 1n)
    }),
    runs(200),
  )
})

function* take<T>(source: Iterable<T>, most: number): Generator<T> {
  let count = 0
  for (const item of source) {
    if (count === most) return
    count += 1
    yield item
  }
}
