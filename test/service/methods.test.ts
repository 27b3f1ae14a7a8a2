import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, describe, test } from 'vitest'
import { endpoints } from '../../src/service/paths.js'
import { body, post, type Staged, stage } from './stage.js'

let service: Staged
let port = 0
beforeAll(async () => {
  service = await stage()
  port = Number(new URL(await service.server.listen({ host: '127.0.0.1', port: 0 })).port)
})

/** The reply to a text, until the service closes the connection; `later` is sent once the reply begins. */
const replyTo = (text: string, later = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.once('data', () => socket.write(later))
    let reply = ''
    socket.setEncoding('latin1').on('data', (part: string) => {
      reply += part
    })
    socket.on('close', () => resolve(reply)).on('error', reject)
  })

/** The status line and headers of the reply to a request without a body. */
const headOf = async (method: string, path: string, header = ''): Promise<string> => {
  const text = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${header}Connection: close\r\n\r\n`
  return (await replyTo(text)).split('\r\n\r\n')[0]!
}

describe('a method of the HTTP parser', () => {
  const paths = [...new Set(endpoints.map(({ path }) => path))]
  for (const path of paths)
    test(`is answered with 405 and Allow on ${path} unless the path supports it`, async () => {
      const own = endpoints.filter((each) => each.path === path).map(({ method }) => method)
      const allow = own.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]))
      const others = METHODS.filter((method) => !allow.some((each) => each === method))
      for (const method of others.filter((each) => each !== 'CONNECT')) {
        const head = await headOf(method, path)
        assert.match(head, /^HTTP\/1\.1 405 /, method)
        assert.equal(/^allow: (.*)$/im.exec(head)?.[1], allow.join(', '), method)
      }
    })

  test('is answered with 404 on an unknown path', async () => {
    for (const method of METHODS.filter((each) => each !== 'CONNECT'))
      assert.match(await headOf(method, '/nothing'), /^HTTP\/1\.1 404 /, method)
  })

  test('is answered with 404 on a path that begins with an asterisk', async () => {
    for (const path of ['*', '*?x', '*livez'])
      for (const method of ['GET', 'HEAD', 'POST'])
        assert.match(await headOf(method, path), /^HTTP\/1\.1 404 /, `${method} ${path}`)
  })

  test('is answered with 405 and Allow if it is CONNECT, or OPTIONS of the whole service', async () => {
    for (const [method, path] of [
      ['CONNECT', 'localhost:80'],
      ['OPTIONS', '*'],
    ] as const) {
      const head = await headOf(method, path)
      assert.match(head, /^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD, POST\r\n/is)
      assert.match(head, /^date: /im)
    }
  })
})

test('a request with an unknown expectation is answered as one without', async () => {
  const head = await headOf('GET', '/livez', 'Expect: nonsense\r\n')
  assert.match(head, /^HTTP\/1\.1 200 .*\r\nx-request-id: /is)
})

describe('a client that waits for 100 (Continue)', () => {
  const text = JSON.stringify(body())
  const headers = (type: string, length: number, ...more: readonly string[]) =>
    `Host: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n${more.join('')}\r\n`

  test('gets it before its body is read', async () => {
    const head = headers('application/json', text.length, 'Connection: close\r\n')
    const reply = await replyTo(`POST /swap/route HTTP/1.1\r\n${head}`, text)
    assert.match(reply, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })
  test('gets the refusal instead where the headers decide, and its connection is closed', async () => {
    for (const [status, path, type, length] of [
      [413, '/swap/route', 'application/json', 20_000],
      [415, '/swap/route', 'text/plain', text.length],
      [405, '/swap/tokens', 'application/json', text.length],
      [404, '/nothing', 'application/json', text.length],
    ] as const) {
      const reply = await replyTo(`POST ${path} HTTP/1.1\r\n${headers(type, length)}`)
      assert.match(reply, new RegExp(`^HTTP/1\\.1 ${status} .*\r\nconnection: close\r\n`, 'is'))
    }
  })
})

test('a request of HTTP/1.0 needs no host, as health checks of balancers send none', async () => {
  assert.match(await replyTo('GET /readyz HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
  const named = await replyTo('GET /readyz HTTP/1.0\r\nHost: evil.example\r\n\r\n')
  assert.match(named, /^HTTP\/1\.1 421 /)
  const target = await replyTo('GET http://evil.example/readyz HTTP/1.0\r\n\r\n')
  assert.match(target, /^HTTP\/1\.1 421 /)
})

test('a POST with parameters in its URL is refused, also where its body has a cached answer', async () => {
  for (const url of ['/swap/route', '/swap/route', '/swap/route?'])
    assert.equal((await service.server.inject(post(url, body()))).statusCode, 200)
  for (const path of ['/swap/route', '/swap/sroute', '/swap/batch']) {
    const { payload } = await service.server.inject(post(`${path}?slippage_bps=10`, body()))
    const { code, detail } = JSON.parse(payload)
    assert.deepEqual(
      [code, detail],
      ['INVALID_REQUEST', 'a POST request has no parameters in its URL'],
    )
  }
})

test('a body that is too large is refused with the limit of its path', async () => {
  for (const [url, bytes] of [
    ['/swap/route', 16_384],
    ['/swap/batch', 131_072],
  ] as const) {
    const { statusCode, payload } = await service.server.inject(post(url, ' '.repeat(bytes + 1)))
    assert.equal(statusCode, 413)
    const { code, detail } = JSON.parse(payload)
    assert.equal(code, 'PAYLOAD_TOO_LARGE')
    assert.ok(detail.endsWith(`; it may have ${bytes} bytes`), payload)
    assert.equal((await service.server.inject(post(url, ' '.repeat(bytes)))).statusCode, 400)
  }
})

test('bytes that are not HTTP are refused with the reason of the parser', async () => {
  for (const text of [
    'GET /\u00e9 HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
    'hello\r\n\r\n',
  ])
    assert.match(await replyTo(text), /"detail":"this is not HTTP; the parser reports: [A-Z][^"]+"/)
})

test('bytes that are not HTTP end a stream, without a refusal among its events', async () => {
  const query = 'input.denom=btc-btc&input.amount=150000000&output.denom=rune'
  const begin = `GET /swap/stream?${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const reply = await replyTo(begin, 'hello\r\n\r\n')
  assert.match(reply, /^HTTP\/1\.1 200 /)
  assert.doesNotMatch(reply.slice(1), /HTTP\/1\.1/)
})

test('an idle connection is not kept with --keep-alive 0', async () => {
  const other = await stage({ keepAlive: 0 })
  const { headers } = await fetch(await other.server.listen({ host: '127.0.0.1', port: 0 }))
  assert.match(String(headers.get('keep-alive')), /^timeout=0\b/)
  await other.end()
})
