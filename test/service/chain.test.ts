import assert from 'node:assert/strict'
import { Value } from 'typebox/value'
import { describe, test } from 'vitest'
import { demo } from '../../src/chain/networks/demo.js'
import { contractClient } from '../../src/compose/contract-client.js'
import { SwapError } from '../../src/engine/errors.js'
import type { SimulateResult } from '../../src/operations/chain-port.js'
import type { OperationContext } from '../../src/operations/context.js'
import { stringify } from '../../src/operations/json.js'
import { operations } from '../../src/operations/operations.js'
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

/** A service over a demo chain that it can ask, and the same app that the command line has. */
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

describe('asking the contracts through the service', () => {
  test('verify gives what the command line gives, also from a thread and in a batch', async () => {
    const { app, ask } = await serving()
    const request = { ...body(SMALL), verify: true }
    const explained = { ...request, explain: true }
    const [single, split] = [
      stringify(await route(app, readRouteRequest(request))),
      stringify(await sroute(app, readSplitRequest(request))),
    ]
    assert.equal((await ask('/swap/route', request)).text, single)
    assert.equal((await ask('/swap/sroute', request)).text, split)
    // What is explained is computed by a thread, which asks through the one that serves.
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

  test('simulate answers as of the height that is served, whatever has happened since', async () => {
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

  test('routes over pairs that are not known in full have the contracts’ numbers, as at the other door', async () => {
    const { app, ask } = await serving({}, (place) => halfKnown(place))
    for (const request of [body('10000000'), { ...body('10000000'), explain: true }]) {
      const { text, json } = await ask('/swap/route', request)
      assert.equal(text, stringify(await route(app, readRouteRequest(request))))
      assert.equal(json.routes[0].exact, false)
      const { text: split } = await ask('/swap/sroute', request)
      assert.equal(split, stringify(await sroute(app, readSplitRequest(request))))
    }
  })

  test('the same question, asked by several at once or again, goes to the chain once', async () => {
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

describe('a chain that fails', () => {
  const rows = [
    ['hang', 504, 'UPSTREAM_TIMEOUT'],
    ['502', 502, 'UPSTREAM_ERROR'],
    ['429', 503, 'UPSTREAM_RATE_LIMITED'],
    ['not-json', 502, 'UPSTREAM_INVALID_DATA'],
  ] as const
  for (const [kind, status, code] of firstRows(rows, 2))
    test(`${kind} is ${status} ${code} by its deadline, and names nobody`, async () => {
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
      // The operator is told.
      assert.ok(service.lines.some((line) => line.includes(code) && line.includes('127.0.0.1')))
      assert.equal((await ask('/swap/route', body(SMALL))).status, 200)
      place.node.heal()
    })

  /** Contracts that answer when they are told to. */
  function held() {
    const waiting: (() => void)[] = []
    const watching: { readonly count: number; readonly seen: () => void }[] = []
    const door: ContractClient = {
      within: () => ({
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
      door,
      /** Once so many ask, unless a request ends before. */
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

  /** Starts the thread of a service, however long that takes on a machine that has much to do. */
  async function warmed(service: Staged): Promise<Staged> {
    const ask = () => service.server.inject(post('/swap/sroute', body('1234567')))
    while ((await ask()).statusCode !== 200);
    return service
  }

  test('requests that wait for the chain hold up no others, also not those of the threads', async () => {
    const { door, asked, release } = held()
    const service = await warmed(await stage({ contracts: door }))
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

  test('a job that waits for the chain is begun anew when its thread ends with another', async () => {
    const { door, asked, release } = held()
    const pool = threads()
    const served = stillFeed().current()!
    const job = { operation: 'sroute', request: { ...body('1000000'), verify: true }, served }
    const contracts = async () => door.within(1_000)
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

  test('only so many may wait; one more is told to come back', async () => {
    const { door, asked, release } = held()
    const service = await stage({ contracts: door, asking: { most: 2, ms: 1_000 } })
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

  test('asking counts as a heavy request of its client', async () => {
    const { door, asked, release } = held()
    const service = await stage({ contracts: door, rate: 2 })
    // Of two light requests a second one heavy may come at once.
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

  test('what goes wrong in this program is a bug and no fault of the chain', async () => {
    const door: ContractClient = {
      within: () => ({ simulations: () => Promise.reject(new Error('canary')) }),
      close() {},
    }
    const service = await warmed(await stage({ contracts: door }))
    for (const path of ['/swap/route', '/swap/sroute']) {
      const reply = await service.server.inject(post(path, { ...body('1000000'), verify: true }))
      assert.equal(reply.statusCode, 500)
      assert.doesNotMatch(reply.payload, /canary/)
    }
    assert.ok(service.lines.some((line) => line.includes('canary')))
    await service.end()
  })

  test('where there is nobody to ask it says so', async () => {
    const door: ContractClient = {
      within() {
        throw new SwapError('UPSTREAM_ERROR', 'the demo chain does not run at 127.0.0.1')
      },
      close() {},
    }
    const service = await stage({ contracts: door })
    const reply = await service.server.inject(
      post('/swap/route', { ...body('1000000'), verify: true }),
    )
    assert.deepEqual([reply.statusCode, JSON.parse(reply.payload).code], [502, 'UPSTREAM_ERROR'])
    assert.doesNotMatch(reply.payload, /127/)
    await service.end()
  })
})

describe('a saved market', () => {
  test('has no contracts: what asks for them is refused with what to do instead', async () => {
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
