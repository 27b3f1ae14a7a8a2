import assert from 'node:assert/strict'
import { Value } from 'typebox/value'
import { describe, test } from 'vitest'
import { demo } from '../../src/chain/networks/demo.js'
import { contractClient } from '../../src/compose/contract-client.js'
import { agentsOf } from '../../src/demo-chain/genesis/known-accounts.js'
import { namesCommandLine, SwapError } from '../../src/engine/errors.js'
import type { SimulateResult } from '../../src/operations/chain-port.js'
import type { OperationContext } from '../../src/operations/context.js'
import { stringify } from '../../src/operations/json.js'
import { operations } from '../../src/operations/operations.js'
import { orderPreview } from '../../src/operations/orders/order-preview.js'
import { orders } from '../../src/operations/orders/orders-operation.js'
import { route } from '../../src/operations/route/route.js'
import { readRouteRequest } from '../../src/operations/route/route-request.js'
import { sroute } from '../../src/operations/split/split.js'
import { readSplitRequest } from '../../src/operations/split/split-request.js'
import type { ContractClient } from '../../src/service/answers/contract-limiter.js'
import { fixedFeed } from '../../src/service/feed/fixed-feed.js'
import type { ServiceOptions } from '../../src/service/service.js'
import { halfKnown, stage as stageChain } from '../operations/chain/stage.js'
import { grow } from '../support/chain.js'
import { closing } from '../support/closing.js'
import { firstRows } from '../support/long.js'
import { body, demoMarket, post, type Staged, stage, stillFeed, threads } from './stage.js'

const SMALL = '1000000'

/** A service over a demo chain that it can query, and the same context as the command line has. */
async function serving(
  options: Partial<ServiceOptions> = {},
  open: (place: Awaited<ReturnType<typeof stageChain>>) => OperationContext = (place) =>
    place.app(),
) {
  const place = await stageChain({ life: false, seed: 3 })
  grow(place.chain, 3)
  const app = open(place)
  const venue = await app.openMarket()
  const network = { ...demo, rpc: [place.node.rpc], rest: [place.node.rest] }
  const contracts = closing(contractClient({ network, timeoutMs: 20_000 }))
  const service = await stage({ feed: fixedFeed(venue), contracts, ...options })
  closing({ close: () => service.end() })
  const ask = async (path: string, payload: unknown) => {
    const { payload: text, statusCode, headers } = await service.server.inject(post(path, payload))
    return { text, status: statusCode, headers, json: JSON.parse(text) }
  }
  return { place, app, service, ask }
}

const legsIn = (answer: {
  routes: { legs: { funds: unknown; tx: { swap: { stages: unknown } } }[] }[]
}) => answer.routes[0]!.legs.map(({ funds, tx }) => ({ coin: funds, stages: tx.swap.stages }))

const NO_ORDERS = { ownerOrders: () => Promise.resolve([]) }

