import assert from 'node:assert/strict'
import { connect } from 'node:net'
import fc from 'fast-check'
import { beforeAll, describe, test } from 'vitest'
import { isLoopback } from '../../../src/service/guards/headers.js'
import { addressGroup, RateLimiter } from '../../../src/service/guards/rate-limiter.js'
import { body, post, type Staged, stage } from '../stage.js'

let service: Staged
let port = 0
beforeAll(async () => {
  service = await stage({ hosts: ['swap.example.org'], cors: ['https://app.example.org'] })
  port = Number(new URL(await service.server.listen({ host: '127.0.0.1', port: 0 })).port)
})

/** Sends raw bytes and reads until the other side closes, or is idle. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let reply = ''
    socket.setEncoding('latin1').on('data', (part: string) => {
      reply += part
    })
    socket.on('close', () => resolve(reply)).on('error', reject)
  })

const statusOf = (reply: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(reply)?.[1])
const codeIn = (reply: string): string | undefined => /"code":"(\w+)"/.exec(reply)?.[1]
const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`

const json = JSON.stringify(body())
const length = `Content-Length: ${json.length}`
const TYPE = 'Content-Type: application/json'
const HOST = 'Host: localhost'

describe('the service refuses before routing', () => {
  const rows: readonly (readonly [string, string, number, string])[] = [
    [
      'a host that is not allowed',
      head('GET /swap/tokens HTTP/1.1', 'Host: evil.example', 'Connection: close'),
      421,
      'HOST_NOT_ALLOWED',
    ],
    [
      'a target of a host that is not allowed',
      head('GET http://evil.example/swap/tokens HTTP/1.1', HOST, 'Connection: close'),
      421,
      'HOST_NOT_ALLOWED',
    ],
    [
      'a request without a host',
      head('GET /livez HTTP/1.1', 'Connection: close'),
      400,
      'INVALID_REQUEST',
    ],
    [
      'two hosts',
      head('GET /livez HTTP/1.1', HOST, 'Host: localhost', 'Connection: close'),
      400,
      'INVALID_REQUEST',
    ],
    [
      'an unknown transfer encoding',
      `${head('POST /swap/route HTTP/1.1', HOST, TYPE, 'Transfer-Encoding: xchunked')}`,
      400,
      'INVALID_REQUEST',
    ],
    [
      'a transfer encoding in HTTP/1.0',
      head('POST /swap/route HTTP/1.0', HOST, TYPE, 'Transfer-Encoding: chunked'),
      400,
      'INVALID_REQUEST',
    ],
    [
      'two lengths',
      head('POST /swap/route HTTP/1.1', HOST, TYPE, length, 'Content-Length: 5') + json,
      400,
      'INVALID_REQUEST',
    ],
    [
      'a length and chunks',
      head('POST /swap/route HTTP/1.1', HOST, TYPE, length, 'Transfer-Encoding: chunked') + json,
      400,
      'INVALID_REQUEST',
    ],
    [
      'headers of 20 kB',
      head('GET /livez HTTP/1.1', HOST, `X-Long: ${'a'.repeat(20_000)}`),
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'a path of 3 kB',
      head(`GET /swap/stream?${'a'.repeat(3_000)} HTTP/1.1`, HOST, 'Connection: close'),
      414,
      'URI_TOO_LONG',
    ],
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'an unsupported method',
      head('DELETE /swap/route HTTP/1.1', HOST, 'Connection: close'),
      405,
      'METHOD_NOT_ALLOWED',
    ],
    [
      'TRACE',
      head('TRACE /swap/tokens HTTP/1.1', HOST, 'Connection: close'),
      405,
      'METHOD_NOT_ALLOWED',
    ],
  ]
  for (const [what, text, status, code] of rows)
    test(`${what} with ${status}`, async () => {
      const reply = await raw(text)
      assert.deepEqual([statusOf(reply), codeIn(reply)], [status, code])
    })

  const answered = async (url: string, options: object = {}) => {
    const reply = await service.server.inject({ url, ...options })
    const { code } = reply.headers['content-type']?.toString().includes('json')
      ? (JSON.parse(reply.payload || '{}') as { code?: string })
      : { code: undefined }
    return [reply.statusCode, code, reply.headers['allow']]
  }

  test('an unknown path with 404 and an unsupported method with 405', async () => {
    assert.deepEqual(await answered('/swap/nothing'), [404, 'NOT_FOUND', undefined])
    assert.deepEqual(await answered('/swap/route'), [405, 'METHOD_NOT_ALLOWED', 'POST'])
    const refused = [405, 'METHOD_NOT_ALLOWED', 'GET, HEAD']
    for (const url of ['/swap/tokens', '/page/page.css', '/docs/start.js', '/docs/style.css'])
      assert.deepEqual(await answered(url, { method: 'PUT' }), refused, url)
    for (const url of [
      '/swap/tokens/',
      '//swap/tokens',
      '/swap%2Ftokens',
      '/SWAP/TOKENS',
      '/docs/../livez',
    ])
      assert.ok([404, 200].includes(Number((await answered(url))[0])), url)
  })
  test('a path that cannot be decoded with 400', async () => {
    assert.deepEqual((await answered('/%zz')).slice(0, 2), [400, 'INVALID_REQUEST'])
  })
  test('bodies that are not JSON or too large', async () => {
    const as = (type: string, payload: string) => ({
      method: 'POST',
      headers: { 'content-type': type },
      payload,
    })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonp',
    ])
      assert.deepEqual(
        (await answered('/swap/route', as(type, json)))[1],
        'UNSUPPORTED_MEDIA_TYPE',
        type,
      )
    for (const headers of [
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/json; charset="iso-8859-1"' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ])
      assert.deepEqual(
        (await answered('/swap/route', { method: 'POST', headers, payload: json })).slice(0, 2),
        [415, 'UNSUPPORTED_MEDIA_TYPE'],
      )
    assert.equal(
      (await answered('/swap/route', as('application/json; charset=utf-8', json)))[0],
      200,
    )
    assert.deepEqual((await answered('/swap/route', as('application/json', ''))).slice(0, 2), [
      400,
      'INVALID_REQUEST',
    ])
    assert.deepEqual((await answered('/swap/route', { method: 'POST' })).slice(0, 2), [
      400,
      'INVALID_REQUEST',
    ])
  })
  test('the service answers an allowed host on any port', async () => {
    for (const host of [
      'swap.example.org',
      'SWAP.example.org:8555',
      '127.0.0.1:1',
      '[::1]:8555',
      'localhost',
    ])
      assert.equal((await answered('/livez', { headers: { host } }))[0], 200, host)
    for (const host of [
      'swap.example.org.evil.example',
      'localhost.evil.example',
      'localhost:x',
      '[::2]',
    ])
      assert.equal((await answered('/livez', { headers: { host } }))[0], 421, host)
  })
  test('the service lets only pages of an allowed origin read answers', async () => {
    const ask = async (origin: string) => {
      const { headers } = await service.server.inject({ url: '/livez', headers: { origin } })
      return headers['access-control-allow-origin']
    }
    assert.equal(await ask('https://app.example.org'), 'https://app.example.org')
    assert.equal(await ask('https://app.example.org.evil.example'), undefined)
    assert.equal(await ask('null'), undefined)
  })
  test('a browser keeps the permission of an allowed origin for ten minutes', async () => {
    const headers = { origin: 'https://app.example.org', 'access-control-request-method': 'POST' }
    const reply = await service.server.inject({ method: 'OPTIONS', url: '/swap/route', headers })
    assert.equal(reply.headers['access-control-allow-methods'], 'GET, HEAD, POST')
    assert.equal(reply.headers['access-control-max-age'], '600')
  })
  test('a page of an allowed origin can read when to retry, the entity tag and the request id', async () => {
    const origin = 'https://app.example.org'
    const { headers } = await service.server.inject({ url: '/livez', headers: { origin } })
    const exposed = String(headers['access-control-expose-headers']).split(', ')
    for (const name of ['retry-after', 'ratelimit-remaining', 'etag', 'age', 'x-request-id'])
      assert.ok(exposed.includes(name), name)
  })
  test('the service sends protective headers and a request id with every answer', async () => {
    for (const url of [
      '/livez',
      '/swap/tokens',
      '/nothing',
      '/docs',
      '/metrics',
      '/openapi.json',
      '/history',
    ]) {
      const { headers } = await service.server.inject(url)
      assert.equal(headers['x-content-type-options'], 'nosniff', url)
      assert.match(String(headers['content-security-policy']), /default-src 'none'/, url)
      assert.match(String(headers['x-request-id']), /^[\da-f]{12}-\w+$/, url)
      assert.equal(headers['x-powered-by'] ?? headers['server'], undefined)
    }
  })
})

describe('the rate limiter', () => {
  test('admits a burst, then one request per interval, and refills while idle', () => {
    let now = 0
    const limit = new RateLimiter({ perSecond: 20, burst: 40 }, () => now)
    const take = () => limit.take('1.2.3.4').allowed
    assert.equal(Array.from({ length: 50 }, take).filter(Boolean).length, 40)
    now += 50
    assert.deepEqual([take(), take()], [true, false])
    now += 3_600_000
    assert.equal(Array.from({ length: 50 }, take).filter(Boolean).length, 40)
  })
  test('charges the cost of several requests in one against later ones', () => {
    let now = 0
    const limit = new RateLimiter({ perSecond: 10, burst: 10 }, () => now)
    assert.equal(limit.take('a', 30).allowed, true)
    assert.equal(limit.take('a').wait, 2_100)
    now += 2_100
    assert.equal(limit.take('a').allowed, true)
  })
  test('never admits more than the burst and the rate, whatever the pattern', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { minLength: 1, maxLength: 200 }), (pauses) => {
        let now = 0
        const limit = new RateLimiter({ perSecond: 7, burst: 5 }, () => now)
        let passed = 0
        for (const pause of pauses) {
          now += pause
          if (limit.take('a').allowed) passed += 1
        }
        assert.ok(passed <= 5 + (now / 1_000) * 7 + 1e-6)
      }),
      { numRuns: 100 },
    )
  })
  test('counts an IPv6 client by its /64 network', () => {
    assert.equal(addressGroup('2001:db8:1:2:3:4:5:6'), addressGroup('2001:db8:1:2:ffff::1'))
    assert.notEqual(addressGroup('2001:db8:1:2::1'), addressGroup('2001:db8:1:3::1'))
    assert.equal(addressGroup('::ffff:10.0.0.1'), '10.0.0.1')
    assert.ok(isLoopback('::ffff:127.0.0.1') && isLoopback('::1') && !isLoopback('10.0.0.1'))
  })
  test('answers 429 with what is left and the time to wait, whatever address a header names', async () => {
    const limited = await stage({ rate: 2 })
    const replies = []
    for (let i = 0; i < 6; i += 1) {
      const from = { 'x-forwarded-for': `10.0.0.${i}` }
      const request = post('/swap/route', body(`${1_000_000 + i}`), from)
      replies.push(await limited.server.inject(request))
    }
    const statuses = replies.map(({ statusCode }) => statusCode)
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429])
    const { headers, payload } = replies[4]!
    assert.equal(headers['ratelimit-limit'], '4')
    assert.equal(headers['ratelimit-remaining'], '0')
    assert.equal(headers['retry-after'], '1')
    assert.equal((JSON.parse(payload) as { code: string }).code, 'RATE_LIMITED')
    assert.equal((await limited.server.inject('/livez')).statusCode, 200)
    await limited.end()
  })
})
