import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { executePath } from '../../../src/engine/market/router.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { minReturnOf } from '../../../src/engine/routing/route.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { OperationContext } from '../../../src/operations/context.js'
import { route } from '../../../src/operations/route/route.js'
import { app, graph, market } from '../../support/demo-market.js'
import { ask, swap } from './asking.js'

const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

const ROUTE_MEMBERS = [
  'id',
  'expected_output',
  'expected_output_usd',
  'simulated_output',
  'exact',
  'min_return',
  'min_return_usd',
  'gross_output',
  'gas_estimate',
  'price_impact_bps',
  'cost',
  'price',
  'mid_price',
  'gap_bps',
  'path',
  'hops',
  'fees',
  'tx',
  'funds',
]
const HOP_MEMBERS = [
  'address',
  'input',
  'output',
  'fee',
  'levels_used',
  'depth_used_percent',
  'price_impact_bps',
  'exact',
]
const AMOUNT = /^(0|[1-9][0-9]{0,38})$/
const PRICE = /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/

describe('the answer of route', () => {
  test('has its documented members in order', async () => {
    const answer = await ask({ explain: true })
    const head = ['network', 'chain_id', 'height', 'time', 'excluded']
    const display = ['input_token', 'input_usd', 'output_token']
    const rest = ['input', 'output', ...display, 'slippage_bps', 'single_best', 'routes', 'explain']
    assert.deepEqual(Object.keys(answer), [...head, ...rest])
    assert.deepEqual(Object.keys(await ask()), [...head, ...rest.slice(0, -1)])
    for (const each of answer.routes) {
      assert.deepEqual(Object.keys(each), ROUTE_MEMBERS)
      for (const hop of each.hops) assert.deepEqual(Object.keys(hop), HOP_MEMBERS)
      assert.deepEqual(Object.keys(each.fees), ['venue', 'protocol', 'referral', 'affiliate'])
      assert.deepEqual(Object.keys(each.tx.swap), ['stages', 'min_return'])
    }
  })

  test('has the network, the height and the excluded pairs', async () => {
    const { network, chain_id, height, time, excluded, ...rest } = await ask()
    assert.deepEqual([network, chain_id, height], ['demo', 'demo-1', 120])
    assert.equal(time, '2026-05-01T12:00:00Z')
    assert.deepEqual(
      excluded.map(({ reason }) => reason.split(':')[0]),
      ['halted', 'quarantined'],
    )
    assert.deepEqual(rest.input, swap.input)
    assert.deepEqual(rest.output, swap.output)
    assert.equal(rest.slippage_bps, 50)
  })

  test('writes amounts as strings, ratios as numbers of two decimals, prices as decimals', async () => {
    const { routes } = await ask({ affiliate: 'acme', limit: 25 })
    for (const each of routes) {
      const coins = [
        ...each.hops.flatMap(({ input, output, fee }) => [input, output, fee]),
        ...each.fees.venue,
        each.fees.protocol,
        each.fees.referral,
        each.fees.affiliate,
        each.funds,
        each.tx.swap.min_return,
      ]
      for (const { amount } of coins) assert.match(amount, AMOUNT)
      for (const amount of [each.expected_output, each.min_return, each.gross_output])
        assert.match(amount, AMOUNT)
      const shares = each.hops.flatMap((hop) => [hop.depth_used_percent, hop.price_impact_bps!])
      for (const ratio of [each.price_impact_bps!, each.gap_bps, ...shares])
        assert.equal(Number(ratio.toFixed(2)), ratio)
      for (const price of [each.price, each.mid_price!]) {
        assert.match(price, PRICE)
        assert.ok(price.replace('.', '').replace(/^0+/, '').length <= 18)
      }
    }
  })

  test('ranks its routes; the first is the best single path with a gap of zero', async () => {
    const { routes, single_best } = await ask({ limit: 25 })
    assert.ok(routes.length > 5 && routes.length <= 25, `${routes.length} routes`)
    assert.deepEqual(single_best, {
      id: routes[0]!.id,
      expected_output: routes[0]!.expected_output,
    })
    assert.equal(routes[0]!.gap_bps, 0)
    const outputs = routes.map((each) => BigInt(each.expected_output))
    assert.deepEqual(
      outputs,
      outputs.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)),
    )
    assert.equal(new Set(routes.map((each) => each.id)).size, routes.length)
    assert.equal((await ask()).routes.length, 5)
  })

  test('adds up: hops connect, fees and output make the gross output, shares are as registered', async () => {
    for (const each of (await ask({ affiliate: 'acme' })).routes) {
      const { hops, path, fees } = each
      assert.deepEqual(path, [swap.input.denom, ...hops.map((hop) => hop.output.denom)])
      for (const [i, hop] of hops.entries())
        assert.deepEqual(hop.input, i === 0 ? swap.input : hops[i - 1]!.output)
      assert.deepEqual(
        fees.venue,
        hops.map((hop) => hop.fee),
      )
      const gross = BigInt(each.gross_output)
      const [protocol, referral, affiliate] = [fees.protocol, fees.referral, fees.affiliate].map(
        (coin) => BigInt(coin.amount),
      )
      assert.equal(hops.at(-1)!.output.amount, each.gross_output)
      assert.equal(BigInt(each.expected_output), gross - protocol! - affiliate!)
      assert.equal(protocol, (gross * 10n + 9_999n) / 10_000n)
      assert.equal(referral, (protocol! * 1000n) / 10_000n)
      assert.equal(affiliate, (gross * 50n) / 10_000n)
      assert.equal(BigInt(each.simulated_output!), BigInt(each.expected_output) + affiliate!)
      assert.equal(BigInt(each.min_return), minReturnOf(BigInt(each.expected_output), 50))
    }
  })

  test('has the message that executes the best route', async () => {
    const { toBech32 } = await import('@cosmjs/encoding')
    const recipient = toBech32('demo', new Uint8Array(20).fill(7))
    const [best] = (await ask({ recipient, affiliate: 'ruji', slippage_bps: 0 })).routes
    const { stages, min_return, ...rest } = best!.tx.swap
    assert.deepEqual(rest, { recipient, affiliate_code: 'ruji' })
    assert.deepEqual(
      stages.map((stage) => stage.denom),
      best!.path.slice(1),
    )
    assert.deepEqual(min_return, { denom: 'rune', amount: best!.expected_output })
    const done = executePath(
      market,
      stages.map((stage) => stage.address),
      { denom: best!.funds.denom, amount: BigInt(best!.funds.amount) },
      {
        minReturn: { denom: 'rune', amount: BigInt(min_return.amount) },
        affiliate: market.router.affiliates.get('ruji'),
      },
    )
    assert.equal(!isRefusal(done) && `${done.recipient}`, best!.expected_output)
  })

  test('is byte for byte the same for the same request, also on a market read again', async () => {
    const request = { explain: true, limit: 25, via: [usdc] }
    const other = decodeSnapshot(demoSnapshot(1), 'again')
    const again: OperationContext = {
      openMarket: async () => ({ market: other, graph: graphOf(other) }),
    }
    const bytes = [
      await ask(request),
      await ask(request),
      await route(again, { ...swap, ...request }),
    ]
    assert.equal(new Set(bytes.map((each) => JSON.stringify(each))).size, 1)
  })

  test('takes an amount as a whole JSON number as well as a string', async () => {
    const written = await ask({ input: { denom: 'btc-btc', amount: 100_000_000 } })
    assert.equal(JSON.stringify(written), JSON.stringify(await ask()))
  })

  test('reads the market once', async () => {
    let queryCount = 0
    const counting: OperationContext = {
      openMarket: async () => {
        queryCount += 1
        return { market, graph }
      },
    }
    await route(counting, { ...swap, explain: true })
    assert.equal(queryCount, 1)
  })
})

