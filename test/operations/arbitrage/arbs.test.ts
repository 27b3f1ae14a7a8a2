import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { executePath } from '../../../src/engine/market/router.js'
import type { ArbsAnswer } from '../../../src/operations/arbitrage/arbitrage-documents.js'
import { exactRational } from '../../../src/operations/arbitrage/arbs.js'
import { operationOf } from '../../../src/operations/operations.js'
import { problemOf } from '../../../src/operations/problem.js'
import { drawLoops } from '../../engine/arbitrage/arbitrage-loops.js'
import { runs } from '../../support/books.js'
import { seeds } from '../../support/markets.js'
import { app, market, usdc } from '../split/asking.js'

const scan = async (parameters: object = {}, where = app) =>
  (await operationOf('arbs').prepare(parameters).run(where)) as ArbsAnswer
const codeOf = (parameters: unknown): string => {
  try {
    operationOf('arbs').prepare(parameters)
  } catch (error) {
    return problemOf(error).code
  }
  return assert.fail('it was read')
}

describe('the arbitrage scan', () => {
  test('has its documented members in order', async () => {
    const answer = await scan()
    assert.deepEqual(Object.keys(answer), [
      'network',
      'chain_id',
      'height',
      'time',
      'excluded',
      'min_percent',
      'tried',
      'examined',
      'opportunities',
    ])
    assert.deepEqual(Object.keys(answer.opportunities[0]!), [
      'id',
      'path',
      'input',
      'output',
      'profit',
      'profit_percent',
      'profit_usd',
      'exact',
      'hops',
      'fees',
      'tx',
      'funds',
    ])
  })

  test('of the demo market finds one loop: 7 USDC earn 0.53 %, about four cents', async () => {
    const { opportunities, min_percent, tried, examined } = await scan()
    assert.equal(opportunities.length, 1)
    const [{ input, output, profit, profit_percent, profit_usd, path }] = opportunities as [
      (typeof opportunities)[number],
    ]
    assert.deepEqual(input, { denom: usdc, amount: '700000000' })
    assert.deepEqual(output, { denom: usdc, amount: '703732613' })
    assert.deepEqual(profit, { denom: usdc, amount: '3732613' })
    assert.deepEqual([profit_percent, profit_usd], [0.53, '0.03732613'])
    assert.deepEqual(path, [usdc, 'rune', 'btc-btc', usdc])
    assert.equal(min_percent, 0)
    assert.deepEqual(
      tried.map(({ denom, amount }) => [denom, BigInt(amount)]),
      market.arbs.map(({ denom, amount }) => [denom, amount]),
    )
    assert.ok(examined >= 1)
  })

  test('has messages that return the stated output, with a minimum not below their input', async () => {
    for (const seed of seeds(12)) {
      const drawn = drawLoops(seed)
      const { opportunities } = await scan({}, { openMarket: async () => drawn })
      for (const { tx, funds, input, output, profit } of opportunities) {
        const minReturn = BigInt(tx.swap.min_return.amount)
        assert.ok(minReturn >= BigInt(input.amount))
        assert.equal(BigInt(output.amount) - BigInt(input.amount), BigInt(profit.amount))
        assert.deepEqual(funds, input)
        const stages =
          drawn.market.router.dialect === 'forward' ? tx.swap.stages : tx.swap.stages.toReversed()
        const done = executePath(
          drawn.market,
          stages.map(({ address }) => address),
          { denom: input.denom, amount: BigInt(input.amount) },
          { minReturn: { denom: input.denom, amount: minReturn } },
        )
        assert.equal(!isRefusal(done) && `${done.recipient}`, output.amount)
      }
    }
  })

  test('lists only loops above the percentage and above the dollar minimum', async () => {
    const count = async (parameters: object) => (await scan(parameters)).opportunities.length
    assert.equal(await count({ minPercent: 0.53 }), 1)
    assert.equal(await count({ minPercent: 0.54 }), 0)
    assert.equal(await count({ min_profit_usd: 0.03732613 }), 1)
    assert.equal(await count({ min_profit_usd: 0.03732614 }), 0)
    assert.equal((await scan({ minPercent: 0.1 })).min_percent, 0.1)
    assert.equal((await scan({ min_profit_usd: 1 })).min_profit_usd, 1)
    assert.equal(await count({ max_hops: 2 }), 0)
  })

  test('is sorted by percentage and cut at its limit', async () => {
    const drawn = seeds(60)
      .map(drawLoops)
      .map((each) => ({ openMarket: async () => each }))
    for (const where of drawn) {
      const { opportunities } = await scan({}, where)
      if (opportunities.length < 2) continue
      const percents = opportunities.map(({ profit_percent }) => profit_percent)
      assert.deepEqual(
        percents,
        percents.toSorted((a, b) => b - a),
      )
      const first = await scan({ limit: 1 }, where)
      assert.deepEqual(first.opportunities, opportunities.slice(0, 1))
      return
    }
    assert.fail('no market with two loops')
  })

  test('is byte for byte the same every time', async () =>
    assert.equal(JSON.stringify(await scan()), JSON.stringify(await scan())))

  test('does not change the market', async () => {
    await scan()
    assert.equal(market.router.balances.size, 0)
  })
})

describe('parameters of the arbitrage scan', () => {
  const rows: readonly (readonly [sentence: string, parameters: object])[] = [
    ['a negative percentage', { minPercent: -0.1 }],
    ['a percentage of text', { minPercent: '0.1' }],
    ['the name that the answer gives the member', { min_percent: 0.1 }],
    ['a negative dollar minimum', { min_profit_usd: -1 }],
    ['one hop', { max_hops: 1 }],
    ['seven hops', { max_hops: 7 }],
    ['a limit of zero', { limit: 0 }],
    ['an unknown member', { foo: 1 }],
  ]
  for (const [sentence, parameters] of rows)
    test(`are refused with ${sentence}`, () => assert.equal(codeOf(parameters), 'INVALID_REQUEST'))

  test('are read exactly: 0.1 is one tenth', () => {
    assert.deepEqual(exactRational(0.1), { numerator: 1n, denominator: 10n })
    assert.deepEqual(exactRational(12), { numerator: 12n, denominator: 1n })
    assert.deepEqual(exactRational(1e21), { numerator: 10n ** 21n, denominator: 1n })
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e15, noNaN: true }), (value) => {
        const { numerator, denominator } = exactRational(value)
        const places = denominator.toString().length - 1
        assert.equal(Number(`${numerator}e-${places}`), value)
      }),
      runs(200),
    )
  })
})
