import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { OperationContext } from '../../../src/operations/context.js'
import { problemOf } from '../../../src/operations/problem.js'
import { route } from '../../../src/operations/route/route.js'
import { sroute } from '../../../src/operations/split/split.js'
import { readSplitRequest } from '../../../src/operations/split/split-documents.js'
import { app, market } from '../../support/demo-market.js'
import { documentOf, marketOf, type PairDocument, pairOf } from '../../support/markets.js'
import { directPair, ofAmount, problem, swap } from './asking.js'

/** The code of a request's problem, with the first rejected path and its reason. */
async function firstRejected(body: unknown) {
  const found = await problem(body)
  const [rejected] = found['rejected'] as readonly { path: string[]; reason: string }[]
  return [found.code, rejected?.path, rejected?.reason]
}

const around = (pairs: readonly PairDocument[], router: object = {}): OperationContext => {
  const drawn = marketOf(documentOf(pairs, router))
  return { openMarket: async () => drawn }
}

describe('an unknown token name', () => {
  const names = [
    'btc-bt',
    'BTC-BTC',
    '__proto__',
    'constructor',
    'toString',
    '',
    ' rune',
    'x'.repeat(9999),
  ]

  for (const name of names)
    test(`is UNKNOWN_TOKEN and is not replaced by a similar one: "${name.slice(0, 20)}"`, async () => {
      for (const [pointer, members] of [
        ['/input/denom', { input: { denom: name, amount: '5' } }],
        ['/output/denom', { output: { denom: name } }],
      ] as const) {
        const { code, status, ...found } = await problem({ ...swap, ...members })
        assert.deepEqual([code, status, found['pointer']], ['UNKNOWN_TOKEN', 404, pointer])
        assert.ok(Array.isArray(found['candidates']))
      }
    })

  test('is UNKNOWN_TOKEN with its pointer in via and exclude', async () => {
    for (const member of ['via', 'exclude']) {
      const { code, pointer } = await problem({ ...swap, [member]: ['rune', 'nope'] })
      assert.deepEqual([code, pointer], ['UNKNOWN_TOKEN', `/${member}/1`])
    }
  })

  test('is refused with the closest names, at most three', async () => {
    const body = { ...swap, output: { denom: 'eth-usd' } }
    const candidates = (await problem(body))['candidates'] as { denom: string; symbol: string }[]
    assert.equal(candidates.length, 3)
    for (const { denom } of candidates) assert.match(denom, /^eth-usd/)
  })
})

