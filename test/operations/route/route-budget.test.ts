import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { generatedMarket } from '../../../bench/markets.js'
import { DEMO_SEED, demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import type { SwapError } from '../../../src/engine/errors.js'
import { compileBook } from '../../../src/engine/market/book.js'
import type { Market } from '../../../src/engine/market/market.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { NeedsWorker, type OperationContext } from '../../../src/operations/context.js'
import { route } from '../../../src/operations/route/route.js'
import type { RouteRequest } from '../../../src/operations/route/route-request.js'
import { drawMarket } from '../../support/drawn-market.js'

const contextOf = (market: Market): OperationContext => {
  const graph = graphOf(market)
  return { openMarket: async () => ({ market, graph }) }
}

const demo = contextOf(decodeSnapshot(demoSnapshot(DEMO_SEED), 'demo'))
const bscUsdc = 'bsc-usdc-0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d'

/** 10.8 million BTC over up to six hops: finding the most that passes takes more work than allowed. */
const sale: RouteRequest = {
  input: { denom: 'btc-btc', amount: '1080630359282681' },
  output: { denom: bscUsdc },
  max_hops: 6,
}

/** From, to and output of requests whose search for the least input takes all of the budget. */
const EXACT_OUT = [
  ['t141', 't65', '104'],
  ['t176', 't172', '244'],
] as const

const refusal = (context: OperationContext, request: RouteRequest): Promise<SwapError> =>
  route(context, request).then(
    () => assert.fail('answered'),
    (error) => error,
  )

describe('the budget of a search for routes', () => {
  test('a sale that is too large names an amount that passes where the search for the most is cut', async () => {
    const refused = await refusal(demo, sale)
    assert.equal(refused.code, 'INSUFFICIENT_LIQUIDITY')
    assert.match(refused.why!, /none was found that takes more .* the sizes are bounds/)
    const { max_input, output_at_max, search_cut } = refused.members!
    assert.match(`${search_cut}`, /sizes are bounds/)
    const largest = { ...sale, input: { ...sale.input, amount: `${max_input}` } }
    const { routes } = await route(demo, largest)
    assert.ok(BigInt(routes[0]!.expected_output) >= BigInt(`${output_at_max}`))
  })

  test('an exact-out request whose search is cut has routes that pay the output', async () => {
    const market = generatedMarket(200)
    const context = contextOf(market)
    for (const [from, to, amount] of EXACT_OUT) {
      const request = {
        input: { denom: from },
        output: { denom: to, amount },
        max_hops: 6,
        limit: 25,
      }
      const { routes, search_cut } = await route(context, request)
      assert.match(search_cut!, /lower max_hops/)
      for (const { min_return } of routes) assert.ok(BigInt(min_return) >= BigInt(amount))
    }
  })

  test('an exact-out request of which no size is known does not state that no path takes any amount', async () => {
    const { market } = drawMarket(9479)
    const [from, to] = [{ denom: 't1' }, { denom: 't4' }]
    const request = { input: { ...from, amount: '1000010' }, output: to }
    const { routes } = await route(contextOf(market), request)
    const output = { ...to, amount: routes[0]!.expected_output }
    const refused = await refusal(contextOf(market), { input: from, output, slippage_bps: 50 })
    assert.equal(refused.code, 'NO_ROUTE')
    assert.match(refused.message, /^no single path was found that pays /)
    assert.match(refused.why!, /^no amount was found that passes; the search ended/)
  })

  test('the serving thread asks no contract about a search that it leaves to a worker', async () => {
    const { books, ...rest } = generatedMarket(200)
    const unsure = [...books].map(([address, { state }]) => {
      return [address, compileBook({ ...state, exact: false })] as const
    })
    let queries = 0
    const asking: OperationContext = {
      ...contextOf({ ...rest, books: new Map(unsure) }),
      contracts: async () => {
        queries += 1
        throw new Error('asked')
      },
    }
    const [[from, to, amount]] = EXACT_OUT
    const request = { input: { denom: from }, output: { denom: to, amount }, max_hops: 6 }
    await assert.rejects(route({ ...asking, inline: true }, request), NeedsWorker)
    assert.equal(queries, 0)
    await assert.rejects(route(asking, request), /asked/)
  })

  test('the serving thread answers what takes little work and leaves the rest to a worker', async () => {
    const inline = { ...demo, inline: true as const }
    const small = { ...sale, input: { denom: 'btc-btc', amount: '1000000' }, max_hops: 4 }
    assert.deepEqual(await route(inline, small), await route(demo, small))
    const refused = { ...small, input: sale.input, max_hops: 2 }
    assert.deepEqual(await refusal(inline, refused), await refusal(demo, refused))
    await assert.rejects(route(inline, sale), NeedsWorker)
    await assert.rejects(route(inline, { ...small, explain: true }), NeedsWorker)
  })
})
