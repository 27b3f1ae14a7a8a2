import assert from 'node:assert/strict'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, test } from 'vitest'
import { encodeSnapshot } from '../../../src/engine/snapshot/encode.js'
import { snapshotOperation } from '../../../src/operations/operations.js'
import { codingOf } from '../../../src/service/answers/compressed.js'
import type { Pool } from '../../../src/service/workers/worker-pool.js'
import { freshHome, runIn, withoutQuoteId } from '../../support/cli.js'
import { body, demoMarket, post, type Staged, stage, threadless } from '../stage.js'
import { markedMarket, steppedFeed } from '../stepped.js'

const url = '/swap/snapshot'
const compact = `${url}?compact=true`
const text = `${JSON.stringify(encodeSnapshot(demoMarket))}\n`

let service: Staged
beforeAll(async () => {
  service = await stage({ pool: threadless() })
})

const place = freshHome()

/** Compares documents that are too long to be printed. */
const assertSame = (actual: string, expected: string) =>
  assert.ok(actual === expected, `${actual.length} characters, not ${expected.length} or not these`)

const ask = (from: string, headers: Readonly<Record<string, string>> = {}) =>
  service.server.inject({ url: from, headers })

describe('GET /swap/snapshot', () => {
  test('answers with the bytes that swap snapshot save writes', async () => {
    const reply = await ask(url)
    assert.equal(reply.statusCode, 200)
    assertSame(reply.payload, text)
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(reply.headers['age'], '0')
  })

  test('has each member in its schema', () => {
    const gas = { ...demoMarket.gas, percent: 120n, limit: 5_000_000n }
    const members = Object.keys(encodeSnapshot({ ...demoMarket, gas }))
    const { properties } = snapshotOperation.response as { readonly properties?: object }
    assert.deepEqual(Object.keys(properties!), members)
  })

  test('compresses with the coding that the client prefers, each under a strong tag of its own', async () => {
    const [br, gzip, plain] = await Promise.all([
      ask(url, { 'accept-encoding': 'gzip, deflate, br, zstd' }),
      ask(url, { 'accept-encoding': 'gzip' }),
      ask(url),
    ])
    assert.equal(br.headers['content-encoding'], 'br')
    assert.equal(gzip.headers['content-encoding'], 'gzip')
    assert.equal(plain.headers['content-encoding'], undefined)
    assertSame(brotliDecompressSync(br.rawPayload).toString(), text)
    assertSame(gunzipSync(gzip.rawPayload).toString(), text)
    assert.ok(br.rawPayload.length < text.length / 4)
    const tags = [br, gzip, plain].map(({ headers }) => `${headers['etag']}`)
    assert.equal(new Set(tags).size, 3)
    for (const tag of tags) assert.match(tag, /^"[\w-]{22}(-br|-gzip)?"$/)
    for (const { headers } of [br, gzip, plain]) assert.equal(headers['vary'], 'accept-encoding')
  })

  test('answers 304 to the tag of the same bytes, and to no other', async () => {
    const { headers } = await ask(url, { 'accept-encoding': 'br' })
    const tag = `${headers['etag']}`
    const again = await ask(url, { 'accept-encoding': 'br', 'if-none-match': tag })
    assert.equal(again.statusCode, 304)
    assert.equal(again.payload, '')
    assert.equal(again.headers['etag'], tag)
    const other = await ask(url, { 'accept-encoding': 'gzip', 'if-none-match': tag })
    assert.equal(other.statusCode, 200)
    assert.equal((await ask(compact, { 'if-none-match': tag })).statusCode, 200)
  })

  test('leaves books out where compact is asked for, and quotes from it are the same', async () => {
    const { payload } = await ask(compact)
    assert.ok(payload.length < text.length / 4)
    const request = { ...body(), explain: true }
    const served = await service.server.inject(post('/swap/route', request))
    const [from, amount, to] = ['btc-btc', '150000000', 'rune']
    const quoted = await runIn({ ...place, input: payload }, [
      'route',
      amount,
      from,
      to,
      '--atomic',
      '--explain',
      '--json',
      '--snapshot',
      '-',
    ])
    assert.equal(withoutQuoteId(quoted.stdout), `${served.payload}\n`)
  })

  test('refuses parameters that it does not have', async () => {
    for (const query of ['compact=perhaps', 'book=true', 'compact=true&compact=true']) {
      const { statusCode, payload } = await ask(`${url}?${query}`)
      assert.equal(statusCode, 400, query)
      assert.equal((JSON.parse(payload) as { code: string }).code, 'INVALID_REQUEST')
    }
  })

  test('allows the origins of --cors, and names both headers that an answer depends on', async () => {
    const origin = 'https://app.example.org'
    const open = await stage({ cors: [origin], pool: threadless() })
    const { headers } = await open.server.inject({ url: compact, headers: { origin } })
    assert.equal(headers['access-control-allow-origin'], origin)
    assert.equal(headers['vary'], 'Origin, accept-encoding')
    await open.end()
  })

  test('has a rate limit of its own', async () => {
    const limited = await stage({ rate: 1, pool: threadless() })
    const [first, second] = await Promise.all([1, 2].map(() => limited.server.inject(compact)))
    assert.deepEqual([first!.statusCode, second!.statusCode], [200, 429])
    assert.equal(second!.headers['ratelimit-limit'], '1')
    assert.equal((await limited.server.inject('/swap/tokens')).statusCode, 200)
    await limited.end()
  })

  test('is written and compressed once a block, for all requests', async () => {
    const { feed, step } = steppedFeed(1, markedMarket)
    const pool = threadless()
    let jobs = 0
    const counting: Pool = {
      ...pool,
      run(job) {
        jobs += 1
        return pool.run(job)
      },
    }
    const moving = await stage({ feed, pool: counting })
    const crowd = () => Promise.all(Array.from({ length: 50 }, () => moving.server.inject(compact)))
    const first = await crowd()
    assert.equal(jobs, 1)
    step(2)
    const second = await crowd()
    assert.equal(jobs, 2)
    assert.equal(new Set([...first, ...second].map(({ headers }) => headers['etag'])).size, 2)
    assert.equal((JSON.parse(second[0]!.payload) as { height: number }).height, 2)
    await moving.end()
  })

  test('is computed again after a failure', async () => {
    const pool = threadless()
    let broken = true
    const failing: Pool = {
      ...pool,
      run: (job) => (broken ? Promise.reject(new Error('the worker ended')) : pool.run(job)),
    }
    const shaky = await stage({ pool: failing })
    assert.equal((await shaky.server.inject(compact)).statusCode, 500)
    broken = false
    assert.equal((await shaky.server.inject(compact)).statusCode, 200)
    await shaky.end()
  })
})

describe('the negotiated content coding', () => {
  for (const [header, coding] of [
    [undefined, 'identity'],
    ['', 'identity'],
    ['deflate', 'identity'],
    ['gzip', 'gzip'],
    ['GZIP;Q=0.5, BR', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['gzip;q=oops', 'identity'],
    ['br;q=oops, gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['identity;q=0.5, *;q=0.6', 'br'],
    ['identity;q=0, *;q=0', 'identity'],
  ] as const)
    test(`of Accept-Encoding ${header} is ${coding}`, () => assert.equal(codingOf(header), coding))
})
