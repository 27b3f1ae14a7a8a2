import assert from 'node:assert/strict'
import { createServer as createTcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, test } from 'vitest'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import { defaultLimits } from '../../../src/chain/rpc/limits.js'
import type { NodesOptions } from '../../../src/chain/rpc/nodes.js'
import { closing } from '../../support/closing.js'
import {
  CHAIN_ID,
  correctAnswer,
  correctNode,
  failureOf,
  type Handler,
  noPauses,
  openSource,
  requestsOf,
  send,
  sendCorrect,
  stub,
} from './stage.js'
import { durationOf } from './time.js'

const HEIGHT = 50
const DEADLINE_MS = 1_000
/** The delay to allow for on a loaded machine. */
const SLACK_MS = 1_000

const opened = (url: string, options: Partial<NodesOptions> = {}) =>
  closing(
    openSource({
      chainId: CHAIN_ID,
      rpc: [url],
      deadlineMs: DEADLINE_MS,
      ...options,
      limits: { ...noPauses, ...options.limits },
    }),
  )

async function faultOf(promise: Promise<unknown>): Promise<NodeFault> {
  const error = await failureOf(promise)
  assert.ok(error instanceof NodeFault, String(error))
  return error
}

const misbehaving = async (handler: Handler): Promise<string> => closing(await stub(handler)).url

const html =
  (status: number, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_body, _request, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers })
    response.end('<html><body>{"jsonrpc":"2.0"}</body></html>')
  }

/** Answers correctly, but changes the bytes on the wire. */
const sending =
  (text: string, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_body, _request, response) =>
    send(response, text, 200, headers)

const MEBIBYTE = Buffer.alloc(1 << 20, 0x61)

/** Sends `count` MiB as fast as they are read, and counts the bytes. */
const flood =
  (count: number, sent: { mebibytes: number }, headers = {}): Handler =>
  (_body, _request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    const more = (): void => {
      while (sent.mebibytes < count && !response.destroyed) {
        sent.mebibytes += 1
        if (!response.write(MEBIBYTE)) {
          response.once('drain', more)
          return
        }
      }
      response.end()
    }
    more()
  }

describe('a failing connection to a node', () => {
  const cases: readonly (readonly [string, Handler, string, RegExp])[] = [
    [
      'a connection reset',
      (_b, request) => request.socket.resetAndDestroy(),
      'reset',
      /closed the connection/,
    ],
    [
      'a truncated answer',
      (_body, request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
        response.write('{"jsonrpc"', () => request.socket.destroy())
      },
      'reset',
      /in the middle of its answer/,
    ],
    ['a page with 502', html(502), 'http_status', /HTTP status 502/],
    ['a page with 403', html(403), 'forbidden', /HTTP status 403/],
    ['a page with 404', html(404), 'http_status', /HTTP status 404/],
    ['a page with 200', html(200), 'not_json', /not JSON/],
    ['an empty body with 200', sending(''), 'not_json', /not JSON/],
    ['half a document', sending('{"jsonrpc":"2.0","id":1,"resu'), 'not_json', /not JSON/],
    ['an unsupported encoding', sending('', { 'content-encoding': 'br' }), 'not_json', /unpacked/],
    [
      'a body falsely marked as compressed',
      sending('plain', { 'content-encoding': 'gzip' }),
      'not_json',
      /unpacked/,
    ],
    [
      'a protocol other than HTTP',
      (_body, request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
      'not_json',
      /does not speak HTTP/,
    ],
  ]
  for (const [name, handler, kind, text] of cases)
    test(`with ${name} is reported as a fault of the node`, async () => {
      const error = await faultOf(opened(await misbehaving(handler)).newestHeight())
      assert.equal(error.kind, kind)
      assert.match(error.message, text)
    })

  test('to a closed port fails at once', async () => {
    const { url, close } = await stub(() => {})
    await close()
    const source = opened(url)
    const error = await faultOf(source.newestHeight())
    assert.equal(error.kind, 'refused')
    assert.ok(error.message.includes(`${url} refused the connection`))
    assert.match(String(error.why), /^it was tried for \d+ ms$/)
    assert.ok((await durationOf(source.newestHeight())) < SLACK_MS)
  })

  test('with a redirect is not followed', async () => {
    let requestCount = 0
    const otherServer = await misbehaving((body, _request, response) => {
      requestCount += 1
      sendCorrect(response, body, HEIGHT)
    })
    const error = await faultOf(
      opened(await misbehaving(html(307, { location: otherServer }))).newestHeight(),
    )
    assert.match(`${error.kind}: ${error.hint}`, /^redirect: .* by the address that it points to/)
    assert.equal(requestCount, 0)
  })

  test('that never completes is aborted after its own limit', async () => {
    const silent = createTcpServer((socket) => void socket.on('error', () => {}))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    closing(silent)
    const { port } = silent.address() as { port: number }
    const source = opened(`https://127.0.0.1:${port}`, {
      deadlineMs: 60_000,
      limits: { connectMs: 30 },
    })
    const error = await faultOf(source.newestHeight())
    assert.equal(error.kind, 'unreachable')
    assert.match(error.message, /took no connection within 30 ms/)
  })

  test('to a dead address is replaced by one to a working address', async () => {
    const node = closing(await correctNode(HEIGHT))
    const { port } = new URL(node.url)
    const source = opened(`http://127.0.0.2:${port}`, {
      rpc: [`http://127.0.0.2:${port}`, node.url],
    })
    assert.equal(await source.newestHeight(), HEIGHT)
  })
})

describe('the deadline of a node query', () => {
  const slowNodes: Readonly<Record<string, Handler>> = {
    'takes requests and never answers': () => {},
    'sends a byte now and then': (_body, _request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(timer))
    },
    'sends headers only': (_body, _request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.flushHeaders()
    },
  }
  for (const [name, handler] of Object.entries(slowNodes)) {
    test(`includes all of the time for a node that ${name}`, async () => {
      const source = opened(await misbehaving(handler), { deadlineMs: 200 })
      const calls = [source.newestHeight(), source.queries([{ path: '/q', data: Buffer.of(1) }], 1)]
      const durations = await Promise.all(calls.map(durationOf))
      for (const ms of durations) assert.ok(ms >= 150 && ms < 200 + SLACK_MS, `${ms}`)
      const error = await faultOf(calls[0] as Promise<unknown>)
      assert.equal(error.code, 'UPSTREAM_TIMEOUT')
      assert.match(error.message, /did not answer within \d+ ms/)
    })

    test(`leaves no connection open at a node that ${name}`, async () => {
      const node = closing(await stub(handler))
      const source = opened(node.url, { deadlineMs: 15, limits: { pauseMostMs: 0 } })
      for (let cycle = 0; cycle < 100; cycle++) await faultOf(source.newestHeight())
      assert.ok(node.sockets.open <= defaultLimits.sockets, `${node.sockets.open} are open`)
      assert.ok(node.sockets.most <= defaultLimits.sockets, `${node.sockets.most} were open`)
      assert.ok(node.sockets.ever >= 50)
    })
  }
})