describe('a route request is refused with', () => {
  const table = [
    ['a slippage of 10,000', { slippage_bps: 10_000 }, 'INVALID_SLIPPAGE', { min: 0, max: 9999 }],
    ['a negative slippage', { slippage_bps: -1 }, 'INVALID_SLIPPAGE', { min: 0, max: 9999 }],
    ['one token for itself', { output: { denom: 'btc-btc' } }, 'SAME_TOKEN', {}],
    [
      'an address of another network',
      { recipient: `thor1${'q'.repeat(38)}` },
      'INVALID_ADDRESS',
      { pointer: '/recipient' },
    ],
    ['an empty address', { recipient: '' }, 'INVALID_ADDRESS', { pointer: '/recipient' }],
    [
      'an order in place of a route, which would pay the sender, beside a recipient',
      { allow_direct: true, recipient: 'x' },
      'INVALID_REQUEST',
      {
        errors: ['/allow_direct', '/recipient'].map((pointer) => ({
          pointer,
          detail: 'an order pays the account that signs it',
        })),
      },
    ],
    ['an unknown affiliate', { affiliate: 'nope' }, 'INVALID_AFFILIATE', { pointer: '/affiliate' }],
    [
      'an affiliate called __proto__',
      { affiliate: '__proto__' },
      'INVALID_AFFILIATE',
      { pointer: '/affiliate' },
    ],
    ['a path of an unknown pair', { path: ['nope'] }, 'NOT_FOUND', { pointer: '/path/0' }],
    [
      'an impact above the limit',
      { max_impact_bps: 169.05 },
      'PRICE_IMPACT_TOO_HIGH',
      { limit: 169.05, actual: 169.06 },
    ],
    ['excluding the target', { exclude: ['rune'] }, 'NO_ROUTE', { rejected: [] }],
  ] as const

  for (const [title, members, code, expected] of table)
    test(`${code} for ${title}`, async () => {
      const found = await problem({ ...swap, ...members })
      assert.equal(found.code, code)
      for (const [name, value] of Object.entries(expected)) assert.deepEqual(found[name], value)
    })

  test('nothing for empty lists beside a path, as a split is', async () => {
    const { routes } = await route(app, swap)
    const path = routes[0]!.hops.map(({ address }) => address)
    const request = { ...swap, path, via: [], exclude: [] }
    const { expected_output } = (await route(app, request)).routes[0]!
    assert.equal(expected_output, routes[0]!.expected_output)
    const split = await sroute(app, readSplitRequest(request))
    assert.equal(split.routes[0]!.expected_output, expected_output)
  })

  for (const [title, members, pointers] of [
    [
      'two amounts',
      { output: { denom: 'rune', amount: '5' } },
      ['/input/amount', '/output/amount'],
    ],
    ['no amount', { input: { denom: 'btc-btc' } }, ['/input/amount', '/output/amount']],
    ['a path and via', { path: ['x'], via: ['rune'] }, ['/path', '/via']],
    ['a path and exclude', { path: ['x'], exclude: ['tcy'] }, ['/path', '/exclude']],
    [
      'a path and an output',
      { path: ['x'], input: { denom: 'btc-btc' }, output: { denom: 'rune', amount: '5' } },
      ['/path', '/output/amount'],
    ],
  ] as const)
    test(`INVALID_REQUEST for ${title}, as a split is`, async () => {
      const request = { ...swap, ...members }
      const found = await problem(request)
      const pointersOf = ({ errors }: { readonly [member: string]: unknown }) =>
        (errors as { pointer: string }[]).map(({ pointer }) => pointer)
      assert.deepEqual([found.code, pointersOf(found)], ['INVALID_REQUEST', pointers])
      const split = await sroute(app, readSplitRequest(request)).then(
        () => assert.fail('a split is answered'),
        (error: unknown) => problemOf(error),
      )
      assert.deepEqual([split.code, pointersOf(split)], [found.code, pointers])
      assert.match(found.detail, /^members of the request clash; /)
    })

  test('INVALID_ADDRESS for a changed letter, a wrong length and capital letters', async () => {
    const { toBech32 } = await import('@cosmjs/encoding')
    const good = toBech32('demo', new Uint8Array(20).fill(7))
    const changed = good.replace(/.$/, (letter) => (letter === 'q' ? 'p' : 'q'))
    const short = toBech32('demo', new Uint8Array(19))
    for (const recipient of [changed, short, good.slice(0, -1), good.toUpperCase()])
      assert.equal((await problem({ ...swap, recipient })).code, 'INVALID_ADDRESS')
    assert.equal((await route(app, { ...swap, recipient: good })).routes.length, 5)
  })

  for (const [recipient, why] of [
    ['x', 'it does not have the form of an address'],
    ['demo1b', 'it does not have the form of an address'],
    ['cosmos1abcdef', 'its prefix is cosmos, not demo'],
    ['demo1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq', 'its checksum does not hold'],
  ] as const)
    test(`INVALID_ADDRESS for ${recipient}, since ${why}`, async () => {
      const refused = await problem({ ...swap, recipient })
      assert.match(`${refused.detail} ${refused['why']}`, new RegExp(why))
    })

  test('INVALID_ADDRESS for the router and for a pair, also a halted one, as the recipient', async () => {
    const { market } = await app.openMarket()
    const excluded = market.excluded.map(({ address }) => address)
    for (const recipient of [market.router.address, ...market.books.keys(), ...excluded])
      assert.equal((await problem({ ...swap, recipient })).code, 'INVALID_ADDRESS')
  })

  test('ASSERTION_FAILED one atomic above what the best route pays, and not at it', async () => {
    const best = (await route(app, swap)).single_best.expected_output
    const limit = `${BigInt(best) + 1n}`
    const { code, ...found } = await problem({ ...swap, min_out: limit })
    assert.deepEqual([code, found['limit'], found['actual']], ['ASSERTION_FAILED', limit, best])
    assert.equal((await route(app, { ...swap, min_out: best })).routes[0]!.min_return, best)
  })

  test('MARKET_HALTED for a path through a halted pair and for `via` it, and NO_ROUTE through a malformed one', async () => {
    const [halted, malformed] = market.excluded.map((pair) => pair.address)
    for (const body of [{ path: [halted] }, { via: [halted] }]) {
      const { code, pair, retryable } = await problem({ ...swap, ...body })
      assert.deepEqual([code, pair, retryable], ['MARKET_HALTED', halted, true])
    }
    const refused = await firstRejected({ ...swap, path: [malformed] })
    assert.deepEqual(refused, ['NO_ROUTE', [malformed], 'quarantined'])
  })

  test('NO_ROUTE and the reason for a path that an execution refuses', async () => {
    const path = [directPair()]
    const refused = await firstRejected({ ...ofAmount('1000000000000000000'), path })
    assert.deepEqual(refused, ['NO_ROUTE', path, 'beyond_depth'])
  })
})

