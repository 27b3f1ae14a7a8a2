import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { describe, test } from 'vitest'
import { maskedUrl, nodeText, nodeUrl, secretsOf } from '../../../../src/chain/rpc/http/mask.js'
import { SwapError } from '../../../../src/engine/errors.js'
import { problemOf } from '../../../../src/operations/problem.js'
import { closing } from '../../../support/closing.js'
import {
  CHAIN_ID,
  failureOf,
  type Handler,
  noPauses,
  openSource,
  requestsOf,
  send,
  stub,
} from '../stage.js'

const visible: readonly (readonly [string, string])[] = [
  ['http://127.0.0.1:26657', 'http://127.0.0.1:26657'],
  ['http://[::1]:26657/', 'http://[::1]:26657'],
  ['https://rpc.example.com/', 'https://rpc.example.com'],
  ['https://rpc.example.com:8443/chain/rpc/', 'https://rpc.example.com:8443/chain/rpc'],
  ['https://me:secret@rpc.example.com', 'https://***@rpc.example.com'],
  ['https://token@rpc.example.com', 'https://***@rpc.example.com'],
  ['https://rpc.example.com/?key=abc&x=', 'https://rpc.example.com?key=***&x'],
  ['https://rpc.example.com/?9f86d081884c7d65', 'https://rpc.example.com?***'],
  ['https://rpc.example.com/v1/9f86d081884c7d65', 'https://rpc.example.com/v1/***'],
  ['https://rpc.example.com/Abc', 'https://rpc.example.com/***'],
  ['https://9f86d081884c7d659a2feaa0c55ad015.example.com', 'https://***.example.com'],
  ['https://rpc.example.com/rpc#secret', 'https://rpc.example.com/rpc'],
]

describe('the URL of a node', () => {
  for (const scheme of ['http', 'HTTP', 'tcp', 'TCP'])
    test(`may begin with ${scheme}://`, () =>
      assert.equal(
        nodeUrl(`${scheme}://rpc.example.com:26657`)?.origin,
        'http://rpc.example.com:26657',
      ))

  for (const text of ['ws://rpc.example.com', 'rpc.example.com', 'http://a b', 'http://a:99999'])
    test(`is not ${text}`, () => assert.equal(nodeUrl(text), undefined))
})

describe('the masked text of an endpoint', () => {
  for (const [url, masked] of visible)
    test(`of ${url} is ${masked}`, () => assert.equal(maskedUrl(new URL(url)), masked))

  test("and of a node's answer has no secrets and no control characters, and is bounded", () => {
    const secrets = secretsOf(new URL('https://us%65r:p%40ssword@h.example/?key=qwertz'))
    assert.equal(
      nodeText('bad key qwertz\u001b[2J\nfor user:p@ssword (p%40ssword)', secrets),
      'bad key *** [2J for ***:*** (***)',
    )
    assert.equal(nodeText('x'.repeat(5_000), []).length, 1_000)
    assert.equal(nodeText(`${'x'.repeat(996)}qwertz`, secrets), `${'x'.repeat(996)}***`)
  })
})

const CANARY = 'canary'
/** Secrets that must not appear anywhere, each as it was written and as it is sent. */
const canaries = [
  'canaryUser',
  'canaryPass',
  'CanaryPath0123',
  'canaryValue',
  Buffer.from('canaryUser:canaryPass').toString('base64'),
]

/** Returns everything that it was sent. */
const echo = (body: string, headers: object, url: string): string =>
  `${url} ${JSON.stringify(headers)} ${body.slice(0, 200)}`

const handlers: Readonly<Record<string, Handler>> = {
  'hangs up': (_body, request) => request.socket.resetAndDestroy(),
  'never answers': () => {},
  'echoes in a page': (body, { headers, url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(echo(body, headers, url))
  },
  'echoes with 403': (body, { headers, url = '' }, response) =>
    send(response, { error: echo(body, headers, url) }, 403),
  'echoes with 429': (body, { headers, url = '' }, response) =>
    send(response, { error: echo(body, headers, url) }, 429, { 'retry-after': '0' }),
  'redirects to itself': (_body, { url = '' }, response) =>
    send(response, '', 302, { location: url }),
  'echoes as an error': (body, { headers, url = '' }, response) =>
    send(
      response,
      requestsOf(body).map(({ id }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32603, message: 'no', data: echo(body, headers, url) },
      })),
    ),
  'echoes as its chain id': (body, { headers, url = '' }, response) => {
    const network = echo(body, headers, url)
    const result = { node_info: { network }, sync_info: { catching_up: false } }
    if (body === '') send(response, { default_node_info: { network } })
    else
      send(
        response,
        requestsOf(body).map(({ id }) => ({ jsonrpc: '2.0', id, result })),
      )
  },
  'echoes as what a query refuses': (body, { headers, url = '' }, response) => {
    const text = echo(body, headers, url)
    if (url.includes('node_info'))
      return send(response, { default_node_info: { network: CHAIN_ID } })
    if (body === '') return send(response, { code: 13, message: text }, 500)
    const answers = requestsOf(body).map(({ id, method }) => ({
      jsonrpc: '2.0',
      id,
      ...(method === 'block' ? { error: { code: 1, message: text } } : { result: masked(text) }),
    }))
    send(response, body.startsWith('[') ? answers : answers[0])
  },
}

const masked = (log: string) => ({
  node_info: { network: CHAIN_ID },
  sync_info: { catching_up: false },
  response: { last_block_height: '5', height: '5', code: 6, codespace: 'sdk', log },
})

describe('a secret in the URL of a node', () => {
  for (const [name, handler] of Object.entries(handlers))
    test(`is in no error when the node ${name}`, async () => {
      const { port } = new URL(closing(await stub(handler)).url)
      const url = `http://canaryUser:canaryPass@127.0.0.1:${port}/CanaryPath0123?key=canaryValue`
      const source = closing(
        openSource({
          chainId: CHAIN_ID,
          rpc: [url],
          rest: [url],
          deadlineMs: 100,
          limits: noPauses,
        }),
      )
      const answers = await source
        .queries([{ path: '/q', data: Buffer.of(1) }], 5)
        .catch((error: Error) => error)
      const errors = [
        await failureOf(source.call('block', { height: '5' })),
        await failureOf(source.rest('/cosmos/x')),
        answers,
      ]
      const texts = errors.flatMap((error) => [
        inspect(error, { depth: 20, showHidden: true }),
        JSON.stringify(error),
        ...(error instanceof Error ? [error.stack ?? '', JSON.stringify(problemOf(error))] : []),
      ])
      for (const text of texts) {
        for (const canary of canaries) assert.ok(!text.includes(canary), text)
        assert.ok(!text.toLowerCase().includes(CANARY), text)
      }
    })

  test('is not repeated when the URL is malformed', () => {
    for (const url of [
      'canarySecret',
      'ftp://canarySecret@host',
      'http://',
      'https://canary secret',
    ])
      assert.throws(
        () => openSource({ chainId: CHAIN_ID, rpc: [url], deadlineMs: 100 }),
        (error) =>
          error instanceof SwapError &&
          error.code === 'INVALID_REQUEST' &&
          !inspect(error, { depth: 20 }).toLowerCase().includes('canarysecret'),
      )
  })
})
