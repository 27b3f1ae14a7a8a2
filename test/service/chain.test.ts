import assert from 'node:assert/strict'
import { Value } from 'typebox/value'
import { describe, test } from 'vitest'
import { agentsOf } from '../../src/demo-chain/genesis/known-accounts.js'
import { namesCommandLine } from '../../src/engine/errors.js'
import { operations } from '../../src/operations/operations.js'
import { orders } from '../../src/operations/orders/order-operations.js'
import { orderPreview } from '../../src/operations/orders/order-preview.js'
import { route } from '../../src/operations/route/route.js'
import { readRouteRequest } from '../../src/operations/route/route-request.js'
import { sroute } from '../../src/operations/split/split.js'
import { readSplitRequest } from '../../src/operations/split/split-documents.js'
import { halfKnown } from '../operations/chain/stage.js'
import { grow } from '../support/chain.js'
import { legsIn, SMALL, serving } from './chain-stage.js'
import { body, demoMarket, post, stage } from './stage.js'

describe('contract queries of the service', () => {
  test('give for verify what the command line gives, also from a thread and in a batch', async () => {
    const { app, ask } = await serving()
    const request = { ...body(SMALL), verify: true }
    const explained = { ...request, explain: true }
    const [single, split] = [
      JSON.stringify(await route(app, readRouteRequest(request))),
      JSON.stringify(await sroute(app, readSplitRequest(request))),
    ]
    assert.equal((await ask('/swap/route', request)).text, single)
    assert.equal((await ask('/swap/sroute', request)).text, split)
    // An explained answer is computed by a thread, which queries the chain through the serving thread.
    assert.equal(
      (await ask('/swap/route', explained)).text,
      JSON.stringify(await route(app, readRouteRequest(explained))),
    )
    const { text, json } = await ask('/swap/batch', {
      requests: [{ route: request }, { sroute: request }, { route: body(SMALL) }],
    })
    const plain = JSON.stringify(await route(app, readRouteRequest(body(SMALL))))
    assert.equal(text, `{"height":${json.height},"results":[${single},${split},${plain}]}`)
    const shaped = (name: string, answer: string) => {
      const { response } = operations.find((each) => each.name === name)!
      assert.deepEqual(Value.Errors(response!, JSON.parse(answer)), [], name)
    }
    shaped('route', single)
    shaped('sroute', split)
    assert.equal(JSON.parse(single).verify.agrees, true)
    assert.equal(JSON.parse(split).verify.agrees, true)
  })

  test('use for simulate the height that is served, whatever blocks follow', async () => {
    const { ask, place } = await serving()
    const quote = (await ask('/swap/sroute', body(SMALL))).json
    grow(place.chain, 8)
    const { status, json } = await ask('/swap/simulate', { legs: legsIn(quote) })
    assert.deepEqual([status, json.height, json.within], [200, quote.height, true])
    const { response } = operations.find(({ name }) => name === 'simulate')!
    assert.deepEqual(Value.Errors(response!, json), [])
    assert.deepEqual(
      json.legs.map(({ returned }: { returned: string }) => returned),
      quote.routes[0].legs.map((leg: { simulated_output: string }) => leg.simulated_output),
    )
    const [leg] = legsIn(quote)
    assert.equal((await ask('/swap/simulate', leg)).json.legs[0].difference, '0')
  })

  test('give the orders of an account and the preview of its messages, as the operations do', async () => {
    const { app, ask, place, service } = await serving({}, (each) => {
      grow(each.chain, 9)
      return each.app()
    })
    assert.ok(place.chain.height > 9)
    const [owner = ''] = agentsOf('demo', 3).orders.map(({ address }) => address)
    const url = `/orders?owner=${owner}`
    const listed = await service.server.inject({ method: 'GET', url })
    assert.equal(listed.payload, JSON.stringify(await orders(app, { owner })))
    const [book] = (await app.openMarket()).market.books.values()
    const entry = { side: 'buy' as const, price: '0.00001', target: '5000' }
    const request = { owner, pair: book!.state.pair.address, entries: [entry] }
    const { text, status } = await ask('/orders/preview', request)
    assert.equal(status, 200)
    assert.equal(text, JSON.stringify(await orderPreview(app, request)))
    const cancel = { ...request, entries: [{ ...entry, target: '0' }] }
    const refused = await ask('/orders/preview', cancel)
    const { code, reason, hint } = refused.json
    assert.deepEqual([refused.status, code, reason], [422, 'ORDER_REFUSED', 'nothing_to_cancel'])
    assert.ok(!namesCommandLine(hint))
  })

  test('give routes over incompletely known pairs the outputs of the contracts, as on the command line', async () => {
    const { app, ask } = await serving({}, (place) => halfKnown(place))
    for (const request of [body('10000000'), { ...body('10000000'), explain: true }]) {
      const { text, json } = await ask('/swap/route', request)
      assert.equal(text, JSON.stringify(await route(app, readRouteRequest(request))))
      assert.equal(json.routes[0].exact, false)
      const { text: split } = await ask('/swap/sroute', request)
      assert.equal(split, JSON.stringify(await sroute(app, readSplitRequest(request))))
    }
  })

  test('run once for equal requests, concurrent or repeated', async () => {
    const { place, ask } = await serving()
    const request = { ...body(SMALL), verify: true }
    for (const path of ['/swap/route', '/swap/sroute']) {
      await ask(path, { ...body('999999'), verify: true })
      const before = place.node.asked.length
      const once = await ask(path, request)
      const cost = place.node.asked.length - before
      assert.ok(cost > 0)
      const other = { ...request, slippage_bps: 70 }
      const several = await Promise.all([1, 2, 3, 4].map(() => ask(path, other)))
      assert.equal(place.node.asked.length - before, 2 * cost)
      assert.equal(new Set(several.map(({ text }) => text)).size, 1)
      assert.equal((await ask(path, request)).text, once.text)
      assert.equal(place.node.asked.length - before, 2 * cost)
    }
  })
})

describe('a service of a saved market', () => {
  test('refuses contract queries with a hint', async () => {
    const service = await stage()
    const [pair] = demoMarket.books.keys()
    const message = {
      coin: { denom: 'btc-btc', amount: '1000' },
      stages: [{ address: pair, denom: 'rune' }],
    }
    const asked = await Promise.all([
      service.server.inject(post('/swap/route', { ...body(), verify: true })),
      service.server.inject(post('/swap/sroute', { ...body(), verify: true })),
      service.server.inject(post('/swap/simulate', message)),
    ])
    for (const { statusCode, payload } of asked) {
      const { code, detail, hint } = JSON.parse(payload)
      assert.deepEqual([statusCode, code], [400, 'INVALID_REQUEST'])
      assert.match(detail, /needs a chain that can be queried; the market that answers was saved/)
      assert.equal(hint, 'ask a service that reads a network or the demo chain')
    }
    await service.end()
  })
})
