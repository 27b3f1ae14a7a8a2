import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { beforeAll, describe, test } from 'vitest'
import type { SplitAnswer } from '../../../src/operations/split/split-documents.js'
import { deferred } from '../../support/deferred.js'
import { body, marketAt, post, type Staged, stage, threadless } from '../stage.js'
import { steppedFeed } from '../stepped.js'

const QUERY = 'input.denom=btc-btc&input.amount=150000000&output.denom=rune'
const { feed, step, stall, listeners } = steppedFeed(120, marketAt)
let service: Staged
let base = ''
beforeAll(async () => {
  service = await stage({ feed })
  base = await service.server.listen({ host: '127.0.0.1', port: 0 })
  // The first heavy request starts the thread, which may take longer than its deadline.
  while ((await service.server.inject(post('/swap/sroute', body()))).statusCode !== 200);
})

const open = (query: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(`${base}/swap/stream?${query}`, { headers }, resolve).on('error', reject)
  })

/** The events of a stream, one after the other. */
async function* eventsOf(reply: IncomingMessage) {
  let text = ''
  for await (const part of reply.setEncoding('utf8')) {
    text += String(part)
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const member = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      if (!lines[0]?.startsWith(':'))
        yield { id: member('id'), event: member('event'), data: member('data') }
    }
  }
}