describe('limits and guards of route', () => {
  test('via, exclude and max_hops apply to every route', async () => {
    for (const each of (await ask({ via: [usdc], limit: 25 })).routes)
      assert.ok(each.path.includes(usdc))
    for (const each of (await ask({ exclude: [usdc], limit: 25 })).routes)
      assert.ok(!each.path.includes(usdc))
    const [direct, ...others] = (await ask({ max_hops: 1, limit: 25 })).routes
    assert.deepEqual([direct!.path, others], [['btc-btc', 'rune'], []])
    const { address } = direct!.hops[0]!
    for (const each of (await ask({ exclude: [address], limit: 25 })).routes)
      assert.ok(each.hops.every((hop) => hop.address !== address))
  })

  test('a minimum output raises the minimum return of the routes that reach it and drops the others', async () => {
    const plain = await ask({ limit: 25 })
    const least = plain.routes[2]!.expected_output
    const guarded = await ask({ limit: 25, min_out: least })
    assert.deepEqual(
      guarded.routes.map((each) => each.id),
      plain.routes.slice(0, 3).map((each) => each.id),
    )
    for (const each of guarded.routes) {
      assert.ok(BigInt(each.min_return) >= BigInt(least))
      assert.equal(each.tx.swap.min_return.amount, each.min_return)
    }
    assert.deepEqual((await ask({ min_out: '1' })).routes, (await ask()).routes)
  })

  test('a price impact exactly at the limit is accepted', async () => {
    const impact = (await ask()).routes[0]!.price_impact_bps!
    assert.equal((await ask({ max_impact_bps: impact })).routes[0]!.price_impact_bps, impact)
  })

  test('a given path is quoted alone, as the search quotes it', async () => {
    const expected = (await ask({ limit: 25 })).routes[7]!
    const path = expected.hops.map((hop) => hop.address)
    const { routes } = await ask({ path })
    assert.deepEqual(routes, [{ ...expected, gap_bps: 0 }])
  })
})

describe('an exact-out route', () => {
  const wishes = [1n, 1_000n, 1_234_567_891n, 100_000_000_000n, 5_000_000_000_000n]

  for (const wanted of wishes)
    test(`promises ${wanted} rune for its input, and not for one atomic less`, async () => {
      const output = { denom: 'rune', amount: `${wanted}` }
      const answer = await route(app, { input: { denom: usdc }, output })
      assert.deepEqual(answer.output, output)
      assert.ok(BigInt(answer.routes[0]!.min_return) >= wanted)
      assert.deepEqual(answer.routes[0]!.funds, answer.input)
      const less = { denom: usdc, amount: `${BigInt(answer.input.amount) - 1n}` }
      const refused =
        less.amount === '0'
          ? undefined
          : await route(app, { input: less, output: { denom: 'rune' } }).catch(() => undefined)
      assert.ok(refused === undefined || BigInt(refused.routes[0]!.min_return) < wanted)
    })
})
