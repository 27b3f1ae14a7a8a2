import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fastify } from 'fastify'
import { describe, test } from 'vitest'
import { metricsHandler } from '../../../src/service/metrics/metrics.js'
import { stage, stillFeed } from '../stage.js'

describe('/metrics', () => {
  test('is rendered once a second, however many requests share it', async () => {
    let made = 0
    let now = 0
    const metrics = {
      contentType: 'text/plain',
      answered() {},
      refused() {},
      connectionRefused() {},
      refreshed() {},
      refreshFailed() {},
      heightWentBack() {},
      text: async () => `made ${(made += 1)}`,
    }
    const server = fastify().get(
      '/metrics',
      metricsHandler(metrics, () => now),
    )
    const many = await Promise.all(Array.from({ length: 100 }, () => server.inject('/metrics')))
    assert.deepEqual(new Set(many.map(({ payload }) => payload)), new Set(['made 1']))
    now = 999
    assert.equal((await server.inject('/metrics')).payload, 'made 1')
    now = 1_000
    assert.equal((await server.inject('/metrics')).payload, 'made 2')
    await server.close()
  })

  test('has the exposition format: a sample of one value a line, after its help and its type', async () => {
    const { server, end } = await stage({ feed: { ...stillFeed(), nodeHeight: () => undefined } })
    const { payload } = await server.inject('/metrics')
    const value = /(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)/.source
    const label = /[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"/.source
    const sample = new RegExp(`^([a-zA-Z_:][\\w:]*)(?:\\{${label}(?:,${label})*\\})? ${value}$`)
    const names = new Set<string>()
    let helped = ''
    let typed = ''
    for (const line of payload.split('\n').filter((each) => each !== '')) {
      const [, comment = '', name = ''] = /^# (HELP|TYPE) (\w+) \S/.exec(line) ?? []
      if (comment === 'HELP') helped = name
      else if (comment === 'TYPE') {
        assert.equal(name, helped)
        assert.ok(!names.has(name), name)
        names.add(name)
        typed = name
      } else {
        const [, sampled = ''] = sample.exec(line) ?? assert.fail(line)
        assert.equal(sampled.replace(typed, '').replace(/^_(?:bucket|sum|count)$/, ''), '')
      }
    }
    assert.ok(payload.includes('swap_height_node NaN\n') && payload.endsWith('\n'))
    await end()
  })

  test('has the height of each of several nodes, and whether it answers', async () => {
    const nodes = [
      { node: 'http://a/', height: 9, fault: undefined },
      { node: 'http://b/', height: undefined, fault: 'does not answer' },
    ]
    const { server, end } = await stage({ nodes: () => nodes })
    const { payload } = await server.inject('/metrics')
    assert.deepEqual(
      payload.split('\n').filter((line) => line.startsWith('swap_node_')),
      [
        'swap_node_up{node="http://a/"} 1',
        'swap_node_up{node="http://b/"} 0',
        'swap_node_height{node="http://a/"} 9',
        'swap_node_height{node="http://b/"} NaN',
      ],
    )
    await end()
  })

  test('counts durations up to each bound', async () => {
    const { metrics, end } = await stage()
    for (const seconds of [0.0005, 0.0006, 11]) metrics.answered('/timed', 200, seconds)
    const text = await metrics.text()
    for (const [le, count] of [
      ['0.0005', 1],
      ['0.001', 2],
      ['10', 2],
      ['+Inf', 3],
    ])
      assert.ok(text.includes(`seconds_bucket{le="${le}",endpoint="/timed"} ${count}\n`), text)
    assert.ok(text.includes('seconds_sum{endpoint="/timed"} 11.0011\n'))
    assert.ok(text.includes('seconds_count{endpoint="/timed"} 3\n'))
    await end()
  })

  test('is refused with 429 beyond its own rate limit, which quotes do not use', async () => {
    const { server, end } = await stage({ rate: 1 })
    for (let i = 0; i < 4; i += 1) await server.inject('/swap/tokens')
    const statuses = []
    for (let i = 0; i < 22; i += 1) statuses.push((await server.inject('/metrics')).statusCode)
    assert.ok(statuses.slice(0, 20).every((status) => status === 200))
    assert.equal(statuses.at(-1), 429)
    await end()
  })

  test('counts requests that are refused before they have a path', async () => {
    const { server, metrics, end } = await stage()
    const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
    for (const text of [
      'hello\r\n\r\n',
      `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    ])
      await once(connect(port, '127.0.0.1').resume().end(text), 'close')
    const { headers, payload } = await server.inject('/%zz')
    assert.equal(headers['x-request-id'], JSON.parse(payload).instance)
    const text = await metrics.text()
    for (const [status, code, times] of [
      [400, 'INVALID_REQUEST', 2],
      [405, 'METHOD_NOT_ALLOWED', 1],
      [431, 'HEADERS_TOO_LARGE', 1],
    ] as const) {
      const line = `swap_http_requests_total{endpoint="unknown",status="${status}"} ${times}\n`
      assert.ok(text.includes(line), line)
      assert.ok(text.includes(`swap_problems_total{code="${code}"} ${times}\n`), code)
    }
    await end()
  })

  test('is answered under overload', async () => {
    const pressure = { tooMuch: () => 'too much', lag: () => 0, close() {} }
    const { server, end } = await stage({ pressure })
    assert.equal((await server.inject('/swap/tokens')).statusCode, 503)
    assert.equal((await server.inject('/metrics')).statusCode, 200)
    await end()
  })
})

test('every request counts as progress of the serving thread', async () => {
  let progress = 0
  const { server, end } = await stage({ progress: () => (progress += 1) })
  for (const url of ['/livez', '/metrics', '/nothing']) await server.inject(url)
  assert.equal(progress, 3)
  await end()
})
