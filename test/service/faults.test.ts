import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { beforeAll, describe, test } from 'vitest'
import type { ErrorCode } from '../../src/engine/errors.js'
import { statusOf } from '../../src/operations/problem.js'
import type { MarketFeed } from '../../src/service/feed/market-feed.js'
import { body, post, type Staged, stage, stillFeed } from './stage.js'

const CANARY = '/home/somebody/secret?password=hunter2'

/** A feed whose market cannot be used: an internal error. */
function brokenFeed(): MarketFeed {
  const feed = stillFeed()
  const served = feed.current()!
  const fail = () => Promise.reject(new Error(`cannot open ${CANARY}`))
  return { ...feed, current: () => ({ ...served, inline: { openMarket: fail, inline: true } }) }
}

test('an internal error is answered with 500 without details, and logged with the id of the request', async () => {
  const service = await stage({ feed: brokenFeed() })
  for (const asked of [
    '/swap/tokens',
    post('/swap/route', body()),
    post('/swap/batch', { requests: [{ route: body() }] }),
  ]) {
    const { statusCode, payload, headers } = await service.server.inject(asked)
    const document = JSON.parse(payload)
    // A batch is streamed, so the error is the answer of its own element.
    const [problem] = document.results ?? [document]
    assert.equal(statusCode, document.results === undefined ? 500 : 200)
    const { code, instance = headers['x-request-id'] } = problem as {
      code: string
      instance?: string
    }
    assert.equal(code, 'INTERNAL')
    for (const word of ['secret', 'password', 'at ', 'node_modules', '.ts', 'Error'])
      assert.ok(!`${payload}${JSON.stringify(headers)}`.includes(word), word)
    assert.ok(
      service.lines.some((line) => line.includes(String(instance)) && line.includes('hunter2')),
    )
  }
  await service.end()
})

describe('the service never answers 5xx to', () => {
  let service: Staged
  beforeAll(async () => {
    service = await stage()
  })

  /**
   * The rules of every answer: no 5xx but by design, a documented status, a problem document that states
   * it.
   */
  const holds = async (asked: string | ReturnType<typeof post>) => {
    const { statusCode, payload, headers } = await service.server.inject(asked)
    if (statusCode === 200) return
    const { code, status } = JSON.parse(payload) as { code: ErrorCode; status: number }
    assert.match(String(headers['content-type']), /^application\/problem\+json/)
    assert.deepEqual([status, statusOf(code)], [statusCode, statusCode])
    assert.ok(statusCode < 500, payload)
  }

  const names = fc.constantFrom(
    'btc-btc',
    'rune',
    '__proto__',
    'constructor',
    'toString',
    '',
    '\u0000',
    '\ud800',
    '../x',
    'ａ',
  )
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      '1',
      '0',
      '007',
      '+1',
      '1e18',
      '0x1',
      ' 1',
      '１２',
      '340282366920938463463374607431768211456',
    ),
    fc.integer(),
    fc.double(),
  )
  const nearly = fc.record(
    {
      input: fc.record({ denom: names, amount: value }, { requiredKeys: [] }),
      output: fc.record({ denom: names, amount: value }, { requiredKeys: [] }),
      slippage_bps: value,
      max_hops: value,
      limit: value,
      via: value,
      path: value,
      recipient: value,
      affiliate: value,
      min_out: value,
      max_impact_bps: value,
      explain: value,
      more: value,
    },
    { requiredKeys: ['input', 'output'] },
  )
  test('nearly valid bodies', async () => {
    await fc.assert(
      fc.asyncProperty(nearly, (request) => holds(post('/swap/route', request))),
      { numRuns: 250 },
    )
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })
  test('batches of nearly valid bodies', async () => {
    const batch = fc.record({ requests: fc.array(fc.record({ route: nearly }), { maxLength: 4 }) })
    await fc.assert(
      fc.asyncProperty(batch, (request) => holds(post('/swap/batch', request))),
      { numRuns: 60 },
    )
  })
  test('arbitrary text as a body or query', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, async (one) => {
        await holds(post('/swap/route', one))
        await holds(`/swap/tokens?${encodeURIComponent(one)}`)
      }),
      { numRuns: 150 },
    )
  })
  test('logged requests, whose line of JSON has nothing of what was sent', async () => {
    const { server, lines, end } = await stage()
    await server.inject({
      ...post('/swap/route?evil\r\n', { ...body(), output: { denom: 'canary-denom' } }),
      headers: { 'content-type': 'application/json', 'x-request-id': 'client-1' },
    })
    await server.inject({ url: '/livez', headers: { 'x-request-id': 'a\u001b[31m b' } })
    const written = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.deepEqual(
      written.map(({ path, client_id }) => [path, client_id]),
      [
        ['/swap/route', 'client-1'],
        ['/livez', undefined],
      ],
    )
    assert.ok(Number(written[0]?.['ms']) > 0)
    assert.ok(!lines.join('').includes('canary'))
    await end()
  })
  test('a body that is cut off, which is logged as a bad request', async () => {
    const { server, lines, end } = await stage()
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as AddressInfo
    const answered = new Promise((resolve) =>
      server.server.once('request', (_, reply) => reply.once('close', resolve)),
    )
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      'POST /swap/route HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
      () => socket.end(),
    )
    await answered
    await end()
    const [line = '{}'] = lines
    const { status, code } = JSON.parse(line) as { status?: number; code?: string }
    assert.deepEqual([status, code, lines.length], [400, 'INVALID_REQUEST', 1])
  })
})
