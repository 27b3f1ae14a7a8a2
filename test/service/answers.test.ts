import assert from 'node:assert/strict'
import fc from 'fast-check'
import { beforeAll, describe, test } from 'vitest'
import { fixedParts } from '../../src/compose/serve.js'
import { sortedJson } from '../../src/platform/encoding.js'
import { AnswerCache } from '../../src/service/answers/cache.js'
import { deserializeError, serializeError } from '../../src/service/workers/worker-messages.js'
import { overloaded, type Pool, poolOf } from '../../src/service/workers/worker-pool.js'
import { runs } from '../support/books.js'
import { body, demoMarket, post, type Staged, stage, stillFeed, threads } from './stage.js'

let service: Staged
beforeAll(async () => {
  service = await stage()
})

const counted = async (name: string): Promise<number> => {
  const payload = await service.metrics.text()
  return Number(new RegExp(`^swap_answers_total{from="${name}"} (\\d+)$`, 'm').exec(payload)?.[1])
}

describe('cached answers of the service', () => {
  test('equal computed ones, whatever was requested before and however a request is spelled', async () => {
    const fresh = await stage({ cacheBytes: 0 })
    const denoms = ['btc-btc', 'rune', 'eth-eth', 'tcy', 'nothing']
    const request = fc.record(
      {
        input: fc.record({
          denom: fc.constantFrom(...denoms),
          amount: fc.constantFrom('1000000', 1000000, '1', '0', 90000000000),
        }),
        output: fc.record({ denom: fc.constantFrom(...denoms) }),
        limit: fc.constantFrom(1, 2, 25, 26),
        slippage_bps: fc.constantFrom(0, 50, 51),
        max_hops: fc.constantFrom(1, 3),
        via: fc.constantFrom([], ['rune'], ['tcy']),
      },
      { requiredKeys: ['input', 'output'] },
    )
    const spelled = fc
      .tuple(request, fc.constantFrom(0, 1), fc.boolean())
      .map(([one, gap, turned]) => {
        const members = Object.entries(one)
        return JSON.stringify(Object.fromEntries(turned ? members.reverse() : members), null, gap)
      })
    await fc.assert(
      fc.asyncProperty(fc.array(spelled, { minLength: 4, maxLength: 8 }), async (texts) => {
        // Most of those drawn are refused, and refusals are not kept.
        const all = [JSON.stringify(body('1000000')), ...texts]
        for (const text of [...all, ...all, ...all]) {
          const known = await service.server.inject(post('/swap/route', text))
          const computed = await fresh.server.inject(post('/swap/route', text))
          const without = (payload: string) => payload.replace(/,"instance":"[^"]*"/, '')
          assert.equal(without(known.payload), without(computed.payload))
          assert.equal(known.statusCode, computed.statusCode)
        }
      }),
      runs(2),
    )
    assert.ok((await counted('cache')) > 0)
    await fresh.end()
  })
  test('are given to no request that is invalid, whoever asked before', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'swap_tokens' } }
    const { payload } = await service.server.inject(post('/mcp', call))
    assert.match(payload, /structuredContent/)
    assert.equal((await service.server.inject('/swap/tokens?{}')).statusCode, 400)
  })
  test('have another tag in another version of the program, whose answers may differ', async () => {
    const next = await stage({ version: '0.0.1' })
    const tagged = async ({ server }: Staged, tag = '') => {
      const headers = { 'if-none-match': tag }
      const reply = await server.inject({ url: '/swap/tokens', headers })
      return [String(reply.headers['etag']), reply.statusCode] as const
    }
    const [tag] = await tagged(service)
    assert.equal((await tagged(service, tag))[1], 304)
    assert.equal((await tagged(next, tag))[1], 200)
    await next.end()
  })
  test('are kept from the second request on', async () => {
    const ask = () => service.server.inject(post('/swap/route', body('123456789')))
    const before = await counted('cache')
    await ask()
    await ask()
    assert.equal(await counted('cache'), before)
    await ask()
    assert.equal(await counted('cache'), before + 1)
  })
  test('are bounded in memory, and the oldest are evicted first', () => {
    const entries = fc.array(fc.tuple(fc.nat(30), fc.nat(5), fc.nat(400)), { maxLength: 200 })
    fc.assert(
      fc.property(entries, fc.nat(5_000), (requested, most) => {
        const cache = new AnswerCache(most)
        for (const [meaning, spelling, length] of requested) {
          const [mean, spell] = [`m${meaning}`, `s${meaning} ${spelling}`]
          const known = cache.byCanonicalKey(mean, spell)
          if (known === undefined) cache.keep(spell, mean, { text: 'x'.repeat(length), tag: mean })
          else assert.equal(known.tag, mean)
          assert.equal(cache.byRawKey(spell)?.tag ?? mean, mean)
          assert.ok(cache.bytes <= most && cache.bytes >= 0)
        }
      }),
      { numRuns: 100 },
    )
  })
  test('have the same key only for requests with the same meaning', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        let same = true
        try {
          assert.deepEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)))
        } catch {
          same = false
        }
        assert.equal(sortedJson(a) === sortedJson(b), same)
        assert.equal(sortedJson({ a, b }), sortedJson({ b, a }))
      }),
      { numRuns: 300 },
    )
  })
})

