import assert from 'node:assert/strict'
import { get, type IncomingMessage, request } from 'node:http'
import { describe, test } from 'vitest'
import { compileBook } from '../../src/engine/market/book.js'
import type { Pair } from '../../src/engine/market/pair.js'
import { graphOf } from '../../src/engine/routing/graph.js'
import { operationOf } from '../../src/operations/operations.js'
import type { ContractClient } from '../../src/service/answers/contract-limiter.js'
import { overloaded, type Pool } from '../../src/service/workers/worker-pool.js'
import { deferred } from '../support/deferred.js'
import { body, demoMarket, marketAt, post, type Staged, stage } from './stage.js'
import { steppedFeed } from './stepped.js'

/** A pool that computes on this thread and counts its jobs. */
function inline(run?: () => Promise<string>): Pool & { readonly jobs: number } {
  let jobs = 0
  return {
    get jobs() {
      return jobs
    },
    async run({ operation, request, served }) {
      jobs += 1
      return (
        run?.() ?? JSON.stringify(await operationOf(operation).prepare(request).run(served.patient))
      )
    },
    waiting: () => 0,
    busy: () => 0,
    close: async () => {},
  }
}

const LIGHT = 'input.denom=btc-btc&input.amount=150000000&output.denom=rune'
/** The same query with its parameters in another order. */
const TURNED = 'output.denom=rune&input.amount=150000000&input.denom=btc-btc'
const heavyQuery = (n = 0) => `operation=sroute&${LIGHT.replace('150000000', `${150000000 + n}`)}`

const open = (base: string, query: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(`${base}/swap/stream?${query}`, { agent: false }, resolve).on('error', reject)
  })

/** The next event of a stream. */
const next = (reply: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const take = (part: Buffer) => {
      text += part.toString()
      if (!text.endsWith('\n\n')) return
      reply.off('data', take).pause()
      resolve(text)
    }
    reply.on('data', take).resume()
  })

const listening = (service: Staged) => service.server.listen({ host: '127.0.0.1', port: 0 })

async function computations(service: Staged): Promise<number> {
  const text = await service.metrics.text()
  return Number(/^swap_answers_total\{from="computation"\} (\d+)$/m.exec(text)?.[1])
}

describe('streams', () => {
  test('with the same query share one computation per height, however it is spelled', async () => {
    const { feed, step } = steppedFeed(120, marketAt)
    const service = await stage({ feed })
    const base = await listening(service)
    const replies = []
    for (const query of [LIGHT, TURNED, LIGHT, TURNED, LIGHT]) {
      replies.push(await open(base, query))
      await next(replies.at(-1)!)
    }
    const before = await computations(service)
    step(121)
    const events = await Promise.all(replies.map(next))
    assert.equal(new Set(events).size, 1)
    assert.match(events[0]!, /^id: 121\nevent: quote\n/)
    assert.equal(await computations(service), before + 1)
    for (const reply of replies) reply.destroy()
    await service.end()
  })

  test('are refused with 429 beyond 16 of one address', async () => {
    const service = await stage({ rate: 1_000 })
    const base = await listening(service)
    const replies = await Promise.all(Array.from({ length: 16 }, () => open(base, LIGHT)))
    const { statusCode, payload } = await service.server.inject(`/swap/stream?${LIGHT}`)
    assert.deepEqual([statusCode, JSON.parse(payload).code], [429, 'RATE_LIMITED'])
    replies[0]!.destroy()
    while ((await open(base, LIGHT)).statusCode !== 200);
    await service.end()
  })

  test('with a heavy query are charged one heavy request per quote', async () => {
    const { feed, step } = steppedFeed(120, marketAt)
    const streamPool = inline()
    // One heavy request at once, and the next after a long time.
    const service = await stage({ feed, streamPool, rate: 0.001 })
    const reply = await open(await listening(service), heavyQuery())
    assert.match(await next(reply), /^id: 120\nevent: quote\n/)
    step(121)
    assert.match(await next(reply), /^id: 121\nevent: problem\n.*RATE_LIMITED/)
    assert.equal(streamPool.jobs, 1)
    reply.destroy()
    await service.end()
  })

  test('with heavy queries are computed one at a time, and delay no request', async () => {
    const { promise: gate, resolve: finish } = deferred()
    const streamPool = inline(async () => {
      await gate
      throw overloaded('a test')
    })
    const service = await stage({ pool: inline(), streamPool })
    const base = await listening(service)
    const opening = [0, 7, 14].map((n) => open(base, heavyQuery(n)))
    while (streamPool.jobs === 0) await new Promise((resolve) => setImmediate(resolve))
    const split = await service.server.inject(post('/swap/sroute', body('160000000')))
    assert.equal(split.statusCode, 200)
    assert.equal(streamPool.jobs, 1)
    finish()
    for (const reply of await Promise.all(opening)) reply.destroy()
    assert.equal(streamPool.jobs, 3)
    await service.end()
  })
})

