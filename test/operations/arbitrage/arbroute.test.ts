import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { executePath, type RouterState } from '../../../src/engine/market/router.js'
import { routeAlong } from '../../../src/engine/routing/find-routes.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { ArbrouteAnswer } from '../../../src/operations/arbitrage/arbitrage-documents.js'
import { arbroute } from '../../../src/operations/arbitrage/arbroute.js'
import { arbs } from '../../../src/operations/arbitrage/arbs.js'
import { NeedsWorker, type OperationContext, openOnce } from '../../../src/operations/context.js'
import { operationOf } from '../../../src/operations/operations.js'
import { problemOf } from '../../../src/operations/problem.js'
import { failureOf } from '../../chain/rpc/stage.js'
import { drawLoops } from '../../engine/arbitrage/arbitrage-loops.js'
import { document } from '../../support/chain.js'
import { seeds } from '../../support/markets.js'
import { app, graph, market, sum, usdc } from '../split/asking.js'

const capital = { input: { denom: usdc, amount: '500000000000' } }
const ask = async (body: unknown, where: OperationContext = app): Promise<ArbrouteAnswer> =>
  (await operationOf('arbroute').prepare(body).run(where)) as ArbrouteAnswer
const earn = (members: object = {}, where?: OperationContext): Promise<ArbrouteAnswer> =>
  ask({ ...capital, ...members }, where)

const problem = async (body: unknown) => problemOf(await failureOf(ask(body)))

describe('the answer of arbroute', () => {
  test('has its documented members in order', async () => {
    const answer = await earn({ curve: 8 })
    assert.deepEqual(Object.keys(answer), [
      'network',
      'chain_id',
      'height',
      'time',
      'excluded',
      'input',
      'output',
      'profit',
      'profit_percent',
      'profit_usd',
      'steps',
      'curve',
    ])
    const [step] = answer.steps
    assert.deepEqual(Object.keys(step!), ['path', 'count', 'input', 'output', 'executions'])
    assert.deepEqual(Object.keys(step!.executions[0]!), [
      'input',
      'output',
      'min_return',
      'exact',
      'tx',
      'funds',
    ])
    assert.equal(step!.executions[0]!.exact, true)
  })

  test('says which executions are estimates, since a book is not fully known', async () => {
    const pairs = document.pairs.map((each) => ({ ...each, ranges: [{ idx: '1' }] }))
    const market = decodeSnapshot({ ...document, pairs }, 'with ranges')
    const context = openOnce(async () => market)
    const { steps } = await arbroute(context, capital)
    assert.deepEqual(
      steps.flatMap(({ executions }) => executions.map(({ exact }) => exact)),
      [false],
    )
    const { opportunities } = await arbs(context, {})
    assert.deepEqual(
      opportunities.map(({ exact }) => exact),
      [false],
    )
  })

  test('earns 8.82 USDC with 5,000 USDC in one round of 2,599.86', async () => {
    const { output, profit, profit_percent, profit_usd, steps } = await earn()
    assert.deepEqual(output, { denom: usdc, amount: '500882519615' })
    assert.deepEqual(profit, { denom: usdc, amount: '882519615' })
    assert.deepEqual([profit_percent, profit_usd], [0.18, '8.82519615'])
    assert.equal(steps.length, 1)
    assert.deepEqual(steps[0]!.input, { denom: usdc, amount: '259986834819' })
    assert.deepEqual(steps[0]!.path, [usdc, 'rune', 'btc-btc', usdc])
  })

  test('adds up, and its messages pay the profit when executed in order', async () => {
    let executed = 0
    for (const seed of seeds(12)) {
      const drawn = drawLoops(seed)
      const { denom, amount } = drawn.market.arbs[0]!
      const where: OperationContext = { openMarket: async () => drawn }
      const answer = await earn({ input: { denom, amount: `${amount * 50n}` } }, where)
      assert.equal(
        BigInt(answer.output.amount) - BigInt(answer.input.amount),
        BigInt(answer.profit.amount),
      )
      let world: RouterState = drawn.market
      let earned = 0n
      for (const step of answer.steps) {
        assert.equal(step.count, step.executions.length)
        assert.equal(
          sum(step.executions.map(({ input }) => input.amount)),
          BigInt(step.input.amount),
        )
        assert.equal(
          sum(step.executions.map(({ output }) => output.amount)),
          BigInt(step.output.amount),
        )
        for (const { input, output, min_return, tx, funds } of step.executions) {
          assert.deepEqual(funds, input)
          assert.deepEqual(tx.swap.min_return, min_return)
          assert.ok(BigInt(min_return.amount) >= BigInt(input.amount))
          const { stages } = tx.swap
          const order = world.router.dialect === 'forward' ? stages : stages.toReversed()
          const done = executePath(
            world,
            order.map(({ address }) => address),
            { denom, amount: BigInt(input.amount) },
            { minReturn: { denom, amount: BigInt(min_return.amount) } },
          )
          assert.ok(!isRefusal(done))
          assert.equal(`${done.recipient}`, output.amount)
          earned += done.recipient - BigInt(input.amount)
          world = done.after
          executed += 1
        }
      }
      assert.equal(`${earned}`, answer.profit.amount)
    }
    assert.ok(executed > 5, `${executed} executions`)
  })

  test('has no steps and returns the capital where no loop is profitable', async () => {
    const { steps, output, profit, profit_percent, profit_usd, input } = await earn({
      input: { denom: 'tcy', amount: '100000000' },
    })
    assert.deepEqual([steps, profit_percent, profit.amount], [[], 0, '0'])
    assert.equal(profit_usd, '0')
    assert.deepEqual(output, input)
  })

  test('is byte for byte the same for the same request, with the amount as a number or as digits', async () => {
    const text = JSON.stringify(await earn())
    assert.equal(JSON.stringify(await earn()), text)
    assert.equal(
      JSON.stringify(await earn({ input: { denom: usdc, amount: 500_000_000_000 } })),
      text,
    )
  })
})