describe('answers computed by a worker thread', () => {
  const exactOut = (amount: string) => ({
    input: { denom: 'btc-btc' },
    output: { denom: 'rune', amount },
    // A worker computes every explained request.
    explain: true,
  })
  beforeAll(async () => {
    // The first request starts the thread, which may take longer than its deadline.
    const first = () => service.server.inject(post('/swap/route', exactOut('5000000001')))
    while ((await first()).statusCode !== 200);
  })
  test('are computed once for equal concurrent requests', async () => {
    const before = await counted('thread')
    const requested = Array.from({ length: 5 }, () =>
      service.server.inject(post('/swap/route', exactOut('5000000000'))),
    )
    const replies = await Promise.all(requested)
    assert.deepEqual(new Set(replies.map(({ statusCode }) => statusCode)), new Set([200]))
    assert.equal(new Set(replies.map(({ payload }) => payload)).size, 1)
    assert.equal(await counted('thread'), before + 1)
  })
  test('do not delay quick requests', async () => {
    const slow = Array.from({ length: 2 }, (_, i) =>
      service.server.inject(
        post('/swap/route', { ...exactOut(`99999999999999999${i}`), max_hops: 6 }),
      ),
    )
    let ended = 0
    for (const each of slow) void each.then(() => (ended += 1))
    const quick = await service.server.inject(post('/swap/route', body('7654321')))
    assert.deepEqual([quick.statusCode, ended], [200, 0])
    for (const { payload } of await Promise.all(slow))
      assert.equal((JSON.parse(payload) as { code: string }).code, 'INSUFFICIENT_LIQUIDITY')
  })
  test('are refused at once when the queue is full', async () => {
    const narrow = await stage({ pool: threads(2) })
    const first = () => narrow.server.inject(post('/swap/route', exactOut('5000000001')))
    while ((await first()).statusCode !== 200);
    const requested = Array.from({ length: 8 }, (_, i) =>
      narrow.server.inject(post('/swap/route', exactOut(`60000000${i}`))),
    )
    const replies = await Promise.all(requested)
    const refused = replies.filter(({ statusCode }) => statusCode === 503)
    assert.equal(refused.length, 5)
    for (const { headers, payload } of refused) {
      assert.equal(headers['retry-after'], '1')
      assert.equal((JSON.parse(payload) as { code: string }).code, 'OVERLOADED')
    }
    await narrow.end()
  })
  test('are aborted at their deadline together with the thread', async () => {
    const pool: Pool = threads()
    const served = stillFeed().current()!
    const request = { ...exactOut('999999999999999999999'), max_hops: 6 }
    const job = { operation: 'route', request, served }
    await assert.rejects(pool.run({ ...job, deadline: 1 }), { code: 'OVERLOADED' })
    assert.equal(pool.busy(), 0)
    const text = await pool.run({ ...job, request: body(), deadline: 60_000 })
    assert.equal((JSON.parse(text) as { height: number }).height, 120)
    await pool.close()
    await assert.rejects(pool.run({ ...job, deadline: 1_000 }), { code: 'OVERLOADED' })
  })
  test('are bugs if the thread dies, and the next thread continues', async () => {
    const spawned: { terminate(): Promise<number> }[] = []
    const { spawn } = fixedParts(demoMarket)
    const pool = poolOf({
      threads: 1,
      queue: 4,
      spawn() {
        const worker = spawn()
        spawned.push(worker)
        return worker
      },
    })
    const served = stillFeed().current()!
    const job = { operation: 'route', request: body(), served, deadline: 60_000 }
    const lost = assert.rejects(pool.run(job), /ended before it had answered/)
    await spawned[0]!.terminate()
    await lost
    assert.ok(await pool.run(job))
    await pool.close()
  })
  test('keep their errors unchanged between threads', () => {
    const error = overloaded('why')
    assert.deepEqual(
      serializeError(deserializeError(structuredClone(serializeError(error)))),
      serializeError(error),
    )
  })
})
