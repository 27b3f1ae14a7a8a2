import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Market } from '../../../src/engine/market/market.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { executePath } from '../../../src/engine/market/router.js'
import { routeAlong } from '../../../src/engine/routing/find-routes.js'
import { messageOf, stagesOf } from '../../../src/engine/routing/message.js'
import { minReturnOf, pathId, type Route } from '../../../src/engine/routing/route.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { TIMES } from '../../support/books.js'
import type { VectorMarket } from '../../support/cases.js'
import { type Drawn, documentOf, marketOf, pairOf } from '../../support/markets.js'
import { readLines } from '../../support/vectors.js'

const terms = {
  limits: { maxHops: 6, via: [], exclude: [], affiliate: undefined },
  slippageBps: 50,
}

/** The route over these pairs, which must be quotable. */
function along(market: Market, path: readonly string[], denom: string, amount: bigint): Route {
  const books = path.map((address) => market.books.get(address)!)
  const route = routeAlong(market, books, { denom, amount }, terms)
  if (isRefusal(route)) throw new Error(route.why)
  return route
}

const bids = [['2', '1000000']] as const
const threeHops = (router: object): Drawn =>
  marketOf(
    documentOf(
      [
        pairOf(['ab', 'a', 'b'], { bids }),
        pairOf(['cb', 'c', 'b'], { asks: bids }),
        pairOf(['cd', 'c', 'd'], { bids }),
      ],
      router,
    ),
  )

describe('the id of a path', () => {
  const ids = [
    [[], 'cbf29ce484222325'],
    [['a'], '089bdc07b544e7b2'],
    [['a', 'b'], '78ed6781f136a14e'],
    [['b', 'a'], 'e29f019b41a1da9a'],
    [['thor1pair', 'thor1riap'], 'b82137c239f7570d'],
  ] as const

  for (const [path, id] of ids) test(`is ${id} for [${path}]`, () => assert.equal(pathId(path), id))

  test('differs for paths whose concatenated addresses are equal', () => {
    const paths = [['ab'], ['a', 'b'], ['b', 'a'], ['a', 'b', ''], ['', 'ab'], ['ab', '']]
    assert.equal(new Set(paths.map(pathId)).size, paths.length)
  })

  test('has 16 lower-case hex digits, whatever the addresses', () => {
    for (let i = 0; i < 200; i += 1) assert.match(pathId([`p${i}`, 'ü', '']), /^[0-9a-f]{16}$/)
  })

  test('does not depend on the market or the amount', () => {
    const [one, other] = [threeHops({}).market, threeHops({ fee_bps: 30 }).market]
    const routes = [along(one, ['ab', 'cb'], 'a', 10n), along(other, ['ab', 'cb'], 'a', 77n)]
    assert.deepEqual(
      routes.map((route) => route.id),
      [pathId(['ab', 'cb']), pathId(['ab', 'cb'])],
    )
  })
})

describe('the minimum return', () => {
  const table = [
    ['is the whole expected output without slippage', 1000n, 0, 1000n],
    ['is rounded down', 1001n, 50, 995n],
    ['of 50 bps of 10,000 is 9,950', 10_000n, 50, 9_950n],
    ['is never below one atomic', 1n, 50, 1n],
    ['is one atomic of a small output at the largest slippage', 9_999n, 9_999, 1n],
    ['is two atomics of twice that output at the largest slippage', 20_000n, 9_999, 2n],
    ['of nothing is one atomic, which fails the swap', 0n, 50, 1n],
    ['is exact for a large amount', 10n ** 30n + 1n, 1, 10n ** 26n * 9_999n],
  ] as const

  for (const [title, expected, slippage, least] of table)
    test(title, () => assert.equal(minReturnOf(expected, slippage), least))
})

