import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NeedsWorker, type OperationContext } from '../../../src/operations/context.js'
import { route } from '../../../src/operations/route/route.js'
import { readRouteRequest } from '../../../src/operations/route/route-request.js'
import { sroute } from '../../../src/operations/split/split.js'
import { readSplitRequest } from '../../../src/operations/split/split-documents.js'
import { app, ask, graph, legsOf, market, problem, swap } from './asking.js'

const gusd = [...market.tokens.keys()].find((denom) => denom.includes('gusd'))!
const found = await ask()
const legs = legsOf(found)

describe('a malformed sroute request', () => {
  const rows: readonly (readonly [sentence: string, body: unknown, pointers: readonly string[]])[] =
    [
      ['no body', undefined, ['']],
      ['an unknown member', { ...swap, foo: 1 }, ['/foo']],
      ['an explain of text', { ...swap, explain: 'yes' }, ['/explain']],
      ['a verify of a number', { ...swap, verify: 1 }, ['/verify']],
      ['a split step at the wrong place', { ...swap, split_step: 5 }, ['/split_step']],
      ['a max_legs of zero', { ...swap, max_legs: 0 }, ['/max_legs']],
      ['a max_legs of eleven', { ...swap, max_legs: 11 }, ['/max_legs']],
      ['a grid of text', { ...swap, grid: 'no' }, ['/grid']],
      ['a frontier of a number', { ...swap, frontier: 1 }, ['/frontier']],
      ['an empty list of legs', { ...swap, legs: [] }, ['/legs']],
      ['a leg without a path', { ...swap, legs: [{ amount: '5' }] }, ['/legs/0/path']],
      ['a leg without an amount', { ...swap, legs: [{ path: ['x'] }] }, ['/legs/0/amount']],
      ['no output', { input: swap.input }, ['/output']],
      ['no amount', { ...swap, input: { denom: 'btc-btc' } }, ['/input/amount', '/output/amount']],
      [
        'two amounts',
        { ...swap, output: { denom: 'rune', amount: '5' } },
        ['/input/amount', '/output/amount'],
      ],
      [
        'legs with a split step',
        { ...swap, legs, input: { ...swap.input, split_step: 5 } },
        ['/input/split_step', '/legs'],
      ],
      ['legs with max_legs', { ...swap, legs, max_legs: 3 }, ['/legs', '/max_legs']],
      [
        'legs with via and exclude',
        { ...swap, legs, via: ['tcy'], exclude: ['eth-eth'] },
        ['/exclude', '/legs', '/via'],
      ],
      ['legs with a path', { ...swap, legs, path: legs[0]!.path }, ['/legs', '/path']],
      ['legs without a grid', { ...swap, legs, grid: false }, ['/grid', '/legs']],
      [
        'legs with an output amount',
        { input: { denom: 'btc-btc' }, output: { denom: 'rune', amount: '5' }, legs },
        ['/legs', '/output/amount'],
      ],
      ['a path with via', { ...swap, path: legs[0]!.path, via: ['tcy'] }, ['/path', '/via']],
      ['legs that do not add up', { ...swap, legs: legs.slice(1) }, ['/input/amount', '/legs']],
      [
        'a leg that ends in another token',
        { ...swap, legs: [{ path: legs[0]!.path.slice(0, 1), amount: '150000000' }] },
        ['/legs/0/path'],
      ],
      [
        'a leg whose pairs do not connect',
        { ...swap, legs: [legs[1]!, { path: [legs[0]!.path[1]!], amount: '97500000' }] },
        ['/legs/1/path/0'],
      ],
      ['a member of a route alone', { ...swap, allow_direct: true }, ['/allow_direct']],
    ]
  for (const [sentence, body, pointers] of rows)
    test(`is INVALID_REQUEST for ${sentence}, with pointers`, async () => {
      const { code, status, errors } = await problem(body)
      assert.deepEqual([code, status], ['INVALID_REQUEST', 400])
      const faults = errors as readonly { pointer: string }[]
      assert.deepEqual(faults.map(({ pointer }) => pointer).sort(), pointers)
    })
})

describe('a split step', () => {
  for (const split_step of [0, 11, -1, 2.5, '5', null, true, [5], 1e21])
    test(`of ${JSON.stringify(split_step)} is INVALID_SPLIT_STEP with its bounds`, async () => {
      const body = { ...swap, input: { ...swap.input, split_step } }
      const { code, status, min, max, pointer } = await problem(body)
      assert.deepEqual([code, status, min, max], ['INVALID_SPLIT_STEP', 400, 1, 10])
      assert.equal(pointer, '/input/split_step')
    })

  test('is also checked where the schema is bypassed', async () => {
    const input = { ...swap.input, split_step: 12 }
    await assert.rejects(sroute(app, { ...swap, input }), { code: 'INVALID_SPLIT_STEP' })
  })
})

describe('a malformed amount of an sroute request', () => {
  test('is reported with its pointer', async () => {
    const places: readonly (readonly [object, string])[] = [
      [{ ...swap, input: { denom: 'btc-btc', amount: '0' } }, '/input/amount'],
      [{ ...swap, input: { denom: 'btc-btc', amount: 1.5 } }, '/input/amount'],
      [{ ...swap, min_out: '-5' }, '/min_out'],
      [{ input: { denom: 'btc-btc' }, output: { denom: 'rune', amount: '1e5' } }, '/output/amount'],
      [{ ...swap, legs: [legs[0], { ...legs[1], amount: 1e300 }] }, '/legs/1/amount'],
      [{ ...swap, legs: [{ ...legs[0], amount: '00' }] }, '/legs/0/amount'],
    ]
    for (const [body, place] of places) {
      const { code, pointer } = await problem(body)
      assert.deepEqual([code, pointer], ['INVALID_AMOUNT', place])
    }
  })
})

