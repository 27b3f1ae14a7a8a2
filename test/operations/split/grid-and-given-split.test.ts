import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { route } from '../../../src/operations/route/route.js'
import { readRouteRequest } from '../../../src/operations/route/route-request.js'
import { app, ask, legsOf, sum, swap } from './asking.js'

describe('the grid of a split', () => {
  test('makes every share a multiple of the step, with the rest in one leg', async () => {
    for (const split_step of [1, 3, 4, 7, 10]) {
      const input = { denom: 'btc-btc', amount: '149999977', split_step }
      const { routes, ...head } = await ask({ input })
      assert.equal(head.input.split_step, split_step)
      for (const { legs } of routes) {
        const percents = legs.map(({ split }) => Math.round(Number(split.fraction) * 100))
        assert.equal(
          percents.reduce((a, b) => a + b),
          100,
        )
        assert.ok(percents.filter((percent) => percent % split_step !== 0).length <= 1)
        assert.equal(sum(legs.map(({ split }) => split.amount)), 149_999_977n)
      }
    }
  })

  test('is optional: without it shares have any size and no step is listed', async () => {
    const { routes, input } = await ask({ grid: false, max_legs: 5, limit: 1 })
    assert.deepEqual(Object.keys(input), ['denom', 'amount'])
    assert.ok(routes[0]!.legs.length <= 5)
    assert.ok(routes[0]!.legs.some(({ split }) => split.fraction.length > 4))
    const [gridded] = (await ask({ max_legs: 5 })).routes
    assert.ok(BigInt(routes[0]!.expected_output) >= BigInt(gridded!.expected_output))
  })

  test('gives a frontier that never falls with more legs or finer steps', async () => {
    const { frontier, routes } = await ask({ frontier: true })
    const { by_legs, by_steps } = frontier!
    assert.deepEqual(
      by_legs.map(({ max_legs }) => max_legs),
      by_legs.map((_, i) => i + 1),
    )
    for (const [i, { expected_output, legs, max_legs }] of by_legs.entries()) {
      assert.ok(legs.length <= max_legs)
      assert.ok(i === 0 || BigInt(expected_output) >= BigInt(by_legs[i - 1]!.expected_output))
    }
    const at = (step: number) =>
      BigInt(by_steps.find(({ split_step }) => split_step === step)!.expected_output)
    assert.ok(at(1) >= at(2) && at(2) >= at(10) && at(1) >= at(5) && at(5) >= at(10))
    assert.equal(`${at(5)}`, routes[0]!.expected_output)
    assert.equal(by_legs[0]!.gain_over_single_bps, 0)
  })
})

describe('a given split', () => {
  test('is quoted as given: the same legs have the same output, and nothing is searched', async () => {
    const found = await ask()
    const { output: _output, ...given } = swap
    const { routes, single_best, input, output } = await ask({ ...given, legs: legsOf(found) })
    assert.equal(routes.length, 1)
    assert.equal(routes[0]!.expected_output, found.routes[0]!.expected_output)
    assert.deepEqual(routes[0]!.legs, found.routes[0]!.legs)
    assert.deepEqual([single_best, routes[0]!.gain_over_single_bps], [null, null])
    assert.equal(routes[0]!.optimum_gap_bps, null)
    assert.deepEqual([Object.keys(input), output], [['denom', 'amount'], { denom: 'rune' }])
  })

  test('is executed in the given order', async () => {
    const legs = legsOf(await ask()).slice(0, 2)
    const halves = legs.map(({ path }) => ({ path, amount: '75000000' }))
    const one = await ask({ legs: halves })
    const other = await ask({ legs: halves.toReversed() })
    assert.deepEqual(
      one.routes[0]!.legs.map(({ path }) => path),
      other.routes[0]!.legs.map(({ path }) => path).toReversed(),
    )
    assert.deepEqual(
      one.routes[0]!.legs.map(({ split }) => split.fraction),
      ['0.5', '0.5'],
    )
  })

  test('may use one path twice: the second leg uses the books after the first', async () => {
    const [first] = legsOf(await ask())
    const twice = [first!, first!].map(({ path }) => ({ path, amount: '75000000' }))
    const [{ legs }] = (await ask({ legs: twice })).routes as [
      Awaited<ReturnType<typeof ask>>['routes'][number],
    ]
    assert.ok(BigInt(legs[1]!.expected_output) < BigInt(legs[0]!.expected_output))
    assert.equal(legs[0]!.simulated_output, legs[1]!.simulated_output)
  })

  test('of one path equals `path` with the whole input', async () => {
    const [, second] = legsOf(await ask())
    const { routes } = await ask({ path: second!.path })
    const alone = await route(app, readRouteRequest({ ...swap, path: second!.path }))
    assert.deepEqual(routes[0]!.tx, alone.routes[0]!.tx)
    assert.equal(routes[0]!.expected_output, alone.routes[0]!.expected_output)
  })
})