describe('the message of a route', () => {
  test('runs forward with the denom that each stage produces', () => {
    const { market } = threeHops({ dialect: 'forward' })
    const route = along(market, ['ab', 'cb', 'cd'], 'a', 1000n)
    assert.deepEqual(messageOf(market.router, route, {}), {
      swap: {
        stages: [
          { address: 'ab', denom: 'b' },
          { address: 'cb', denom: 'c' },
          { address: 'cd', denom: 'd' },
        ],
        min_return: { denom: 'd', amount: '1990' },
      },
    })
  })

  test('is a stack with the denom that is offered to each stage', () => {
    const { market } = threeHops({ dialect: 'stack' })
    const route = along(market, ['ab', 'cb', 'cd'], 'a', 1000n)
    assert.deepEqual(stagesOf(market.router, route), [
      { address: 'cd', denom: 'c' },
      { address: 'cb', denom: 'b' },
      { address: 'ab', denom: 'a' },
    ])
  })

  test('has one stage in both dialects, which then differ in the denom only', () => {
    const stages = ['forward', 'stack'].map((dialect) => {
      const { market } = threeHops({ dialect })
      return stagesOf(market.router, along(market, ['ab'], 'a', 5n))
    })
    assert.deepEqual(stages, [[{ address: 'ab', denom: 'b' }], [{ address: 'ab', denom: 'a' }]])
  })

  test('has a recipient and an affiliate only where they are given', () => {
    const { market } = threeHops({})
    const route = along(market, ['ab'], 'a', 5n)
    const { swap } = messageOf(market.router, route, { recipient: 'me', affiliate: 'acme' })
    assert.deepEqual(Object.keys(swap), ['stages', 'min_return', 'recipient', 'affiliate_code'])
    assert.deepEqual([swap.recipient, swap.affiliate_code], ['me', 'acme'])
    const bare = messageOf(market.router, route, { recipient: undefined, affiliate: undefined })
    assert.deepEqual(Object.keys(bare.swap), ['stages', 'min_return'])
  })

  test("is funded with the whole input and not from the router's own balance", () => {
    const { market } = threeHops({ balances: { a: '7' } })
    const route = along(market, ['ab'], 'a', 5n)
    assert.deepEqual(route.input, { denom: 'a', amount: 5n })
    assert.equal(route.hops[0]?.offer.amount, 12n)
    assert.equal(route.expected, 24n)
  })

  test('has the stages of every recorded message whose path can be quoted', () => {
    let compared = 0
    for (const [at, line] of readLines<VectorMarket>('public.jsonl').entries()) {
      if (at % 4 !== 0 && TIMES === 1) continue
      const market = decodeSnapshot(line.snapshot, line.id)
      for (const item of line.cases) {
        if (item.kind !== 'execute') continue
        const books = item.path.map((address) => market.books.get(address)!)
        const input = { denom: item.coin.denom, amount: BigInt(item.coin.amount) }
        const route = routeAlong(market, books, input, terms)
        if (isRefusal(route)) continue
        assert.equal(market.router.dialect, 'stack')
        assert.deepEqual(stagesOf(market.router, route), item.stages, line.id)
        const forward = stagesOf({ ...market.router, dialect: 'forward' }, route)
        assert.deepEqual(
          forward.map((stage) => stage.denom),
          [
            ...item.stages
              .slice(0, -1)
              .map((stage) => stage.denom)
              .reverse(),
            route.output,
          ],
        )
        compared += 1
      }
    }
    assert.ok(compared > 100, `${compared} compared`)
  })
})

test("a path that visits a denom twice counts the router's balance of it once", () => {
  const depth = [['1', '1000000']] as const
  const pairs = [
    pairOf(['ab', 'a', 'b'], { bids: depth }),
    pairOf(['ba', 'b', 'a'], { bids: depth }),
  ]
  const { market } = marketOf(documentOf(pairs, { balances: { a: '100', b: '3' } }))
  const minReturn = { denom: 'a', amount: 1n }
  const done = executePath(market, ['ab', 'ba'], { denom: 'a', amount: 10n }, { minReturn })
  assert.equal(!isRefusal(done) && done.recipient, 113n)
  assert.equal(along(market, ['ab', 'ba'], 'a', 10n).expected, 113n)
})