describe("the limit of bytes of a node's answer", () => {
  test('stops a body of 300 MiB at 32, and buffers no more than that', async () => {
    const sent = { mebibytes: 0 }
    const url = await misbehaving(flood(300, sent))
    const source = opened(url, { deadlineMs: 20_000 })
    const before = process.memoryUsage.rss()
    const error = await faultOf(source.newestHeight())
    assert.equal(error.kind, 'too_large')
    assert.match(error.message, /answered more than 33554432 bytes/)
    const grownMib = (process.memoryUsage.rss() - before) / 2 ** 20
    assert.ok(grownMib < 100, `${grownMib} MiB`)
    assert.ok(sent.mebibytes < 100, `${sent.mebibytes} MiB were sent`)
  })

  test('refuses a body by its declared length', async () => {
    const sent = { mebibytes: 0 }
    const url = await misbehaving(flood(300, sent, { 'content-length': 300 << 20 }))
    const error = await faultOf(opened(url, { deadlineMs: 20_000 }).newestHeight())
    assert.equal(error.kind, 'too_large')
  })

  test('counts the unpacked size of a compressed body', async () => {
    const bomb = gzipSync(Buffer.alloc(64 << 20, 0x20))
    assert.ok(bomb.length < 100_000)
    const url = await misbehaving((_body, _request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(bomb)
    })
    const error = await faultOf(opened(url, { deadlineMs: 20_000 }).newestHeight())
    assert.equal(error.kind, 'too_large')
  })

  test('counts the bytes of a compressed body whose parts are empty', async () => {
    const parts = Buffer.concat(Array(52_429).fill(gzipSync('')))
    const url = await misbehaving((_body, _request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      for (let mebibytes = 0; mebibytes < 40; mebibytes += 1) response.write(parts)
    })
    const error = await faultOf(opened(url, { deadlineMs: 20_000 }).newestHeight())
    assert.equal(error.kind, 'too_large')
  })

  test('is joined by a limit of items: ten million empty lists are refused unparsed with the node named', async () => {
    const lists = gzipSync(`{"jsonrpc":"2.0","id":1,"result":[${'[],'.repeat(10_000_000)}0]}`)
    const url = await misbehaving((_body, _request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(lists)
    })
    const error = await faultOf(opened(url, { deadlineMs: 20_000 }).newestHeight())
    assert.deepEqual([error.kind, error.code], ['too_large', 'UPSTREAM_INVALID_DATA'])
    assert.match(
      error.message,
      /^http:\/\/127\.0\.0\.1:\d+ answered JSON of more than 1000000 items/,
    )
  })

  test('accepts a compressed body within it', async () => {
    const url = await misbehaving((body, _request, response) => {
      const answers = requestsOf(body).map((request) => correctAnswer(request, HEIGHT))
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(JSON.stringify(answers)))
    })
    assert.equal(await opened(url).newestHeight(), HEIGHT)
  })
})