describe('a stream of quotes', () => {
  test('sends the answer of the present height at once and one for every new height', async () => {
    const reply = await open(QUERY)
    assert.match(String(reply.headers['content-type']), /^text\/event-stream/)
    assert.equal(reply.headers['x-content-type-options'], 'nosniff')
    const events = eventsOf(reply)
    for (const height of [120, 121, 130]) {
      if (height > 120) step(height)
      const { value } = await events.next()
      const { payload } = await service.server.inject(post('/swap/route', body()))
      assert.deepEqual(value, { id: `${height}`, event: 'quote', data: payload })
    }
    reply.destroy()
  })
  test('begins with the present height for a client that has an event of it, which may be a problem', async () => {
    const reply = await open(QUERY, { 'last-event-id': '130' })
    const events = eventsOf(reply)
    const first = events.next()
    step(131)
    const { value } = await first
    assert.deepEqual([value?.id, value?.event], ['130', 'quote'])
    reply.destroy()
  })
  test('sends a problem of a height as an event, and continues', async () => {
    const reply = await open(QUERY.replace('150000000', '99999999999999999'))
    const events = eventsOf(reply)
    const { value } = await events.next()
    assert.equal(value?.event, 'problem')
    assert.equal((JSON.parse(value?.data ?? '') as { code: string }).code, 'INSUFFICIENT_LIQUIDITY')
    step(132)
    assert.equal((await events.next()).value?.id, '132')
    reply.destroy()
  })
  test('sends a problem where no new height comes, once, and continues with the next one', async () => {
    const reply = await open(QUERY)
    const events = eventsOf(reply)
    assert.equal((await events.next()).value?.event, 'quote')
    stall()
    stall()
    const { value } = await events.next()
    assert.deepEqual([value?.id, value?.event], ['132', 'problem'])
    assert.equal((JSON.parse(value?.data ?? '') as { code: string }).code, 'STALE_DATA')
    step(133)
    const next = await events.next()
    assert.deepEqual([next.value?.id, next.value?.event], ['133', 'quote'])
    reply.destroy()
  })
  test('is refused like any request when its parameters are malformed', async () => {
    const rows: readonly (readonly [string, string])[] = [
      ['', '/input'],
      [`${QUERY}&slippage_bps=1.5`, '/slippage_bps'],
      [`${QUERY}&slippage_bps=abc`, '/slippage_bps'],
      [`${QUERY}&input.amount=1`, '/input/amount'],
      [`${QUERY}&slipage=1`, '/slipage'],
      [`${QUERY}&operation=nothing`, '/operation'],
      [`${QUERY}&operation=route&operation=sroute`, '/operation'],
      [`${QUERY}&__proto__.x=1`, '/__proto__'],
      [`${QUERY}&input=1`, '/input'],
      [`input=1&${QUERY}`, '/input/denom'],
      [`${QUERY}&via.0=tcy&via=tcy`, '/via'],
      [`${QUERY}&via.x=tcy&via=tcy`, '/via'],
      [`${QUERY}&via.1=tcy`, '/via'],
      [`operation=sroute&${QUERY}&legs.1.amount=5`, '/legs'],
    ]
    for (const [query, pointer] of rows) {
      const { payload, statusCode } = await service.server.inject(`/swap/stream?${query}`)
      const { code, errors, height } = JSON.parse(payload) as {
        code: string
        errors: { pointer: string }[]
        height: number
      }
      assert.deepEqual([statusCode, code, height], [400, 'INVALID_REQUEST', 133], query)
      assert.ok(
        errors.some((each) => each.pointer === pointer),
        `${query}: ${payload}`,
      )
    }
    for (const query of ['input.denom=%zz', 'input.denom=%ff', '%'])
      for (const path of ['/swap/stream', '/swap/arbs', '/swap/snapshot']) {
        const { payload, statusCode } = await service.server.inject(`${path}?${query}`)
        assert.deepEqual([statusCode, /cannot be decoded/.test(payload)], [400, true], payload)
      }
    const amount = await service.server.inject(`/swap/stream?${QUERY.replace('150000000', '1e8')}`)
    assert.equal((JSON.parse(amount.payload) as { code: string }).code, 'INVALID_AMOUNT')
  })
  test('takes numbers from parameters as programs write them', async () => {
    for (const value of [0.1 + 0.2, 1 / 3e6, 1e-7, 1e2, 5e-324, 1000]) {
      const { payload } = await service.server.inject(`/swap/arbs?minPercent=${value}`)
      assert.equal(JSON.parse(payload).min_percent, value, payload.slice(0, 300))
    }
    for (const value of ['1e999', '1e', '.5', '5.', '+1', '0x1', 'Infinity', '1_0', '']) {
      const { statusCode } = await service.server.inject(`/swap/arbs?minPercent=${value}`)
      assert.equal(statusCode, 400, value)
    }
  })
  test('takes lists, booleans and numbers from parameters as from a body', async () => {
    const reply = await open(
      `${QUERY.replace('150000000', '10000000')}&via=tcy&max_hops=3&limit=2&exclude=eth-eth,gaia-atom&explain=false`,
    )
    const { value } = await eventsOf(reply).next()
    const request = {
      ...body('10000000'),
      via: ['tcy'],
      max_hops: 3,
      limit: 2,
      exclude: ['eth-eth', 'gaia-atom'],
    }
    const { payload } = await service.server.inject(
      post('/swap/route', { ...request, explain: false }),
    )
    assert.equal(value?.data, payload)
    reply.destroy()
  })
  test('quotes a split that is given', async () => {
    const found = await service.server.inject(post('/swap/sroute', body()))
    const { legs } = (JSON.parse(found.payload) as SplitAnswer).routes[0]!
    const given = legs.map(({ hops, funds: { amount } }) => ({
      path: hops.map(({ address }) => address),
      amount,
    }))
    assert.ok(given.length > 1)
    const parameters = given.map(
      ({ path, amount }, i) => `&legs.${i}.path=${path.join(',')}&legs.${i}.amount=${amount}`,
    )
    const reply = await open(`operation=sroute&${QUERY}${parameters.join('')}`)
    const { value } = await eventsOf(reply).next()
    const { payload } = await service.server.inject(
      post('/swap/sroute', { ...body(), legs: given }),
    )
    assert.deepEqual([value?.event, value?.data], ['quote', payload])
    reply.destroy()
  })
  test('sends an answer of several megabytes, which is more than a reader may lag behind', async () => {
    const query = `operation=sroute&${QUERY.replace('150000000', '150000000000')}&max_hops=6&explain=true`
    const reply = await open(query)
    const { value } = await eventsOf(reply).next()
    const request = { ...body('150000000000'), max_hops: 6, explain: true }
    const { payload } = await service.server.inject(post('/swap/sroute', request))
    assert.equal(value?.data, payload)
    assert.ok(payload.length > 3 * 1024 * 1024, `${payload.length} bytes`)
    reply.destroy()
  })
  test('is counted when it is opened, and a request of its headers alone leaves none open', async () => {
    const other = await stage({ feed })
    const url = `${await other.server.listen({ host: '127.0.0.1', port: 0 })}/swap/stream?${QUERY}`
    const head = await fetch(url, { method: 'HEAD' })
    assert.match(head.headers.get('content-type') ?? '', /^text\/event-stream/)
    const reply = await new Promise<IncomingMessage>((resolve) => get(url, resolve))
    const { payload } = await other.server.inject('/metrics')
    assert.match(payload, /^swap_http_requests_total\{endpoint="stream",status="200"\} 2$/m)
    assert.equal(await other.close(), 1)
    reply.destroy()
    await other.end()
  })
  test('ends with the service, which does not wait for it', async () => {
    const other = await stage({ feed })
    const url = await other.server.listen({ host: '127.0.0.1', port: 0 })
    const reply = await new Promise<IncomingMessage>((resolve) =>
      get(`${url}/swap/stream?${QUERY}`, resolve),
    )
    const events = eventsOf(reply)
    await events.next()
    assert.equal(await other.close(), 1)
    assert.equal((await events.next()).value?.event, 'end')
    assert.equal((await events.next()).done, true)
    await other.end()
  })
  test('ends after its first event when the service closed before that', async () => {
    const { promise: begun, resolve: begin } = deferred()
    const { promise: released, resolve: release } = deferred()
    const pool = threadless()
    const run: typeof pool.run = async (job) => {
      begin()
      await released
      return pool.run(job)
    }
    const other = await stage({ feed, pool, streamPool: { ...pool, run } })
    const url = await other.server.listen({ host: '127.0.0.1', port: 0 })
    const reply = new Promise<IncomingMessage>((resolve) =>
      get(`${url}/swap/stream?operation=sroute&${QUERY}`, resolve),
    )
    await begun
    const closing = other.close()
    release()
    const events: unknown[] = []
    for await (const { event } of eventsOf(await reply)) events.push(event)
    assert.deepEqual(events, ['quote', 'end'])
    assert.equal(await closing, 0)
  })
  test('leaves no work behind when its client disconnects', async () => {
    const before = listeners.size
    const reply = await open(QUERY)
    await eventsOf(reply).next()
    assert.equal(listeners.size, before + 1)
    const gone = new Promise((resolve) => service.server.server.once('connection', resolve))
    reply.destroy()
    void open('').then((other) => other.resume())
    await gone
    for (let i = 0; i < 100 && listeners.size > before; i += 1)
      await new Promise((resolve) => setImmediate(resolve))
    assert.equal(listeners.size, before)
  })
})
