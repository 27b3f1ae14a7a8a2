import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { rational, toBps } from '../../../src/engine/math/rational.js'
import type { Route } from '../../../src/engine/routing/route.js'
import { impactsOf, type Split } from '../../../src/engine/splits/split.js'
import { raiseMinReturn } from '../../../src/operations/split/split-failures.js'
import { runs } from '../../support/books.js'
import { ask, problem, sum, swap } from './asking.js'

const free = await ask({ limit: 25 })
const [best] = free.routes

describe('min_out of a split', () => {
  test('raises the minimum returns of the legs until their sum is exactly it', async () => {
    const least = `${BigInt(best!.expected_output) - 5_000n}`
    const { routes } = await ask({ min_out: least })
    for (const route of routes) {
      assert.equal(route.min_return, least)
      assert.equal(sum(route.legs.map(({ min_return }) => min_return)), BigInt(least))
      for (const { min_return, expected_output, tx } of route.legs) {
        assert.ok(BigInt(min_return) <= BigInt(expected_output))
        assert.equal(tx.swap.min_return.amount, min_return)
      }
    }
  })

  test('changes nothing where the minimum returns are higher', async () => {
    assert.deepEqual((await ask({ min_out: '1', limit: 25 })).routes, free.routes)
  })

  test('leaves out splits that cannot reach it', async () => {
    const [, second] = free.routes
    const { routes } = await ask({ min_out: `${BigInt(second!.expected_output) + 1n}`, limit: 25 })
    assert.deepEqual(
      routes.map(({ id }) => id),
      [best!.id],
    )
  })

  test('accepts all that the best split pays, and refuses one atomic more', async () => {
    assert.equal(
      (await ask({ min_out: best!.expected_output })).routes[0]!.min_return,
      best!.expected_output,
    )
    const more = BigInt(best!.expected_output) + 1n
    const { code, limit, actual, detail } = await problem({ ...swap, min_out: `${more}` })
    assert.deepEqual([code, limit, actual], ['ASSERTION_FAILED', `${more}`, best!.expected_output])
    assert.match(detail, /^the best split pays less than you ask for; it pays 227769\.37/)
  })

  test('on given legs is the sum of their minimum returns, none above what its leg pays', () => {
    const leg = fc
      .tuple(fc.bigInt(1n, 10n ** 30n), fc.bigInt(0n, 10_000n))
      .map(([expected, bps]) => ({ expected, minReturn: (expected * bps) / 10_000n || 1n }))
    fc.assert(
      fc.property(
        fc.array(leg, { minLength: 1, maxLength: 8 }),
        fc.bigInt(0n, 1000n),
        (routes, part) => {
          const total = (name: 'expected' | 'minReturn') =>
            routes.reduce((all, route) => all + route[name], 0n)
          const split = {
            legs: routes.map((route) => ({ route })),
            expected: total('expected'),
            minReturn: total('minReturn'),
          } as unknown as Split
          const least = (split.expected * part) / 1000n
          const { legs, minReturn } = raiseMinReturn(split, least)
          assert.equal(minReturn, least > split.minReturn ? least : split.minReturn)
          assert.equal(
            legs.reduce((all, { route }) => all + route.minReturn, 0n),
            minReturn,
          )
          for (const [i, { route }] of legs.entries()) {
            assert.ok(route.minReturn <= route.expected)
            assert.ok(route.minReturn >= routes[i]!.minReturn)
          }
        },
      ),
      runs(200),
    )
  })
})

describe('max_impact_bps of a split', () => {
  test('refuses a split above it with the actual impact', async () => {
    const { code, limit, actual } = await problem({ ...swap, max_impact_bps: 125 })
    assert.deepEqual([code, limit, actual], ['PRICE_IMPACT_TOO_HIGH', 125, best!.price_impact_bps])
    assert.equal((await ask({ max_impact_bps: 126 })).routes[0]!.id, best!.id)
  })

  test('accepts a split where every single path is above it', async () => {
    const single = free.routes.find(({ legs }) => legs.length === 1)!
    assert.ok(single.price_impact_bps! > 200 && best!.price_impact_bps! < 126)
  })

  test('counts a leg without a mid price as all lost, at the mid price of the others', () => {
    const leg = (amount: bigint, mid?: bigint) =>
      ({
        input: { denom: 'a', amount },
        ...(mid && { mid: rational(mid, 1n), impact: rational(1n, 100n) }),
      }) as Route
    const { impact, worstImpact } = impactsOf([leg(100n, 4n), leg(100n), leg(100n, 2n)])
    // 1 % of 600 is lost, and the 300 that the leg without a mid price would be worth.
    assert.deepEqual([impact, toBps(worstImpact!)], [undefined, 3_400])
    assert.deepEqual(impactsOf([leg(1n), leg(1n)]), { impact: undefined, worstImpact: undefined })
  })
})
