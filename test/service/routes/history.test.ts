import assert from 'node:assert/strict'
import { Value } from 'typebox/value'
import { beforeAll, describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { history } from '../../../src/operations/history/history.js'
import { HistoryAnswer, historyExample } from '../../../src/operations/history/history-documents.js'
import {
  OrderHistoryAnswer,
  orderHistory,
  orderHistoryExample,
} from '../../../src/operations/history/order-history.js'
import { legs, portOf, wallet } from '../../support/history-answers.js'
import { post, type Staged, stage } from '../stage.js'

const port = portOf()
const served = (over = port) => ({
  port: over,
  indexed: () => 120,
  figures: () => ({
    head: 123,
    missing: 7,
    leads: true,
    epoch: 4,
    legs: 3,
    quarantined: 2,
    forgotten: 0,
    stopped: false,
    published: { height: 122, heights: 8 },
  }),
})

let service: Staged
beforeAll(async () => {
  service = await stage({ history: served(), fleetRole: () => 'follows' })
})

const get = (query: string, headers = {}) =>
  service.server.inject({ method: 'GET', url: `/history${query}`, headers })

const requests: readonly (readonly [query: string, request: object])[] = [
  ['', {}],
  ['?page=2&limit=1', { page: 2, limit: 1 }],
  ['?type=arbitrage', { type: 'arbitrage' }],
  [`?sender=${wallet}&limit=100`, { sender: wallet, limit: 100 }],
  [`?txHash=${legs[0]?.txHash}`, { txHash: legs[0]?.txHash }],
  ['?affiliate=acme', { affiliate: 'acme' }],
  ['?period=30d&limit=2', { period: '30d', limit: 2 }],
]

describe('GET /history', () => {
  for (const [query, request] of requests)
    test(`with ${query || 'no parameters'} answers byte for byte as the operation`, async () => {
      const { statusCode, payload, headers } = await get(query)
      assert.equal(statusCode, 200)
      assert.equal(payload, JSON.stringify(await history(port, request)))
      assert.deepEqual(Value.Errors(HistoryAnswer, JSON.parse(payload)), [])
      assert.match(String(headers['content-type']), /^application\/json/)
    })

  test('lists changes of orders at /history/orders as the operation does', async () => {
    for (const [query, request] of [
      ['', {}],
      [`?owner=${wallet}&limit=1&page=2`, { owner: wallet, limit: 1, page: 2 }],
      [`?txHash=${legs[2]?.txHash}`, { txHash: legs[2]?.txHash }],
    ] as const) {
      const { statusCode, payload } = await get(`/orders${query}`)
      assert.equal(statusCode, 200)
      assert.equal(payload, JSON.stringify(await orderHistory(port, request)))
      assert.deepEqual(Value.Errors(OrderHistoryAnswer, JSON.parse(payload)), [])
    }
    assert.deepEqual(Value.Errors(OrderHistoryAnswer, orderHistoryExample), [])
    const both = await get(`/orders?owner=${wallet}&txHash=${legs[2]?.txHash}`)
    assert.deepEqual([both.statusCode, JSON.parse(both.payload).code], [400, 'INVALID_REQUEST'])
    const bad = await get('/orders?pair=x')
    assert.deepEqual([bad.statusCode, JSON.parse(bad.payload).code], [400, 'INVALID_ADDRESS'])
  })

  test('answers 304 to the current ETag, and sends another ETag with another answer', async () => {
    const [one, other] = [await get(''), await get('?limit=1')]
    const tag = String(one.headers['etag'])
    assert.match(tag, /^W\/"[\w-]{22}"$/)
    assert.notEqual(tag, other.headers['etag'])
    const again = await get('', { 'if-none-match': tag })
    assert.deepEqual([again.statusCode, again.payload], [304, ''])
  })

  const refused: readonly (readonly [query: string, code: string])[] = [
    ['?page=0', 'INVALID_REQUEST'],
    ['?page=-1', 'INVALID_REQUEST'],
    ['?limit=1e2', 'INVALID_REQUEST'],
    ['?limit=101', 'INVALID_REQUEST'],
    ['?limit=1%20OR%201=1', 'INVALID_REQUEST'],
    ['?page=1&page=2', 'INVALID_REQUEST'],
    ['?order=desc', 'INVALID_REQUEST'],
    ['?affiliate=%00', 'INVALID_REQUEST'],
    ['?sender=demo%7f', 'INVALID_REQUEST'],
    ['?__proto__=1', 'INVALID_REQUEST'],
    [`?sender=${wallet}&period=1d`, 'INVALID_REQUEST'],
    ["?sender=x'%20OR%20'1'='1", 'INVALID_ADDRESS'],
  ]
  for (const [query, code] of refused)
    test(`refuses ${query}`, async () => {
      const { statusCode, payload } = await get(query)
      const problem = JSON.parse(payload)
      assert.deepEqual([statusCode, problem.code, problem.status], [400, code, 400])
    })

  test('reports its index in readiness and in the metrics', async () => {
    const { heights } = JSON.parse((await service.server.inject('/readyz')).payload)
    assert.equal(heights.indexed, 120)
    const { payload } = await service.server.inject('/metrics')
    for (const line of [
      'swap_history_height 120',
      'swap_history_head 123',
      'swap_history_lag_blocks 3',
      'swap_history_missing 7',
      'swap_history_legs 3',
      'swap_history_quarantined 2',
      'swap_history_leader 1',
      'swap_history_epoch 4',
      'swap_history_stopped 0',
      'swap_fleet_height_published 122',
      'swap_fleet_heights_published 8',
      'swap_fleet_role{role="leads"} 0',
      'swap_fleet_role{role="follows"} 1',
      'swap_fleet_role{role="alone"} 0',
    ])
      assert.ok(payload.includes(`\n${line}\n`), line)
  })

  test('has an example that conforms to its schema', () => {
    assert.deepEqual(Value.Errors(HistoryAnswer, historyExample), [])
  })

  test('answers that a saved market has no index, and that the database is unavailable', async () => {
    const saved = await stage()
    const away = await stage({
      history: served({
        ...port,
        page: () => Promise.reject(new SwapError('NOT_READY', 'the history cannot be read now')),
      }),
    })
    for (const [each, status, code] of [
      [saved, 400, 'INVALID_REQUEST'],
      [away, 503, 'NOT_READY'],
    ] as const) {
      const { statusCode, payload } = await each.server.inject('/history')
      assert.deepEqual([statusCode, JSON.parse(payload).code], [status, code])
      await each.end()
    }
  })

  test('says the same of a saved market as the tool for agents', async () => {
    const { server, end } = await stage()
    const params = { name: 'swap_history', arguments: {} }
    const called = await server.inject(
      post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    )
    const { instance: _, ...problem } = (await server.inject('/history')).json()
    assert.deepEqual(JSON.parse(called.json().result.content[0].text), problem)
    await end()
  })
})