describe('contract queries of the service', () => {
  test('give for verify what the command line gives, also from a thread and in a batch', async () => {
    const { app, ask } = await serving()
    const request = { ...body(SMALL), verify: true }
    const explained = { ...request, explain: true }
    const [single, split] = [
      stringify(await route(app, readRouteRequest(request))),
      stringify(await sroute(app, readSplitRequest(request))),
    ]
    assert.equal((await ask('/swap/route', request)).text, single)
    assert.equal((await ask('/swap/sroute', request)).text, split)
    // An explained answer is computed by a thread, which queries the chain through the serving thread.
    assert.equal(
      (await ask('/swap/route', explained)).text,
      stringify(await route(app, readRouteRequest(explained))),
    )
    const { text, json } = await ask('/swap/batch', {
      requests: [{ route: request }, { sroute: request }, { route: body(SMALL) }],
    })
    const plain = stringify(await route(app, readRouteRequest(body(SMALL))))
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
    assert.equal(listed.payload, stringify(await orders(app, { owner })))
    const [book] = (await app.openMarket()).market.books.values()
    const entry = { side: 'buy' as const, price: '0.00001', target: '5000' }
    const request = { owner, pair: book!.state.pair.address, entries: [entry] }
    const { text, status } = await ask('/orders/preview', request)
    assert.equal(status, 200)
    assert.equal(text, stringify(await orderPreview(app, request)))
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
      assert.equal(text, stringify(await route(app, readRouteRequest(request))))
      assert.equal(json.routes[0].exact, false)
      const { text: split } = await ask('/swap/sroute', request)
      assert.equal(split, stringify(await sroute(app, readSplitRequest(request))))
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

describe('a service whose chain fails', () => {
  const rows = [
    ['hang', 504, 'UPSTREAM_TIMEOUT'],
    ['502', 502, 'UPSTREAM_ERROR'],
    ['429', 503, 'UPSTREAM_RATE_LIMITED'],
    ['not-json', 502, 'UPSTREAM_INVALID_DATA'],
  ] as const
  for (const [kind, status, code] of firstRows(rows, 2))
    test(`answers ${status} ${code} within the deadline on ${kind}, without the name of a node`, async () => {
      const { place, ask, service } = await serving({
        asking: { most: 16, ms: kind === 'hang' ? 1_000 : 60_000 },
      })
      const quote = (await ask('/swap/sroute', body(SMALL))).json
      place.node.fail({ kind })
      const refused = await Promise.all([
        ask('/swap/route', { ...body(SMALL), verify: true }),
        ask('/swap/sroute', { ...body(SMALL), verify: true }),
        ask('/swap/simulate', { legs: legsIn(quote) }),
      ])
      for (const each of refused) {
        assert.deepEqual([each.status, each.json.code], [status, code])
        assert.doesNotMatch(each.text, /127\.0\.0\.1|http:/)
        assert.equal(each.json.upstream, 'the chain')
        assert.equal(each.json.retryable, true)
        if (status === 504) assert.equal(each.json.timeout_ms, 1_000)
        if (status === 503) assert.ok(Number(each.headers['retry-after']) >= 1)
      }
      assert.deepEqual(new Set(refused.map(({ json }) => json.detail)).size, 1)
      // The log for the operator names the node.
      assert.ok(service.lines.some((line) => line.includes(code) && line.includes('127.0.0.1')))
      assert.equal((await ask('/swap/route', body(SMALL))).status, 200)
      place.node.heal()
    })

  /** A contract client that answers when the test releases it. */
  function held() {
    const waiting: (() => void)[] = []
    const watching: { readonly count: number; readonly seen: () => void }[] = []
    const client: ContractClient = {
      within: () => ({
        ...NO_ORDERS,
        simulations: (questions) =>
          new Promise((resolve) => {
            const answer: SimulateResult = { kind: 'unknown', why: 'no gas' }
            waiting.push(() => resolve(questions.map(() => answer)))
            for (const { count, seen } of watching) if (waiting.length >= count) seen()
          }),
      }),
      close() {},
    }
    return {
      client,
      /** Settles once this many queries wait, unless a request ends before. */
      asked: (count: number, requests: readonly Promise<unknown>[]) =>
        Promise.race([
          new Promise<void>((seen) => {
            if (waiting.length >= count) seen()
            else watching.push({ count, seen })
          }),
          ...requests.map((each) => each.then(() => assert.fail('answered too early'))),
        ]),
      release() {
        for (const answer of waiting.splice(0)) answer()
      },
    }
  }

  /** Starts the worker thread of a service, however long that takes on a loaded machine. */
  async function warmed(service: Staged): Promise<Staged> {
    const ask = () => service.server.inject(post('/swap/sroute', body('1234567')))
    while ((await ask()).statusCode !== 200);
    return service
  }

  test('does not delay other requests by those that wait for the chain, in threads either', async () => {
    const { client, asked, release } = held()
    const service = await warmed(await stage({ contracts: client }))
    const ask = (path: string, payload: unknown) => service.server.inject(post(path, payload))
    let ended = 0
    const slow = ['route', 'sroute'].flatMap((name) =>
      ['1000000', '2000000'].map((amount) =>
        ask(`/swap/${name}`, { ...body(amount), verify: true }),
      ),
    )
    for (const each of slow) void each.then(() => (ended += 1))
    await asked(4, slow)
    for (const path of ['/swap/route', '/swap/sroute']) {
      const { statusCode } = await ask(path, body('3000000'))
      assert.deepEqual([statusCode, ended], [200, 0])
    }
    release()
    for (const { statusCode, payload } of await Promise.all(slow)) {
      assert.equal(statusCode, 200)
      assert.equal(JSON.parse(payload).verify.agrees, null)
    }
    await service.end()
  })

  test('restarts a job that waits for the chain when its thread ends with another job', async () => {
    const { client, asked, release } = held()
    const pool = threads()
    const served = stillFeed().current()!
    const job = { operation: 'sroute', request: { ...body('1000000'), verify: true }, served }
    const contracts = async () => client.within(1_000)
    const parked = pool.run({ ...job, deadline: 60_000, contracts })
    await asked(1, [parked])
    assert.equal(pool.busy(), 0)
    const output = { denom: 'rune', amount: '999999999999999999999' }
    const long = { input: { denom: 'btc-btc' }, output, max_hops: 6 }
    const late = pool.run({ operation: 'route', request: long, served, deadline: 1 })
    await assert.rejects(late, { code: 'OVERLOADED' })
    await asked(2, [parked])
    release()
    assert.equal(JSON.parse(await parked).verify.agrees, null)
    const given = pool.run({ ...job, deadline: 300, contracts })
    await assert.rejects(given, { code: 'OVERLOADED' })
    release()
    await pool.close()
  })

  test('bounds the requests that wait for the chain, and refuses one more with Retry-After', async () => {
    const { client, asked, release } = held()
    const service = await stage({ contracts: client, asking: { most: 2, ms: 1_000 } })
    const ask = (amount: number) =>
      service.server.inject(post('/swap/route', { ...body(`${amount}`), verify: true }))
    const first = [1_000_000, 2_000_000].map(ask)
    await asked(2, first)
    const refused = await ask(3_000_000)
    assert.equal(refused.statusCode, 503)
    assert.deepEqual(
      [JSON.parse(refused.payload).code, refused.headers['retry-after']],
      ['OVERLOADED', '1'],
    )
    release()
    for (const { statusCode } of await Promise.all(first)) assert.equal(statusCode, 200)
    const again = ask(3_000_000)
    await asked(1, [again])
    release()
    assert.equal((await again).statusCode, 200)
    await service.end()
  })

  test('counts a chain query as a heavy request of its client', async () => {
    const { client, asked, release } = held()
    const service = await stage({ contracts: client, rate: 2 })
    // Of two simultaneous light requests, a second heavy one would be refused.
    const ask = (payload: object) => service.server.inject(post('/swap/route', payload))
    const first = ask({ ...body('1000000'), verify: true })
    await asked(1, [first])
    release()
    assert.equal((await first).statusCode, 200)
    const second = await ask({ ...body('2000000'), verify: true })
    assert.deepEqual([second.statusCode, JSON.parse(second.payload).code], [429, 'RATE_LIMITED'])
    assert.ok(Number(second.headers['retry-after']) >= 1)
    assert.equal((await ask(body('2000000'))).statusCode, 200)
    await service.end()
  })

  test('reports an error of the program as a bug and not as a failure of the chain', async () => {
    const client: ContractClient = {
      within: () => ({ ...NO_ORDERS, simulations: () => Promise.reject(new Error('canary')) }),
      close() {},
    }
    const service = await warmed(await stage({ contracts: client }))
    for (const path of ['/swap/route', '/swap/sroute']) {
      const reply = await service.server.inject(post(path, { ...body('1000000'), verify: true }))
      assert.equal(reply.statusCode, 500)
      assert.doesNotMatch(reply.payload, /canary/)
    }
    assert.ok(service.lines.some((line) => line.includes('canary')))
    await service.end()
  })

  test('refuses a query where no node is configured', async () => {
    const client: ContractClient = {
      within() {
        throw new SwapError('UPSTREAM_ERROR', 'the demo chain does not run at 127.0.0.1')
      },
      close() {},
    }
    const service = await stage({ contracts: client })
    const reply = await service.server.inject(
      post('/swap/route', { ...body('1000000'), verify: true }),
    )
    assert.deepEqual([reply.statusCode, JSON.parse(reply.payload).code], [502, 'UPSTREAM_ERROR'])
    assert.doesNotMatch(reply.payload, /127/)
    await service.end()
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
      assert.match(detail, /needs a chain that can be asked; the market that answers was saved/)
      assert.equal(hint, 'ask a service that reads a network or the demo chain')
    }
    await service.end()
  })
})