describe('an amount that no path accepts', () => {
  const at = (amount: string, to: OperationContext) =>
    route(to, { input: { denom: 'a', amount }, output: { denom: 'z' } })

  for (const amount of ['1000000000000000', '340282366920938463463374607431768211455'])
    test(`is INSUFFICIENT_LIQUIDITY with the largest amount that works: ${amount}`, async () => {
      const found = await problem(ofAmount(amount))
      assert.equal(found.code, 'INSUFFICIENT_LIQUIDITY')
      const most = `${found['max_input']}`
      const { single_best } = await route(app, ofAmount(most))
      assert.equal(single_best.expected_output, found['output_at_max'])
      const more = await problem(ofAmount(`${BigInt(most) + 1n}`))
      assert.deepEqual([more.code, more['max_input']], ['INSUFFICIENT_LIQUIDITY', most])
    })

  test('is INSUFFICIENT_LIQUIDITY for an output beyond the market', async () => {
    const output = { denom: 'rune', amount: '9'.repeat(30) }
    const found = await problem({ input: { denom: 'btc-btc' }, output })
    assert.equal(found.code, 'INSUFFICIENT_LIQUIDITY')
    const { single_best } = await route(app, ofAmount(`${found['max_input']}`))
    assert.equal(single_best.expected_output, found['output_at_max'])
  })

  test('is AMOUNT_TOO_SMALL with the smallest amount that works', async () => {
    const small = (amount: string) => ({
      input: { denom: 'rune', amount },
      output: { denom: 'btc-btc' },
    })
    const found = await problem(small('1'))
    assert.equal(found.code, 'AMOUNT_TOO_SMALL')
    const least = BigInt(`${found['min_input']}`)
    assert.ok((await route(app, small(`${least}`))).routes.length > 0)
    assert.equal((await problem(small(`${least - 1n}`))).code, 'AMOUNT_TOO_SMALL')
  })

  test('is not AMOUNT_TOO_SMALL where a smaller amount works', async () => {
    // Offers of 400 to 499 end one atomic short of draining the pool: the contract aborts.
    const pool = pairOf(['pool', 'a', 'z'], { bids: [['0.01', '5']] })
    const dust = pairOf(['dust', 'a', 'z'], { bids: [['0.0001', '100']] })
    const to = around([pool, dust])
    assert.equal((await at('300', to)).single_best.expected_output, '3')
    const found = await problem(
      { input: { denom: 'a', amount: '450' }, output: { denom: 'z' } },
      to,
    )
    assert.equal(found.code, 'NO_ROUTE')
  })

  test('is NO_ROUTE with every reason where no amount works', async () => {
    const open = pairOf(['open', 'a', 'm'], { bids: [['1', '1000']] })
    const empty = pairOf(['empty', 'm', 'z'], { asks: [['1', '5']] })
    const body = { input: { denom: 'a', amount: '7' }, output: { denom: 'z' } }
    const found = await problem(body, around([open, empty]))
    assert.equal(found.code, 'NO_ROUTE')
    // The terminal shows them in the document alone.
    await assert.rejects(route(around([open, empty]), body), { hint: /: --json$/ })
    const rejected = found['rejected'] as readonly { path: string[]; reason: string }[]
    assert.deepEqual(
      rejected.map(({ path, reason }) => [path, reason]),
      [[['open', 'empty'], 'beyond_depth']],
    )
  })

  test('is NO_ROUTE that says whether a path connects the tokens, for an input as for an output', async () => {
    const pairs = [pairOf(['am', 'a', 'm'], { asks: [['1', '5']] }), pairOf(['mz', 'm', 'z'], {})]
    const output = { denom: 'z', amount: '7' }
    const given = { input: { denom: 'a', amount: '7' }, output: { denom: 'z' } }
    for (const body of [given, { input: { denom: 'a' }, output }])
      await assert.rejects(route(around(pairs), { ...body, max_hops: 1 }), { why: /connects them/ })
    const wanted = route(around(pairs), { input: { denom: 'a' }, output })
    await assert.rejects(wanted, { code: 'NO_ROUTE', why: /takes any amount/ })
  })

  test('is NO_ROUTE with the excluded pairs for a token that no open book trades', async () => {
    const pairs = [
      pairOf(['az', 'a', 'z'], { bids: [['1', '1000']] }),
      pairOf(['ab', 'a', 'b'], {}, { status: 'halted', reason: 'retired' }),
    ]
    const found = await problem(
      { input: { denom: 'a', amount: '7' }, output: { denom: 'b' } },
      around(pairs),
    )
    assert.equal(found.code, 'NO_ROUTE')
    const rejected = found['rejected'] as readonly { path: string[]; detail: string }[]
    assert.deepEqual(
      rejected.map(({ path, detail }) => [path, detail]),
      [[['ab'], 'halted: retired']],
    )
  })
})
