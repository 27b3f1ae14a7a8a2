import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, test, vi } from 'vitest'
import { type Client, createClient, ServiceError } from '../../src/library/client.js'
import { findRoutes, readMarket } from '../../src/library/engine.js'
import { routes } from '../../src/library/routes.js'
import { body, marketAt, type Staged, stage } from '../service/stage.js'
import { steppedFeed } from '../service/stepped.js'

const { feed, step } = steppedFeed(120, marketAt)
let service: Staged
let url = ''
let client: Client
beforeAll(async () => {
  service = await stage({ feed })
  url = await service.server.listen({ host: '127.0.0.1', port: 0 })
  client = createClient({ url: `${url}/`, timeoutMs: 60_000 })
})

const errorOf = async (call: Promise<unknown>): Promise<ServiceError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ServiceError, String(error))
  return error
}

describe('the client of the package', () => {
  test('has every operation of the API document under its method and path', async () => {
    const { payload } = await service.server.inject('/openapi.json')
    const { paths } = JSON.parse(payload) as { paths: Record<string, Record<string, object>> }
    // Of the process and for other programs: not called by this client.
    const others = [
      'GET /',
      'GET /livez',
      'GET /metrics',
      'GET /openapi.json',
      'GET /docs',
      'POST /mcp',
    ]
    const own = [...Object.values(routes), 'POST /swap/batch', 'GET /swap/stream']
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    assert.deepEqual(served.filter((each) => !others.includes(each)).sort(), own.map(String).sort())
  })
  test('returns the documents of the service', async () => {
    const { routes: found } = await client.route(body())
    const { payload } = await service.server.inject({
      method: 'POST',
      url: '/swap/route',
      payload: body(),
    })
    assert.deepEqual(found, JSON.parse(payload).routes)
    assert.equal((await client.tokens()).height, 120)
    assert.equal((await client.arbs({ limit: 1 })).opportunities.length <= 1, true)
    assert.equal((await client.version()).version, '0.0.0')
    assert.equal((await client.readyz()).ready, true)
  })
  test('gives a market from which the engine computes the same quote', async () => {
    const market = readMarket(await client.snapshot({ compact: true }))
    const input = { denom: 'btc-btc', amount: 150_000_000n }
    const [ours] = findRoutes(market, { input, output: 'rune' }).routes
    const [theirs] = (await client.route(body())).routes
    assert.equal(`${ours?.output.amount}`, theirs?.expected_output)
  })
  test('returns the results of a batch in order, with problems in their places', async () => {
    const nowhere = { input: { denom: 'rune', amount: '1' }, output: { denom: 'nothing' } }
    const { height, results } = await client.batch([{ route: body() }, { route: nowhere }])
    assert.equal(height, 120)
    assert.ok('routes' in results[0])
    assert.ok('code' in results[1] && results[1].code === 'UNKNOWN_TOKEN')
  })
  test('throws the code of a refusal with its problem document', async () => {
    const error = await errorOf(client.route({ ...body(), output: { denom: 'nothing' } }))
    assert.deepEqual([error.code, error.status, error.retryable], ['UNKNOWN_TOKEN', 404, false])
    assert.equal(error.problem?.['pointer'], '/output/denom')
    const history = await errorOf(client.history({ page: 1 }))
    assert.deepEqual([history.code, history.retryable], ['INVALID_REQUEST', false])
  })
  test('throws whether the same request may work later', async () => {
    const later = JSON.stringify({ code: 'NOT_READY', detail: '', retryable: true })
    const busy = createServer((_, response) => response.writeHead(503).end(later))
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
    const { port } = busy.address() as AddressInfo
    const error = await errorOf(createClient({ url: `http://127.0.0.1:${port}` }).tokens())
    assert.deepEqual([error.code, error.status, error.retryable], ['NOT_READY', 503, true])
    await new Promise((resolve) => busy.close(resolve))
  })
  test('says that a service cannot be reached, or that another program answers', async () => {
    const other = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const stranger = createClient({ url: `http://127.0.0.1:${port}` })
    assert.equal((await errorOf(stranger.tokens())).code, 'INVALID_ANSWER')
    await new Promise((resolve) => other.close(resolve))
    const gone = await errorOf(stranger.tokens())
    assert.deepEqual([gone.code, gone.status, gone.retryable], ['UNREACHABLE', 0, true])
    assert.match(gone.message, /gave no answer: connect ECONNREFUSED/)
  })
  test('says that an answer was cut off, or did not end in time', async () => {
    // A timeout that only an open response refers to would be collected, and the call never end.
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    for (const cut of [true, false]) {
      const collecting = setInterval(collect, 20)
      const other = createServer((_, response) => {
        response.writeHead(200, { 'content-length': 100 })
        response.write('{', () => cut && response.destroy())
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => other.once('listening', resolve))
      const { port } = other.address() as AddressInfo
      const slow = createClient({ url: `http://127.0.0.1:${port}`, timeoutMs: cut ? 60_000 : 300 })
      const error = await errorOf(slow.tokens())
      assert.deepEqual([error.code, error.status, error.retryable], ['UNREACHABLE', 0, true])
      assert.match(error.message, cut ? /gave no answer: \w/ : /: timeout of 300 ms$/)
      clearInterval(collecting)
      other.closeAllConnections()
      await new Promise((resolve) => other.close(resolve))
    }
  })
  test('takes the responses of another fetch, which may have no URL', async () => {
    const fetch = async () => new Response('<html>')
    const error = await errorOf(createClient({ url: 'http://127.0.0.1:1', fetch }).tokens())
    assert.equal(error.code, 'INVALID_ANSWER')
  })
  test('throws a TypeError, and no fault of the service, for a request that is no JSON', async () => {
    const amount = 150_000_000n as unknown as string
    const request = { ...body(), input: { denom: 'btc-btc', amount } }
    await assert.rejects(client.route(request), TypeError)
  })
  test('refuses an address that names no service, which a stream would open for ever', () => {
    for (const url of [
      '',
      '127.0.0.1:8555',
      'localhost:8555',
      '/swap',
      'http://',
      'http://[',
      'http://h:99999',
      'http://h?x=1',
      'http://h#x',
      'http://name:secret@h',
    ])
      assert.throws(() => createClient({ url }), TypeError, url)
  })
  test('refuses headers that cannot be sent', () => {
    for (const headers of [{ 'a b': 'c' }, { a: 'b\nc' }, { a: '\u2713' }])
      assert.throws(() => createClient({ url: 'http://h', headers }), TypeError)
  })
  test('refuses a timeout that no timer takes', () => {
    for (const timeoutMs of [
      0,
      -1,
      1.5,
      Number.NaN,
      Infinity,
      2 ** 31,
      '1000' as unknown as number,
    ])
      assert.throws(() => createClient({ url, timeoutMs }), TypeError, `${timeoutMs}`)
  })
  test('ends a call when its signal aborts', async () => {
    const reason = new Error('enough')
    await assert.rejects(client.tokens(undefined, { signal: AbortSignal.abort(reason) }), reason)
  })
  test('streams a quote for every block and ends when the loop is left', async () => {
    const heights: number[] = []
    for await (const event of client.stream(body())) {
      heights.push(event.height)
      if (event.event === 'quote') assert.equal(event.quote.height, event.height)
      if (heights.length === 3) break
      step(event.height + 1)
    }
    assert.deepEqual(heights, [120, 121, 122])
  })
  test('ends a stream with the reason of its signal', async () => {
    for (const isWaiting of [true, false]) {
      const stop = new AbortController()
      const stream = client.stream(body(), { signal: stop.signal })
      await stream.next()
      const next = isWaiting && stream.next()
      stop.abort(new Error('enough'))
      await assert.rejects(next || stream.next(), /^Error: enough$/)
      assert.equal((await stream.next()).done, true)
    }
  })
  test('streams a request with empty lists as it quotes it', async () => {
    const request = { ...body(), via: [], exclude: [] }
    const { value } = await client.stream(request).next()
    assert.ok(value?.event === 'quote')
    assert.deepEqual(value.quote.routes, (await client.route(request)).routes)
    const wrong = client.stream({ ...body(), path: [] })
    assert.match((await errorOf(wrong.next())).message, /path must not be empty/)
  })
  test('streams the split that is given', async () => {
    const { routes } = await client.sroute(body())
    const legs = routes[0]!.legs.map(({ hops, funds: { amount } }) => ({
      path: hops.map(({ address }) => address),
      amount,
    }))
    const request = { ...body(), legs }
    for await (const event of client.stream({ operation: 'sroute', ...request })) {
      assert.ok(event.event === 'quote')
      assert.deepEqual(event.quote.routes, (await client.sroute(request)).routes)
      break
    }
  })
  test('streams refusals of a height as events, and throws refusals of the request', async () => {
    const huge = { ...body(), input: { denom: 'btc-btc', amount: '9'.repeat(30) } }
    for await (const event of client.stream(huge)) {
      assert.ok(event.event === 'problem' && event.problem.status === 422)
      break
    }
    const wrong = client.stream({ ...body(), output: { denom: 'nothing' } })
    assert.equal((await errorOf(wrong.next())).code, 'UNKNOWN_TOKEN')
  })
  test('opens a stream again after half a minute of silence', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let height = 0
    const silent: typeof fetch = async () => {
      const event = new TextEncoder().encode(`id: ${++height}\nevent: quote\ndata: {}\n\n`)
      const body = new ReadableStream({ start: (source) => source.enqueue(event) })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    const stream = createClient({ url: 'http://127.0.0.1', fetch: silent }).stream(body())
    assert.equal((await stream.next()).value?.height, 1)
    const next = stream.next()
    await vi.advanceTimersByTimeAsync(40_000)
    assert.equal((await next).value?.height, 2)
    await stream.return?.()
    vi.useRealTimers()
  })
  test('opens a stream again that was not answered for half a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let tries = 0
    const hanging: typeof fetch = (address, init) => {
      tries += 1
      if (tries > 1) return fetch(address, init)
      return new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      )
    }
    const stream = createClient({ url, fetch: hanging, timeoutMs: 1 }).stream(body())
    const first = stream.next()
    await vi.advanceTimersByTimeAsync(29_000)
    assert.equal(tries, 1)
    await vi.advanceTimersByTimeAsync(3_000)
    assert.equal(tries, 2)
    vi.useRealTimers()
    assert.equal((await first).value?.event, 'quote')
    await stream.return?.()
  })
  test('opens a stream again that a proxy refuses while the service is away', async () => {
    for (const [text, type] of [
      ['{"message":"no upstream"}', 'application/json'],
      ['<html>', 'text/html'],
    ] as const) {
      const answers = [new Response(text, { status: 502, headers: { 'content-type': type } })]
      const proxied: typeof fetch = async (address, init) => answers.pop() ?? fetch(address, init)
      const stream = createClient({ url, fetch: proxied }).stream(body())
      assert.equal((await stream.next()).value?.event, 'quote')
      await stream.return?.()
    }
  })
  test('opens a stream again after its connection was lost', async () => {
    let isFirst = true
    const flaky: typeof fetch = async (address, init) => {
      const response = await fetch(address, init)
      if (!isFirst) return response
      isFirst = false
      const { value } = await response.body!.getReader().read()
      return new Response(value, { headers: response.headers })
    }
    const stream = createClient({ url, fetch: flaky }).stream(body())
    const first = await stream.next()
    assert.deepEqual(await stream.next(), first)
    step(first.value!.height + 1)
    assert.equal((await stream.next()).value!.height, first.value!.height + 1)
    await stream.return?.()
  })
})
