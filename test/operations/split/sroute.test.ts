import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { readable } from '../../../src/demo-chain/market/document.js'
import { demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { executePath, type RouterState } from '../../../src/engine/market/router.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { minReturnOf } from '../../../src/engine/routing/route.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { OperationContext } from '../../../src/operations/context.js'
import { route } from '../../../src/operations/route/route.js'
import { readRouteRequest } from '../../../src/operations/route/route-request.js'
import { documentOf, marketOf, pairOf, seeds } from '../../support/markets.js'
import { smallMarket } from '../../support/small-market.js'
import { app, ask, market, sum, swap, usdc } from './asking.js'

const SPLIT_MEMBERS = [
  'id',
  'expected_output',
  'expected_output_usd',
  'min_return',
  'min_return_usd',
  'price_impact_bps',
  'gas_estimate',
  'cost',
  'price',
  'gap_bps',
  'gain_over_single_bps',
  'optimum_gap_bps',
  'legs',
]
const LEG_MEMBERS = [
  'split',
  'expected_output',
  'min_return',
  'price_impact_bps',
  'simulated_output',
  'exact',
  'gas_estimate',
  'path',
  'hops',
  'fees',
  'tx',
  'funds',
]

describe('the answer of sroute', () => {
  test('has its documented members in order', async () => {
    const answer = await ask({ frontier: true })
    assert.deepEqual(Object.keys(answer), [
      'network',
      'chain_id',
      'height',
      'time',
      'excluded',
      'input',
      'output',
      'input_token',
      'input_usd',
      'output_token',
      'slippage_bps',
      'single_best',
      'routes',
      'free_division',
      'frontier',
    ])
    for (const each of answer.routes) {
      const alone = each.legs.length === 1 ? ['tx', 'funds'] : []
      assert.deepEqual(Object.keys(each), [...SPLIT_MEMBERS, ...alone])
      for (const leg of each.legs) assert.deepEqual(Object.keys(leg), LEG_MEMBERS)
    }
    assert.deepEqual(answer.input, { ...swap.input, split_step: 5 })
    assert.deepEqual(answer.output, swap.output)
  })

  test('splits 1.5 BTC four ways and pays 227,769 RUNE, 39 bps more than the best path', async () => {
    const { routes, single_best } = await ask()
    const [best] = routes
    assert.equal(best!.expected_output, '22776937314798')
    assert.equal(single_best!.expected_output, '22687960256641')
    assert.deepEqual(
      best!.legs.map(({ split }) => [split.fraction, split.amount]),
      [
        ['0.55', '82500000'],
        ['0.35', '52500000'],
        ['0.05', '7500000'],
        ['0.05', '7500000'],
      ],
    )
    assert.deepEqual(
      best!.legs.map(({ path }) => path),
      [
        ['btc-btc', usdc, 'rune'],
        ['btc-btc', 'rune'],
        ['btc-btc', 'eth-eth', 'rune'],
        ['btc-btc', 'tcy', 'rune'],
      ],
    )
    assert.equal(best!.gain_over_single_bps, 39.22)
    assert.equal(best!.optimum_gap_bps, 3.04)
  })

  test('adds up: legs make the input, their outputs the output, their minimum returns the minimum return', async () => {
    for (const members of [{}, { affiliate: 'acme' }, { grid: false }, { max_legs: 3 }]) {
      for (const each of (await ask({ ...members, limit: 25 })).routes) {
        const { legs } = each
        assert.equal(sum(legs.map(({ split }) => split.amount)), 150_000_000n)
        assert.equal(sum(legs.map((leg) => leg.expected_output)), BigInt(each.expected_output))
        assert.equal(sum(legs.map((leg) => leg.min_return)), BigInt(each.min_return))
        for (const { split, funds, tx, min_return, expected_output, hops } of legs) {
          assert.deepEqual(funds, { denom: 'btc-btc', amount: split.amount })
          assert.deepEqual(tx.swap.min_return, { denom: 'rune', amount: min_return })
          assert.equal(BigInt(min_return), minReturnOf(BigInt(expected_output), 50))
          assert.deepEqual(hops[0]!.input, funds)
        }
      }
    }
  })

  test('ranks its splits: the best first, each next one with fewer legs and a gap', async () => {
    const { routes } = await ask({ limit: 25 })
    assert.ok(routes.length > 1)
    assert.equal(routes[0]!.gap_bps, 0)
    for (const [i, each] of routes.entries()) {
      const before = routes[i - 1]
      if (before === undefined) continue
      assert.ok(each.legs.length < before.legs.length)
      assert.ok(BigInt(each.expected_output) <= BigInt(before.expected_output))
      assert.ok(each.gap_bps >= before.gap_bps)
      assert.ok(each.gain_over_single_bps! >= 0 && each.optimum_gap_bps! >= 0)
    }
    assert.equal((await ask({ limit: 2 })).routes.length, 2)
  })

  test('pays what the chain pays when its messages are executed in order', async () => {
    for (const members of [{}, { input: { denom: 'btc-btc', amount: '1000000000' } }]) {
      const { routes } = await ask({ ...members, slippage_bps: 0, affiliate: 'ruji' })
      for (const { legs } of routes) {
        let world: RouterState = market
        for (const { tx, funds, expected_output } of legs) {
          const done = executePath(
            world,
            tx.swap.stages.map(({ address }) => address),
            { denom: funds.denom, amount: BigInt(funds.amount) },
            {
              minReturn: { denom: 'rune', amount: BigInt(tx.swap.min_return.amount) },
              affiliate: market.router.affiliates.get('ruji'),
            },
          )
          assert.ok(!isRefusal(done))
          assert.equal(`${done.recipient}`, expected_output)
          world = done.after
        }
      }
    }
  })

  test('with one leg is the best single path, with its message and its funds', async () => {
    const small = { denom: 'btc-btc', amount: '100000' }
    const { routes, single_best } = await ask({ input: small })
    const [best] = routes
    const { routes: singles } = await route(app, readRouteRequest({ ...swap, input: small }))
    assert.equal(best!.legs.length, 1)
    assert.deepEqual(best!.legs[0]!.split, { fraction: '1', amount: '100000' })
    assert.deepEqual(best!.tx, singles[0]!.tx)
    assert.deepEqual(best!.funds, singles[0]!.funds)
    assert.equal(single_best!.id, singles[0]!.id)
    assert.deepEqual(best!.legs[0]!.hops, singles[0]!.hops)
    assert.equal(best!.gain_over_single_bps, 0)
  })

  test('has as the simulated output of a later leg what simulate returns on the unchanged books', async () => {
    const { routes } = await ask()
    for (const { tx, funds, simulated_output } of routes[0]!.legs) {
      const path = tx.swap.stages.map(({ address }) => address)
      const alone = await route(
        app,
        readRouteRequest({ input: funds, output: { denom: 'rune' }, path }),
      )
      assert.equal(alone.routes[0]!.simulated_output, simulated_output)
    }
  })

  test('is byte for byte the same for the same request, also on a market read again', async () => {
    const again = decodeSnapshot(readable(demoSnapshot(1)), 'demo')
    const fresh: OperationContext = {
      openMarket: async () => ({ market: again, graph: graphOf(again) }),
    }
    for (const members of [
      {},
      { frontier: true },
      { grid: false },
      { input: { denom: 'btc-btc', amount: 150000000 } },
    ]) {
      const { input, ...first } = await ask(members)
      const { input: _input, ...second } = await ask(members, fresh)
      assert.equal(JSON.stringify(first), JSON.stringify(second))
      assert.equal(input.amount, '150000000')
    }
  })
})

describe('an exact-out split', () => {
  test('demands at least the wanted output and takes less than the best single path', async () => {
    const wantedOutput = '22000000000000'
    const request = { input: { denom: 'btc-btc' }, output: { denom: 'rune', amount: wantedOutput } }
    const { routes, input, output } = await ask(request)
    const single = await route(app, readRouteRequest(request))
    assert.ok(BigInt(routes[0]!.min_return) >= BigInt(wantedOutput))
    assert.ok(BigInt(input.amount) < BigInt(single.input.amount))
    assert.equal(output.amount, wantedOutput)
    assert.equal(sum(routes[0]!.legs.map(({ split }) => split.amount)), BigInt(input.amount))
    const less = { denom: 'btc-btc', amount: `${(BigInt(input.amount) * 9_999n) / 10_000n}` }
    const [below] = (await ask({ input: less })).routes
    assert.ok(BigInt(below!.min_return) < BigInt(wantedOutput))
  })

  test('reaches outputs that no single path pays', async () => {
    const request = {
      input: { denom: 'btc-btc' },
      output: { denom: 'rune', amount: '100000000000000' },
    }
    const { routes, input, single_best } = await ask({
      ...request,
      input: { denom: 'btc-btc', split_step: 5 },
    })
    assert.ok(BigInt(routes[0]!.min_return) >= 100_000_000_000_000n)
    assert.ok(BigInt(single_best?.expected_output ?? 0) < 100_000_000_000_000n)
    assert.ok(BigInt(input.amount) < 1_000_000_000n)
  })
})

describe('a split on generated markets', () => {
  test('is never below the best single path, or above its bound', async () => {
    const { drawMarket } = await import('../../support/drawn-market.js')
    for (const seed of seeds(6)) {
      const drawn = drawMarket(seed)
      const where: OperationContext = { openMarket: async () => drawn }
      const [from, to] = [drawn.graph.denoms[0]!, drawn.graph.denoms[1]!]
      const request = { input: { denom: from, amount: '5000000' }, output: { denom: to } }
      const single = await route(where, readRouteRequest(request)).catch(() => undefined)
      const split = await ask(request, where).catch(() => undefined)
      if (single === undefined) continue
      assert.ok(split, `seed ${seed}`)
      const [best] = split.routes
      assert.ok(BigInt(best!.expected_output) >= BigInt(single.routes[0]!.expected_output))
      assert.ok(best!.gain_over_single_bps! >= 0 && best!.optimum_gap_bps! >= 0)
      assert.equal(sum(best!.legs.map((leg) => leg.split.amount)), 5_000_000n)
    }
  })

  test('is half and half where the good level ends in the middle', async () => {
    const drawn = smallMarket(
      {
        'a/b': {
          quote: [
            { price: '2', total: '1000000' },
            { price: '1', total: '1000000' },
          ],
        },
        'a/c': { quote: [{ price: '1', total: '1000000' }] },
        'c/b': { quote: [{ price: '1.5', total: '1500000' }] },
      },
      { dialect: 'forward' },
    )
    const where: OperationContext = {
      openMarket: async () => ({ market: drawn, graph: graphOf(drawn) }),
    }
    const request = { input: { denom: 'a', amount: '1000000' }, output: { denom: 'b' } }
    const { routes, single_best } = await ask(request, where)
    const [best] = routes
    assert.equal(best!.expected_output, '1750000')
    assert.equal(single_best!.expected_output, '1500000')
    assert.equal(best!.gain_over_single_bps, 1666.67)
    assert.equal(best!.optimum_gap_bps, 0)
    assert.deepEqual(best!.legs.map(({ split, path }) => [split.fraction, path.join('')]).sort(), [
      ['0.5', 'ab'],
      ['0.5', 'acb'],
    ])
  })
})

test('one atomic, which every message demands, is asked for with the least input whatever the slippage', async () => {
  const view = marketOf(documentOf([pairOf(['p', 'a', 'b'], { bids: [['1', '1000']] })]))
  const { input } = await ask(
    { input: { denom: 'a' }, output: { denom: 'b', amount: '1' }, slippage_bps: 9999 },
    { openMarket: async () => view },
  )
  assert.equal(input.amount, '1')
})
