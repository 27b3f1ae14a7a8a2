import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { namesCommandLine, SwapError } from '../../src/engine/errors.js'
import { operations } from '../../src/operations/operations.js'
import { httpProblemOf, problemOf } from '../../src/operations/problem.js'
import { deserializeError, serializeError } from '../../src/service/workers/worker-messages.js'
import { portOf } from '../support/history-answers.js'
import { body, demoMarket, post, type Staged, stage } from './stage.js'

let service: Staged
let saved: Staged
beforeAll(async () => {
  const history = { port: portOf(), indexed: () => 120, figures: () => ({}) as never }
  service = await stage({ history })
  saved = await stage()
})
afterAll(() => Promise.all([service.end(), saved.end()]))

type Answer = {
  readonly code: string
  readonly detail: string
  readonly hint?: string
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[]
}

type ServiceRequest = string | readonly [url: string, payload: unknown]

async function ask(request: ServiceRequest, at: Staged = service): Promise<Answer> {
  const { payload } = await at.server.inject(
    typeof request === 'string' ? { method: 'GET', url: request } : post(request[0], request[1]),
  )
  return JSON.parse(payload) as Answer
}

const swap = body()
const pair = [...demoMarket.books.keys()][0]!
const [halted, unreadable] = demoMarket.excluded.map(({ address }) => address)
const route = (more: object): ServiceRequest => ['/swap/route', { ...swap, ...more }]
const sroute = (more: object): ServiceRequest => ['/swap/sroute', { ...swap, ...more }]
const selling = (denom: string, amount: string) => ({ input: { denom, amount } })

/** Requests that fail, each for a different reason. */
const failing: readonly (readonly [code: string, request: ServiceRequest])[] = [
  ['INVALID_REQUEST', '/history?type=foo'],
  ['INVALID_REQUEST', '/history?period=2d'],
  ['INVALID_REQUEST', '/history?txHash=abc'],
  ['INVALID_REQUEST', '/history?type=swap&period=1d'],
  ['INVALID_REQUEST', '/history?page=1&page=2'],
  ['INVALID_REQUEST', '/history?sender=%'],
  ['INVALID_ADDRESS', '/history?sender=nobody'],
  ['INVALID_REQUEST', '/swap/tokens?x=1'],
  ['INVALID_REQUEST', '/swap/arbs?minPercent=a'],
  ['INVALID_REQUEST', '/swap/arbs?max_hops=9'],
  ['INVALID_REQUEST', '/swap/stream?operation=nosuch'],
  ['INVALID_REQUEST', '/swap/stream?operation=route&foo=1'],
  ['NOT_FOUND', '/nowhere'],
  ['METHOD_NOT_ALLOWED', '/swap/route'],
  ['INVALID_REQUEST', ['/swap/batch', {}]],
  ['INVALID_REQUEST', ['/swap/route', '{']],
  ['INVALID_REQUEST', ['/swap/arbroute', {}]],
  ['INVALID_REQUEST', ['/swap/simulate', {}]],
  ['INVALID_REQUEST', route({ foo: 1 })],
  ['INVALID_REQUEST', route({ input: { denom: 'btc-btc' } })],
  ['INVALID_REQUEST', route({ max_hops: 9 })],
  ['INVALID_REQUEST', route({ verify: true })],
  ['INVALID_REQUEST', route({ path: [pair] })],
  ['INVALID_REQUEST', route({ path: [pair], via: ['rune'] })],
  ['INVALID_AMOUNT', route(selling('btc-btc', '1.5'))],
  ['INVALID_SLIPPAGE', route({ slippage_bps: 10_000 })],
  ['UNKNOWN_TOKEN', route({ output: { denom: 'runr' } })],
  ['UNKNOWN_TOKEN', route({ via: ['nosuch'] })],
  ['SAME_TOKEN', route({ output: { denom: 'btc-btc' } })],
  ['INVALID_AFFILIATE', route({ affiliate: 'nobody' })],
  ['INVALID_ADDRESS', route({ recipient: 'nobody' })],
  ['NOT_FOUND', route({ path: ['nowhere'] })],
  ['MARKET_HALTED', route({ path: [halted] })],
  ['NO_ROUTE', route({ path: [unreadable] })],
  ['NO_ROUTE', route({ exclude: ['rune'] })],
  ['INSUFFICIENT_LIQUIDITY', route(selling('btc-btc', '9'.repeat(20)))],
  ['INSUFFICIENT_LIQUIDITY', route(selling('btc-btc', '150000000000000000'))],
  ['AMOUNT_TOO_SMALL', route({ ...selling('rune', '1'), output: { denom: 'btc-btc' } })],
  ['ASSERTION_FAILED', route({ min_out: '9'.repeat(20) })],
  ['PRICE_IMPACT_TOO_HIGH', route({ max_impact_bps: 1 })],
  [
    'INSUFFICIENT_LIQUIDITY',
    [
      '/swap/route',
      { input: { denom: 'btc-btc' }, output: { denom: 'rune', amount: '9'.repeat(25) } },
    ],
  ],
  ['INVALID_SPLIT_STEP', sroute({ input: { ...swap.input, split_step: 11 } })],
  ['INVALID_REQUEST', sroute({ grid: 'no' })],
  ['INVALID_REQUEST', sroute({ legs: [{ path: [pair], amount: '5' }] })],
  ['INSUFFICIENT_LIQUIDITY', sroute(selling('btc-btc', '9'.repeat(20)))],
  ['ASSERTION_FAILED', sroute({ min_out: '9'.repeat(20) })],
  ['PRICE_IMPACT_TOO_HIGH', sroute({ max_impact_bps: 0 })],
  ['NO_ROUTE', sroute({ exclude: ['rune'] })],
]