describe('the profit curve of arbroute', () => {
  test('is highest at the chosen size', async () => {
    const { curve, steps } = await earn({ curve: 40 })
    const chosen = steps[0]!.executions[0]!
    const at = curve!.find(({ input }) => input === chosen.input.amount)!
    assert.equal(BigInt(at.profit!), BigInt(chosen.output.amount) - BigInt(chosen.input.amount))
    for (const { profit } of curve!)
      assert.ok(profit === null || BigInt(profit) <= BigInt(at.profit!))
    const sizes = curve!.map(({ input }) => BigInt(input))
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => (a < b ? -1 : 1)),
    )
    assert.equal(sizes.at(-1), 500_000_000_000n)
    assert.ok(curve!.length >= 40 && curve!.length <= 41)
  })

  test('is what the path of each size earns, also where a book hands a part back', async () => {
    let points = 0
    for (const seed of seeds(12)) {
      const drawn = drawLoops(seed)
      const { denom, amount } = drawn.market.arbs[0]!
      const input = { denom, amount: `${amount * 20n}` }
      const { steps, curve } = await earn({ input, curve: 20 }, { openMarket: async () => drawn })
      const [first] = steps.flatMap(({ executions }) => executions)
      if (first === undefined) continue
      const stages = first.tx.swap.stages.map(({ address }) => drawn.market.books.get(address)!)
      const path = drawn.market.router.dialect === 'stack' ? stages.toReversed() : stages
      const limits = { maxHops: 4, via: [], exclude: [], affiliate: undefined }
      for (const point of curve!) {
        const offer = { denom, amount: BigInt(point.input) }
        const route = routeAlong(drawn.market, path, offer, { limits, slippageBps: 0 })
        const profit = isRefusal(route) ? null : `${route.expected - offer.amount}`
        assert.equal(point.profit, profit, `seed ${seed}: ${point.input}`)
        points += 1
      }
    }
    assert.ok(points > 60, `${points} points`)
  })

  test('is empty where no loop is profitable', async () => {
    const { curve } = await earn({ input: { denom: 'tcy', amount: '5000' }, curve: 10 })
    assert.deepEqual(curve, [])
  })
})

describe('an arbroute request that is refused', () => {
  const rows: readonly (readonly [sentence: string, body: unknown, code: string])[] = [
    ['no input', {}, 'INVALID_REQUEST'],
    ['an output', { ...capital, output: { denom: usdc } }, 'INVALID_REQUEST'],
    ['one hop', { ...capital, max_hops: 1 }, 'INVALID_REQUEST'],
    ['a curve of one point', { ...capital, curve: 1 }, 'INVALID_REQUEST'],
    ['a capital of nothing', { input: { denom: usdc, amount: '0' } }, 'INVALID_AMOUNT'],
    ['half an atomic', { input: { denom: usdc, amount: 0.5 } }, 'INVALID_AMOUNT'],
    ['an unknown token', { input: { denom: 'nothing', amount: '5' } }, 'UNKNOWN_TOKEN'],
    ['too much slippage', { ...capital, slippage_bps: 10_000 }, 'INVALID_SLIPPAGE'],
  ]
  for (const [sentence, body, code] of rows)
    test(`with ${sentence} is ${code}`, async () => assert.equal((await problem(body)).code, code))

  test('throws NeedsWorker where the operation may not block the thread', async () => {
    const inline: OperationContext = { openMarket: async () => ({ market, graph }), inline: true }
    await assert.rejects(earn({}, inline), NeedsWorker)
  })
})