describe('streams that wait for the chain', () => {
  test('delay no other, and are charged as heavy ones', async () => {
    const exact = [...demoMarket.books.values()].filter(({ state }) => state.exact)
    const [waiting, other] = exact.map(({ state }) => state.pair)
    const { feed, step } = steppedFeed(120, (height) => {
      const { market } = marketAt(height)
      const { state } = market.books.get(waiting!.address)!
      const unsure = compileBook({ ...state, exact: false })
      const changed = { ...market, books: new Map(market.books).set(waiting!.address, unsure) }
      return { market: changed, graph: graphOf(changed) }
    })
    const { promise: asked, resolve: ask } = deferred()
    const { promise: released, resolve: release } = deferred()
    const contracts: ContractClient = {
      within: () => ({
        ownerOrders: async () => [],
        async simulations(questions) {
          ask()
          await released
          return questions.map(() => ({ kind: 'unknown', why: 'no gas' }))
        },
      }),
      close() {},
    }
    // Two streams and one heavy request at once, and the next after ten seconds.
    const service = await stage({ feed, contracts, rate: 0.4 })
    const base = await listening(service)
    const along = ({ address, base: from, quote: to }: Pair) =>
      `input.denom=${from}&input.amount=1000000&output.denom=${to}&path=${address}`
    const slow = open(base, along(waiting!))
    await asked
    const quick = await open(base, along(other!))
    assert.match(await next(quick), /^id: 120\nevent: quote\n/)
    release()
    const reply = await slow
    assert.match(await next(reply), /^id: 120\nevent: quote\n/)
    step(121)
    assert.match(await next(reply), /^id: 121\nevent: problem\n.*RATE_LIMITED/)
    for (const each of [quick, reply]) each.destroy()
    await service.end()
  })
})

const explained = (count: number) => ({
  requests: Array.from({ length: count }, (_, i) => ({
    route: { ...body(`${150_000_000 + i}`), explain: true },
  })),
})

describe('a batch', () => {
  test('is refused with 413 before any computation when its cost is too high', async () => {
    const pool = inline()
    const service = await stage({ pool })
    const { statusCode, payload } = await service.server.inject(post('/swap/batch', explained(21)))
    const { code, weight, max_weight: most } = JSON.parse(payload)
    assert.deepEqual([statusCode, code, weight, most], [413, 'PAYLOAD_TOO_LARGE', 420, 400])
    assert.equal(pool.jobs, 0)
    const splits = { requests: Array.from({ length: 100 }, () => ({ sroute: body() })) }
    assert.equal((await service.server.inject(post('/swap/batch', splits))).statusCode, 200)
    await service.end()
  })

  test('is computed only as far as its client has read', async () => {
    const megabyte = JSON.stringify({ filler: 'x'.repeat(1_000_000) })
    const pool = inline(async () => megabyte)
    const service = await stage({ pool })
    const base = await listening(service)
    const { payload, ...options } = post('', explained(20))
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      const asking = request(`${base}/swap/batch`, { ...options, agent: false }, resolve)
      asking.on('error', reject).end(payload)
    })
    reply.pause()
    for (let i = 0; i < 100; i += 1) await new Promise((resolve) => setImmediate(resolve))
    assert.ok(pool.jobs < 20, `${pool.jobs} of 20 are computed`)
    let text = ''
    for await (const part of reply.setEncoding('utf8')) text += String(part)
    const { height, results } = JSON.parse(text) as { height: number; results: object[] }
    assert.deepEqual([height, results.length, pool.jobs], [120, 20, 20])
    await service.end()
  })
})