describe('an sroute request that the market refuses', () => {
  const rows: readonly (readonly [sentence: string, members: object, code: string])[] = [
    ['a token for itself', { output: { denom: 'btc-btc' } }, 'SAME_TOKEN'],
    ['an unknown token', { output: { denom: 'runr' } }, 'UNKNOWN_TOKEN'],
    ['an unknown name in via', { via: ['nothing'] }, 'UNKNOWN_TOKEN'],
    ['a slippage of 10,000', { slippage_bps: 10_000 }, 'INVALID_SLIPPAGE'],
    ['an affiliate that is not registered', { affiliate: 'unregistered' }, 'INVALID_AFFILIATE'],
    ['a recipient of another network', { recipient: 'thor1xyz' }, 'INVALID_ADDRESS'],
    ['an unknown pair', { legs: [{ path: ['x'], amount: '5' }] }, 'NOT_FOUND'],
    [
      'one atomic',
      { input: { denom: 'rune', amount: '1' }, output: { denom: 'btc-btc' } },
      'AMOUNT_TOO_SMALL',
    ],
    [
      'tokens without a path of one hop',
      { input: { denom: 'tcy', amount: '5' }, output: { denom: gusd }, max_hops: 1 },
      'NO_ROUTE',
    ],
  ]
  for (const [sentence, members, code] of rows)
    test(`with ${sentence} is ${code}`, async () => {
      assert.equal((await problem({ ...swap, ...members })).code, code)
    })

  test('is INSUFFICIENT_LIQUIDITY for too much input, with a max_input that works and exceeds any single path', async () => {
    const body = (amount: string) => ({ input: { denom: gusd, amount }, output: { denom: 'rune' } })
    const { code, max_input, output_at_max, detail } = await problem(body('50000000000000000'))
    assert.equal(code, 'INSUFFICIENT_LIQUIDITY')
    assert.match(detail, /^no split from GUSD to RUNE for 500000000 GUSD; paths exist/)
    const { routes } = await ask(body(String(max_input)))
    assert.equal(routes[0]!.expected_output, output_at_max)
  })

  test('has a max_input that only a split takes, and refuses two percent more', async () => {
    const body = (amount: bigint) => ({
      input: { denom: 'tron-usdt-tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t', amount: `${amount}` },
      output: { denom: 'x/ruji' },
      max_legs: 2,
    })
    const most = BigInt(String((await problem(body(3_798_518_193_661n))).max_input))
    const { routes, single_best } = await ask(body(most))
    assert.deepEqual([routes[0]!.legs.length, single_best], [2, null])
    assert.equal((await problem(body((most * 102n) / 100n))).code, 'INSUFFICIENT_LIQUIDITY')
  })

  test('is INSUFFICIENT_LIQUIDITY for too much output, with the largest one found', async () => {
    const { code, max_input, output_at_max } = await problem({
      input: { denom: 'btc-btc' },
      output: { denom: 'rune', amount: '2000000000000000000' },
    })
    assert.equal(code, 'INSUFFICIENT_LIQUIDITY')
    assert.ok(BigInt(String(output_at_max)) > 100_000_000_000_000n)
    assert.ok(BigInt(String(max_input)) > 0n)
  })

  test('is INSUFFICIENT_LIQUIDITY for too much output, with one that is found when it is asked for', async () => {
    const body = (amount: string) => ({
      input: { denom: 'x/ruji' },
      output: { denom: 'rune', amount },
      slippage_bps: 0,
      max_hops: 3,
    })
    const { max_input, output_at_max } = await problem(body('9'.repeat(30)))
    const { input, routes } = await ask(body(String(output_at_max)))
    assert.ok(BigInt(input.amount) <= BigInt(String(max_input)))
    assert.ok(BigInt(routes[0]!.min_return) >= BigInt(String(output_at_max)))
  })

  test('is NO_ROUTE for a leg that its book refuses, with the reason', async () => {
    const amount = '10000000000000000'
    const body = { ...swap, input: { denom: 'btc-btc', amount }, legs: [{ ...legs[3]!, amount }] }
    const { code, rejected } = await problem(body)
    assert.equal(code, 'NO_ROUTE')
    const [{ path, reason }] = rejected as unknown as [{ path: unknown; reason: string }]
    assert.deepEqual(path, legs[3]!.path)
    assert.equal(reason, 'beyond_depth')
  })

  test('is NO_ROUTE for a path whose output the fees take, for the same reason as a route', async () => {
    const book = [...market.books.values()].find(
      ({ state }) => state.pair.base === 'eth-eth' && state.pair.quote === 'btc-btc',
    )
    const path = [book!.state.pair.address]
    const terms = { input: { denom: 'eth-eth', amount: '100' }, output: { denom: 'btc-btc' }, path }
    const { code, rejected } = await problem(terms)
    assert.equal(code, 'NO_ROUTE')
    assert.deepEqual(rejected, [
      { path, reason: 'zero_output', detail: 'the fees leave nothing of 1' },
    ])
    await assert.rejects(route(app, readRouteRequest(terms)), { members: { rejected } })
  })
})

test('sroute throws NeedsWorker where it may not block the thread, after validating the request', async () => {
  const inline: OperationContext = { openMarket: async () => ({ market, graph }), inline: true }
  await assert.rejects(sroute(inline, readSplitRequest(swap)), NeedsWorker)
  assert.equal((await problem({ ...swap, via: ['nothing'] }, inline)).code, 'UNKNOWN_TOKEN')
})
