import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { openOnce } from '../../../src/operations/context.js'
import { problemOf } from '../../../src/operations/problem.js'
import { route } from '../../../src/operations/route/route.js'
import { readRouteRequest } from '../../../src/operations/route/route-request.js'
import type { CurveRequest, MaxRequest } from '../../../src/operations/split/size-documents.js'
import { curve, ladderOf, max } from '../../../src/operations/split/sizes.js'
import { failureOf } from '../../chain/rpc/stage.js'
import { runs } from '../../support/books.js'
import { document } from '../../support/chain.js'
import { app, ask, swap } from './asking.js'

const pair = { input: { denom: 'btc-btc' }, output: { denom: 'rune' } }
const drawn = (members: object = {}) => curve(app, { ...pair, ...members } as CurveRequest)
const most = (members: object) => max(app, { ...pair, ...members } as MaxRequest)
const codeOf = async (answer: Promise<unknown>) => problemOf(await failureOf(answer)).code

describe('the size curve', () => {
  test('has ten sizes from $100 to $100,000, each with the numbers of its quote', async () => {
    const { points, input, output, split, ...head } = await drawn()
    assert.deepEqual(Object.keys(head), ['network', 'chain_id', 'height', 'time', 'excluded'])
    assert.deepEqual(input, { denom: 'btc-btc', from: '127216', to: '127216670' })
    assert.deepEqual([output, split, points.length], [{ denom: 'rune' }, false, 10])
    for (const point of points) {
      const quoted = await route(app, readRouteRequest({ ...swap, input: point.input }))
      assert.equal(point.output!.amount, quoted.routes[0]!.expected_output)
      assert.equal(point.price, quoted.routes[0]!.price)
      assert.equal(point.price_impact_bps, quoted.routes[0]!.price_impact_bps)
      assert.equal(point.exact, true)
    }
  })

  test('and the largest size within an impact are estimates where no book is fully known', async () => {
    const pairs = document.pairs.map((each) => ({ ...each, ranges: [{ idx: '1' }] }))
    const market = decodeSnapshot({ ...document, pairs }, 'with ranges')
    const context = openOnce(async () => market)
    for (const split of [false, true]) {
      const { points } = await curve(context, { ...pair, split, points: 3 })
      assert.deepEqual(
        points.map(({ exact }) => exact),
        [false, false, false],
      )
      const largest = await max(context, { ...pair, split, max_impact_bps: 50 })
      assert.equal(largest.exact, false)
    }
  })

  test('of splits pays at least what single paths pay', async () => {
    const members = { points: 4, input: { denom: 'btc-btc', from: '20000000', to: '300000000' } }
    const [single, split] = [await drawn(members), await drawn({ ...members, split: true })]
    assert.equal(split.split, true)
    for (const [i, { input, output }] of split.points.entries()) {
      assert.deepEqual(input, single.points[i]!.input)
      assert.ok(BigInt(output!.amount) >= BigInt(single.points[i]!.output!.amount))
    }
    const last = split.points.at(-1)!
    const quoted = await ask({ input: last.input, grid: false })
    assert.equal(last.output!.amount, quoted.routes[0]!.expected_output)
  })

  test('has null where no path accepts a size', async () => {
    const { points } = await drawn({
      input: { denom: 'btc-btc', from: '1', to: `${2n ** 120n}` },
      points: 3,
    })
    assert.deepEqual(points.at(-1), {
      input: { denom: 'btc-btc', amount: `${2n ** 120n}` },
      output: null,
      price: null,
      price_impact_bps: null,
      exact: null,
    })
  })

  test('with one bound ends a factor of a thousand away, or at the default', async () => {
    const ends = async (input: object) => {
      const { from, to } = (await drawn({ input: { denom: 'btc-btc', ...input } })).input
      return [from, to]
    }
    assert.deepEqual(await ends({ from: '1000000000' }), ['1000000000', '1000000000000'])
    const [large, largest] = [`${2n ** 127n}`, `${2n ** 128n - 1n}`]
    assert.deepEqual(await ends({ from: large }), [large, largest])
    assert.deepEqual(await ends({ to: '100000' }), ['100', '100000'])
    assert.deepEqual(await ends({ to: '200000' }), ['127216', '200000'])
  })

  test('refuses a lower bound above the upper one, a token for itself and malformed amounts', async () => {
    const rows: readonly (readonly [object, string])[] = [
      [{ input: { denom: 'btc-btc', from: '5', to: '4' } }, 'INVALID_REQUEST'],
      [{ output: { denom: 'btc-btc' } }, 'SAME_TOKEN'],
      [{ output: { denom: 'nothing' } }, 'UNKNOWN_TOKEN'],
      [{ input: { denom: 'btc-btc', from: '0' } }, 'INVALID_AMOUNT'],
    ]
    for (const [members, code] of rows)
      assert.equal(await codeOf(Promise.resolve().then(() => drawn(members))), code)
  })
})

