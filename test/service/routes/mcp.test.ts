import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { beforeAll, describe, test } from 'vitest'
import { LONG } from '../../support/long.js'
import { body, post, type Staged, stage } from '../stage.js'

let service: Staged
let url: URL
beforeAll(async () => {
  service = await stage()
  url = new URL('/mcp', await service.server.listen({ host: '127.0.0.1', port: 0 }))
})

const call = (name: string, request: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: request },
})
const headers = { 'content-type': 'application/json' }

describe('POST /mcp', () => {
  for (const era of ['legacy', 'modern'] as const)
    test(`answers the official client of the ${era} era with the bodies of the other paths`, async () => {
      const mode = era === 'modern' ? ({ pin: '2026-07-28' } as const) : 'legacy'
      const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } })
      await client.connect(new StreamableHTTPClientTransport(url))
      const { tools } = await client.listTools()
      assert.equal(tools.length, 9)
      assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true))
      for (const [name, path] of [
        ['swap_route', '/swap/route'],
        ['swap_split_route', '/swap/sroute'],
      ] as const) {
        const expected = await service.server.inject(post(path, body()))
        const answer = await client.callTool({ name, arguments: body() })
        assert.equal(JSON.stringify(answer.structuredContent), expected.payload)
      }
      const tokens = await service.server.inject('/swap/tokens')
      const answer = await client.callTool({ name: 'swap_tokens', arguments: {} })
      assert.equal(JSON.stringify(answer.structuredContent), tokens.payload)
      const wrong = await client.callTool({ name: 'swap_route', arguments: body('-1') })
      assert.equal(wrong.isError, true)
      const { contents } = await client.readResource({ uri: 'swap://schema/route' })
      assert.equal(contents.length, 1)
      await client.close()
    })

  test('answers a body that is not a message as the API document says', async () => {
    const document = JSON.parse((await service.server.inject('/openapi.json')).payload)
    const { responses } = document.paths['/mcp'].post
    const { content } = responses['400']
    assert.deepEqual(Object.keys(content), ['application/json', 'application/problem+json'])
    const { schema, example } = content['application/json']
    for (const payload of ['', '{', '[]', '{"jsonrpc":"2.0","id":7}', '{"id":1.5}']) {
      const answer = await service.server.inject({ method: 'POST', url: '/mcp', headers, payload })
      assert.equal(answer.statusCode, 400)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
      assert.ok(Value.Check(schema, answer.json()), answer.payload)
      if (payload === '') assert.deepEqual(answer.json(), example)
    }
    const notified = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const { statusCode, payload } = await service.server.inject(post('/mcp', notified))
    assert.deepEqual([payload, 'content' in responses[statusCode]], ['', false])
  })

  test('refuses with hints that name tools and resources, and no path or command', async () => {
    const hintOf = async (name: string, request: object) => {
      const { payload } = await service.server.inject({
        ...post('/mcp', call(name, request)),
        headers,
      })
      const { result } = JSON.parse(payload) as { result: { content: { text: string }[] } }
      return (JSON.parse(result.content[0]!.text) as { hint: string }).hint
    }
    for (const name of ['route', 'split_route', 'book', 'status'])
      assert.equal(
        await hintOf(`swap_${name}`, { x: 1 }),
        `correct the named members; swap://schema/${name} lists them`,
      )
    const unknown = { ...body(), input: { denom: 'btc-bt', amount: '1' } }
    assert.match(await hintOf('swap_route', unknown), /^did you mean btc-btc.*\? all: swap_tokens$/)
  })

  test('refuses with the problem document of the other paths, but for its hint', async () => {
    const problemOf = (text: string): Record<string, unknown> => {
      const { hint: _, instance: __, ...problem } = JSON.parse(text) as Record<string, unknown>
      return problem
    }
    const both = async (request: object) => {
      const [answer, expected] = await Promise.all([
        service.server.inject({ ...post('/mcp', call('swap_route', request)), headers }),
        service.server.inject(post('/swap/route', request)),
      ])
      const { result } = JSON.parse(answer.payload) as { result: { content: { text: string }[] } }
      return [problemOf(result.content[0]!.text), problemOf(expected.payload)] as const
    }
    for (const request of [body('-1'), body('9'.repeat(20)), { x: 1 }]) {
      const [answer, expected] = await both(request)
      assert.deepEqual(answer, expected)
    }
    // What is wrong with how a message is written is found before a market answers.
    const [answer, expected] = await both({ input: { denom: 'btc-btc', amount: 1.5 } })
    assert.deepEqual({ ...answer, height: 120 }, expected)
  })

  test('reports progress to a client of the modern era that asks for it', async () => {
    const client = new Client(
      { name: 'test', version: '0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(new StreamableHTTPClientTransport(url))
    const answer = await client.callTool(
      { name: 'swap_split_route', arguments: body('150000001') },
      { onprogress: () => {} },
    )
    assert.equal(answer.isError, undefined)
    await client.close()
  })

  test('refuses other hosts, pages of other origins, lists of messages and other methods', async () => {
    const message = JSON.stringify(call('swap_route', body()))
    const ask = (more: Record<string, string>, payload = message) =>
      service.server.inject({ ...post('/mcp', payload), headers: { ...headers, ...more } })
    assert.equal((await ask({})).statusCode, 200)
    assert.equal((await ask({ origin: 'http://localhost:3000' })).statusCode, 200)
    assert.equal((await ask({ host: 'rebound.example' })).statusCode, 421)
    assert.equal((await ask({ origin: 'https://page.example' })).statusCode, 403)
    assert.equal((await ask({ origin: 'null' })).statusCode, 403)
    assert.equal((await ask({}, `[${message},${message}]`)).statusCode, 400)
    assert.equal((await ask({}, '{')).statusCode, 400)
    assert.equal((await service.server.inject({ method: 'GET', url: '/mcp' })).statusCode, 405)
    assert.equal((await service.server.inject({ method: 'DELETE', url: '/mcp' })).statusCode, 405)
  })

  test('answers what is no message, and a call that is malformed, in JSON-RPC', async () => {
    const ask = async (payload: string) => {
      const answer = await service.server.inject({ method: 'POST', url: '/mcp', headers, payload })
      return { status: answer.statusCode, ...JSON.parse(answer.payload) }
    }
    const refused = async (payload: string) => {
      const { status, id, error } = await ask(payload)
      return [status, id, error.code]
    }
    const message = JSON.stringify(call('swap_route', body()))
    assert.deepEqual(await refused('{'), [400, null, -32700])
    assert.deepEqual(await refused(`[${message}]`), [400, null, -32600])
    assert.deepEqual(await refused('{"id":7}'), [400, 7, -32600])
    assert.deepEqual(
      await refused('{"jsonrpc":"2.0","id":7,"id":8,"method":"tools/list"}'),
      [400, 8, -32600],
    )
    for (const [method, params, parameter] of [
      ['tools/call', { name: 'swap_route', arguments: [] }, 'params.arguments'],
      ['tools/call', { arguments: {} }, 'params.name'],
      ['resources/read', {}, 'params.uri'],
      ['initialize', undefined, 'params'],
    ] as const) {
      const { status, error } = await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
      assert.deepEqual([status, error.code], [400, -32602])
      assert.equal(error.message, `${parameter} is missing or of the wrong type`)
    }
    const { status, id, result } = await ask(message.replace(/"amount":"\d+"/, '"amount":1e8'))
    assert.deepEqual([status, id, result.isError], [200, 1, true])
    assert.equal(JSON.parse(result.content[0].text).code, 'INVALID_AMOUNT')
    const detailOf = async (text: string) =>
      JSON.parse((await ask(text)).result.content[0].text).detail
    assert.equal(
      await detailOf(message.replace('"denom":', '"denom":"x","denom":')),
      'the arguments cannot be read as JSON; /input/denom is given twice',
    )
    assert.equal(
      await detailOf(message.replace('"id":1', '"id":2,"id":1')),
      'the message cannot be read as JSON; /id is given twice',
    )
  })

  test('refuses deep nesting wherever it is, and leaves no rejected promise behind', async () => {
    const rejected: unknown[] = []
    const note = (error: unknown) => rejected.push(error)
    process.on('unhandledRejection', note)
    const deep = { deep: 0 }
    const capabilities = { experimental: { a: { b: deep } } }
    const clientInfo = { name: 't', version: '1' }
    const modern = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    }
    for (const [method, params] of [
      ['initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo }],
      ['tools/list', { _meta: modern }],
      ['tools/call', { name: 'swap_tokens', arguments: {}, _meta: modern }],
      ['tools/call', { name: 'swap_tokens', arguments: { deep } }],
    ] as const) {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const payload = text.replace('{"deep":0}', `${'['.repeat(7_900)}${']'.repeat(7_900)}`)
      const era = '_meta' in params && {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': 'swap_tokens',
      }
      const sent = {
        method: 'POST',
        url: '/mcp',
        headers: { ...headers, ...era },
        payload,
      } as const
      const answer = await service.server.inject(sent)
      assert.ok(answer.statusCode < 500, answer.payload)
      assert.match(answer.payload, /nested more than 16 deep/)
    }
    await setImmediate()
    process.off('unhandledRejection', note)
    assert.deepEqual(rejected, [])
  })

  test('has no tool that signs', async () => {
    for (const name of ['swap_execute', 'swap_preview_execution']) {
      const { payload } = await service.server.inject(post('/mcp', call(name, {})))
      assert.match(payload, /there is no tool/)
    }
  })

  const calls = [
    ['swap_status', {}, true],
    ['swap_split_route', body(), true],
    ['swap_route', body(), false],
  ] as const
  for (const [name, request, isHeavy] of calls)
    test(`charges calls of ${name} as ${isHeavy ? 'heavy' : 'other'} requests`, async () => {
      const limited = await stage({ rate: 4 })
      const payloads = []
      for (let i = 0; i < 4; i += 1)
        payloads.push((await limited.server.inject(post('/mcp', call(name, request)))).payload)
      assert.match(payloads[0]!, /structuredContent/)
      assert.equal(/RATE_LIMITED/.test(payloads.join()), isHeavy)
      await limited.end()
    })

  test('refuses a resource beyond the rate without blaming its parameters', async () => {
    const limited = await stage({ rate: 4 })
    const params = { uri: 'swap://market/summary' }
    const read = { ...call('', {}), method: 'resources/read', params }
    const ask = async () => (await limited.server.inject(post('/mcp', read))).json()
    const [, , { error }] = [await ask(), await ask(), await ask()]
    assert.deepEqual([error.code, error.data.code], [-32603, 'RATE_LIMITED'])
    await limited.end()
  })

  test('answers whatever is sent without a 5xx', async () => {
    const method = fc.constantFrom(
      ...['tools/list', 'tools/call', 'resources/read', 'resources/list', 'initialize', 'ping'],
      ...['server/discover', 'subscriptions/listen', 'prompts/list', 'nothing', 'logging/setLevel'],
    )
    const name = fc.constantFrom('swap_route', 'swap_book', 'swap_history', 'swap_execute', '')
    const value = fc.jsonValue({ maxDepth: 3 })
    const params = fc.oneof(
      value,
      fc.record({ name, arguments: value, uri: fc.webUrl() }, { requiredKeys: [] }),
    )
    const message = fc.oneof(
      {
        arbitrary: fc.record(
          { jsonrpc: fc.constant('2.0'), id: value, method, params },
          { requiredKeys: [] },
        ),
        weight: 4,
      },
      { arbitrary: value, weight: 1 },
    )
    const extra = fc.record(
      {
        'mcp-protocol-version': fc.constantFrom('2026-07-28', '2025-11-25', 'x'),
        'mcp-method': method,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(message, extra, async (sent, more) => {
        const { statusCode, payload } = await service.server.inject({
          ...post('/mcp', sent),
          headers: { ...headers, ...more },
        })
        assert.ok(statusCode < 500, `${statusCode} ${payload}`)
        if (payload !== '') JSON.parse(payload.replace(/^(event: message\n)?data: /, ''))
      }),
      { numRuns: LONG ? 50_000 : 500 },
    )
    assert.ok(service.lines.every((line) => !line.includes('a bug')))
  }, 7_200_000)
})