describe('an error of the service', () => {
  for (const [code, request] of failing)
    test(`of code ${code} for ${JSON.stringify(request).slice(0, 150)} names no flag and no command`, async () => {
      const { code: found, detail, hint, errors = [] } = await ask(request)
      assert.equal(found, code, detail)
      assert.ok(hint, 'says what to do')
      for (const text of [detail, hint, ...errors.map((each) => each.detail)])
        assert.ok(!namesCommandLine(text), text)
    })

  test('names the way to an index where the service has none', async () => {
    const { code, hint = '' } = await ask('/history', saved)
    assert.deepEqual([code, namesCommandLine(hint)], ['INVALID_REQUEST', false])
  })

  const rows: readonly (readonly [request: ServiceRequest, ...texts: string[]])[] = [
    ['/history?type=foo', '/type must be one of swap, arbitrage', 'GET /history in /docs'],
    ['/history?period=2d', '/period must be one of 1d, 7d, 30d', 'GET /history in /docs'],
    ['/history?txHash=abc', '/txHash must be the hash of a transaction: 64 hexadecimal digits'],
    ['/swap/arbs?limit=0', 'GET /swap/arbs in /docs'],
    [['/swap/sroute', {}], 'POST /swap/sroute in /docs'],
    [['/swap/batch', {}], 'POST /swap/batch in /docs'],
    [
      ['/swap/batch', { requests: [{ nosuch: {} }] }],
      'takes; /requests/0/nosuch is not a member of this request | correct',
    ],
    [
      ['/swap/batch', { requests: [{ route: {}, sroute: {} }] }],
      'takes; /requests/0 must have exactly one member: route or sroute | correct',
    ],
    [
      ['/swap/batch', { requests: [{}] }],
      '/requests/0 must have exactly one member: route or sroute |',
    ],
    [route({ output: { denom: 'runr' } }), 'did you mean rune', 'all: GET /swap/tokens'],
    [route({ exclude: ['rune'] }), '| raise max_hops, or lift exclude'],
    [route({ via: ['ltc-ltc'], exclude: ['rune'], max_hops: 6 }), '| lift via and exclude'],
    [route({ max_impact_bps: 1 }), 'raise max_impact_bps'],
  ]
  for (const [request, ...texts] of rows)
    test(`for ${JSON.stringify(request).slice(0, 120)} has the text: ${texts[0]}`, async () => {
      const { detail, hint } = await ask(request)
      for (const text of texts)
        assert.ok(`${detail} | ${hint}`.includes(text), `${detail} | ${hint}`)
    })

  test('counts the tokens that /swap/tokens lists', async () => {
    const { detail } = await ask(route({ output: { denom: 'nosuch' } }))
    const { tokens } = (await ask('/swap/tokens')) as unknown as { tokens: readonly object[] }
    assert.ok(detail.includes(`${tokens.length} tokens are traded on demo`), detail)
  })
})

describe('an error hint', () => {
  test('that names a flag or a command is not sent over HTTP', () => {
    for (const hint of ['raise --max-hops', 'list them: swap tokens', '-q prints it'])
      assert.equal(httpProblemOf(new SwapError('NO_ROUTE', 'none', { hint })).hint, undefined, hint)
  })
  test('with two texts has the one of its interface, also after passing through a worker', () => {
    const error = new SwapError('NO_ROUTE', 'none', { hint: { cli: 'raise --x', http: 'raise x' } })
    for (const each of [error, deserializeError(serializeError(error))])
      assert.deepEqual([problemOf(each).hint, httpProblemOf(each).hint], ['raise --x', 'raise x'])
  })
  test('in the source of engine, operations and service has a text for HTTP if it names the command line', () => {
    for (const room of ['engine', 'operations', 'service'])
      for (const file of readdirSync(join('src', room), { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.ts')) continue
        const source = readFileSync(join('src', room, file), 'utf8')
        for (const [, hint = ''] of source.matchAll(/\bhint: *(?:\n *)?['"`](.*)['"`]/g))
          assert.ok(!namesCommandLine(hint), `${room}/${file}: ${hint}`)
      }
  })
  test('about a request names an existing endpoint', () => {
    const known = new Set(operations.map(({ method, path }) => `${method} ${path}`))
    for (const { method, path, prepare } of operations) {
      const hint = hintOf(() => prepare({ nosuch: 1 }))
      const [endpoint = ''] = /(GET|POST) \/[\w/]*/.exec(hint) ?? []
      assert.equal(endpoint, `${method} ${path}`)
      assert.ok(known.has(endpoint))
    }
  })
})

function hintOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return httpProblemOf(error).hint ?? ''
  }
  return assert.fail('nothing was refused')
}
