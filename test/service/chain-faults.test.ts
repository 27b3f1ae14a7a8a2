import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SwapError } from '../../src/engine/errors.js'
import type { SimulateResult } from '../../src/operations/chain-port.js'
import { operationOf } from '../../src/operations/operations.js'
import { type ContractClient, contractLimiter } from '../../src/service/answers/contract-limiter.js'
import { quoteServiceOf } from '../../src/service/answers/quote-service.js'
import { firstRows } from '../support/long.js'
import { legsIn, SMALL, serving } from './chain-stage.js'
import { body, post, type Staged, stage, stillFeed, threadless, threads } from './stage.js'

const NO_ORDERS = { ownerOrders: () => Promise.resolve([]) }

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

  test('answers a request although an equal one before it is of a client over its rate', async () => {
    const { client, asked, release } = held()
    const limiter = contractLimiter(client, { most: 16, ms: 60_000, failed() {} })
    const feed = stillFeed()
    const options = { version: '', feed, cacheBytes: 1_000_000, limiter }
    const quotes = quoteServiceOf({ ...options, pool: threadless() })
    const operation = operationOf('route')
    const prepared = operation.prepare({ ...body('1000000'), verify: true })
    let charged = 0
    const ask = (isOver: boolean) => {
      const chargeHeavy = () => {
        if (isOver) throw new SwapError('RATE_LIMITED', 'this address asks too often')
        charged += 1
      }
      const request = { operation, rawKey: prepared.key, prepare: () => prepared, chargeHeavy }
      return quotes.answer(feed.current()!, request)
    }
    const over = [ask(true), ask(true)]
    const within = [ask(false), ask(false)]
    for (const each of over) await assert.rejects(each, { code: 'RATE_LIMITED' })
    await asked(1, within)
    release()
    const [first, second] = await Promise.all(within)
    assert.equal(JSON.parse(first!.text).verify.agrees, null)
    assert.equal(second!.text, first!.text)
    assert.equal(charged, 1)
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