describe('the sizes of a curve', () => {
  test('rise from one exact bound to the other, with round numbers in between', () => {
    const amount = fc.bigInt(1n, 10n ** 24n)
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 2, max: 100 }), (a, b, count) => {
        const [from, to] = a < b ? [a, b] : [b, a]
        const sizes = ladderOf(from, to, count)
        assert.deepEqual([sizes[0], sizes.at(-1)], [from, to])
        assert.ok(sizes.length <= count || count < 2)
        for (const [i, size] of sizes.entries()) assert.ok(i === 0 || size > sizes[i - 1]!)
        for (const size of sizes.slice(1, -1)) assert.match(`${size}`, /^\d{1,3}0*$/)
      }),
      runs(200),
    )
  })

  test('from 100 to 100,000 in four steps are the powers of ten', () =>
    assert.deepEqual(ladderOf(100n, 100_000n, 4), [100n, 1_000n, 10_000n, 100_000n]))
})

describe('the largest amount within an impact', () => {
  test('for 50 bps is 0.11585718 BTC, and one atomic more exceeds it', async () => {
    const answer = await most({ max_impact_bps: 50 })
    assert.deepEqual(answer.input, { denom: 'btc-btc', amount: '11585718' })
    assert.equal(answer.output!.amount, '1780792496994')
    const guarded = (amount: string) =>
      route(
        app,
        readRouteRequest({ ...swap, input: { denom: 'btc-btc', amount }, max_impact_bps: 50 }),
      )
    assert.equal((await guarded('11585718')).routes[0]!.expected_output, answer.output!.amount)
    const { impact } = { impact: (await guarded('11585719')).routes[0]!.price_impact_bps! }
    assert.ok(impact >= 50)
  })

  test('is not smaller for splits', async () => {
    const [single, split] = [
      await most({ max_impact_bps: 100 }),
      await most({ max_impact_bps: 100, split: true }),
    ]
    assert.ok(BigInt(split.input.amount) > BigInt(single.input.amount))
    assert.ok(split.price_impact_bps! <= 100)
    const quoted = await ask({ input: split.input, max_impact_bps: 100, grid: false })
    assert.equal(quoted.routes[0]!.expected_output, split.output!.amount)
  })

  test('is PRICE_IMPACT_TOO_HIGH where even one atomic exceeds it', async () => {
    assert.equal(await codeOf(most({ max_impact_bps: 0 })), 'PRICE_IMPACT_TOO_HIGH')
  })

  test('needs a path', async () => {
    const rows: readonly (readonly [object, string])[] = [
      [{ max_impact_bps: 50, exclude: ['rune'] }, 'NO_ROUTE'],
      [{ max_impact_bps: 50, output: { denom: 'btc-btc' } }, 'SAME_TOKEN'],
    ]
    for (const [members, code] of rows)
      assert.equal(await codeOf(Promise.resolve().then(() => most(members))), code)
  })
})
