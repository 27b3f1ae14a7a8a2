import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { demo } from '../../src/chain/networks/demo.js'
import { contractClient } from '../../src/compose/chain-port.js'
import { fixedFeed } from '../../src/service/feed/market-feed.js'
import { stage as stageChain } from '../operations/chain/stage.js'
import { runSwap, withoutQuoteId } from '../support/cli.js'
import { folder } from '../support/program.js'
import { body, demoDocument, post, type Staged, stage } from './stage.js'

let service: Staged
const file = join(folder, 'market.json')

beforeAll(async () => {
  writeFileSync(file, JSON.stringify(demoDocument))
  service = await stage()
})

/** The output of the command line. */
const program = async (
  args: readonly string[],
  input = '',
  from: readonly string[] = ['--snapshot', file],
): Promise<string> =>
  withoutQuoteId((await runSwap([...args, '--json', ...from], { input })).stdout.trimEnd())

const USDC = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

describe('HTTP and the command line answer byte for byte the same', () => {
  test(': tokens', async () => {
    const { payload } = await service.server.inject('/swap/tokens')
    assert.equal(payload, await program(['tokens']))
  })

  const terms = { slippage_bps: 50, max_hops: 4, limit: 5 }
  const rows: readonly (readonly [readonly string[], object])[] = [
    [['1.5', 'btc', 'rune'], { ...body(), ...terms }],
    [['1.5', 'btc', 'rune', '--explain'], { ...body(), ...terms, explain: true }],
    [
      ['usdc', '40000', 'rune'],
      { input: { denom: USDC }, output: { denom: 'rune', amount: '4000000000000' }, ...terms },
    ],
    [['1.5', 'btc', 'rune', '--max-hops', '6'], { ...body(), ...terms, max_hops: 6 }],
    [
      ['1', 'btc', 'rune', '--exclude', 'usdc'],
      { ...body('100000000'), ...terms, exclude: [USDC] },
    ],
    [
      ['0.5', 'btc', 'rune', '--affiliate', 'acme'],
      { ...body('50000000'), ...terms, affiliate: 'acme' },
    ],
  ]
  for (const [args, request] of rows)
    test(`: route ${args.join(' ')}`, async () => {
      const { payload, statusCode } = await service.server.inject(post('/swap/route', request))
      assert.equal(statusCode, 200)
      assert.equal(payload, await program(['route', ...args]))
    })

  const others: readonly (readonly [readonly string[], string, object])[] = [
    [['sroute', '1.5', 'btc', 'rune'], 'sroute', { ...body(), grid: false }],
    [
      ['sroute', '1.5', 'btc', 'rune', '--split-step', '5'],
      'sroute',
      { ...body(), input: { ...body().input, split_step: 5 } },
    ],
    [
      ['sroute', '1.5', 'btc', 'rune', '--split-step', '1', '--max-legs', '2'],
      'sroute',
      { ...body(), input: { ...body().input, split_step: 1 }, max_legs: 2 },
    ],
    [
      ['sroute', '1.5', 'btc', 'rune', '--explain'],
      'sroute',
      { ...body(), grid: false, frontier: true, explain: true },
    ],
    [['arbroute', '1', 'btc'], 'arbroute', { input: { denom: 'btc-btc', amount: '100000000' } }],
  ]
  for (const [args, name, request] of others)
    test(`: ${args.join(' ')}`, async () => {
      const { payload } = await service.server.inject(post(`/swap/${name}`, request))
      assert.equal(payload, await program(args))
    })
  test(': arbs', async () => {
    const { payload } = await service.server.inject('/swap/arbs?minPercent=0.1')
    assert.equal(payload, await program(['arbs', '--min-percent', '0.1']))
  })
  test(': arbs with the largest number that its schema allows', async () => {
    const { statusCode } = await service.server.inject(`/swap/arbs?min_profit_usd=${1e15}`)
    assert.equal(statusCode, 200)
  })

  const refused: readonly (readonly [string, object])[] = [
    ['no amount', { input: { denom: 'btc-btc' }, output: { denom: 'rune' } }],
    ['an unknown member', { ...body(), slipage: 1 }],
    ['an unknown token', { ...body(), output: { denom: 'runr' } }],
    ['the same token', { ...body(), output: { denom: 'btc-btc' } }],
    ['an amount of zero', body('0')],
    ['an amount with a sign', body('+5')],
    ['an amount beyond 128 bits', body('340282366920938463463374607431768211456')],
    ['a slippage out of range', { ...body(), slippage_bps: 10_000 }],
    ['a malformed address', { ...body(), recipient: 'demo1xyz' }],
    ['an unregistered affiliate', { ...body(), affiliate: 'unregistered' }],
    ['an amount above the market', body('99999999999999999999')],
    [
      'an amount that is too small',
      { input: { denom: 'rune', amount: '1' }, output: { denom: 'btc-btc' } },
    ],
    ['an unmet min_out', { ...body(), min_out: '99999999999999999' }],
    ['an impact above its limit', { ...body(), max_impact_bps: 1 }],
    ['a path with an unknown pair', { ...body(), path: ['demo1unknown'] }],
  ]
  for (const [what, request] of refused)
    test(`: error for ${what}, except for the hint`, async () => {
      const line = await program(['route', '--stdin'], `${JSON.stringify(request)}\n`)
      const { payload, statusCode, headers } = await service.server.inject(
        post('/swap/route', request),
      )
      const { instance, ...problem } = JSON.parse(payload) as Record<string, unknown>
      const { hint, ...expected } = JSON.parse(line) as Record<string, unknown>
      // The hint names the caller's means: flags and commands, or members and endpoints.
      assert.equal(typeof problem['hint'], typeof hint)
      assert.deepEqual({ ...problem, hint: '' }, { ...expected, hint: '' })
      assert.equal(statusCode, problem['status'])
      assert.match(String(headers['content-type']), /^application\/problem\+json/)
      assert.equal(instance, headers['x-request-id'])
    })

  test(': error for a number that JSON readers round', async () => {
    for (const amount of ['1e3', '1.0', '9007199254740993']) {
      const text = JSON.stringify(body()).replace('"150000000"', amount)
      const { payload } = await service.server.inject(post('/swap/route', text))
      const { instance: _, ...problem } = JSON.parse(payload) as Record<string, unknown>
      assert.deepEqual(problem, JSON.parse(await program(['route', '--stdin'], `${text}\n`)))
    }
  })

  test(': a misspelled amount in a batch, which refuses only its own request', async () => {
    const texts = ['"150000000"', '1e18', '1.0', '9007199254740993', '1000000'].map((amount) =>
      JSON.stringify(body()).replace('"150000000"', amount),
    )
    const lines = await program(['route', '--stdin'], texts.map((text) => `${text}\n`).join(''))
    const batch = `{"requests":[${texts.map((text) => `{"route":${text}}`).join(',')}]}`
    const { payload, statusCode } = await service.server.inject(post('/swap/batch', batch))
    assert.equal(statusCode, 200)
    assert.equal(payload, `{"height":120,"results":[${lines.split('\n').join(',')}]}`)
    const { results } = JSON.parse(payload) as { results: { code?: string }[] }
    assert.deepEqual(
      results.map(({ code }) => code),
      [undefined, 'INVALID_AMOUNT', 'INVALID_AMOUNT', 'INVALID_AMOUNT', undefined],
    )
  })

  test(': a batch and the lines of --stdin', async () => {
    const requests = [
      body('1000000'),
      body('0'),
      { ...body('7000000'), explain: true },
      body('1000000'),
    ]
    const lines = await program(
      ['route', '--stdin'],
      requests.map((each) => `${JSON.stringify(each)}\n`).join(''),
    )
    const batch = { requests: requests.map((route) => ({ route })) }
    const { payload } = await service.server.inject(post('/swap/batch', batch))
    assert.equal(payload, `{"height":120,"results":[${lines.split('\n').join(',')}]}`)
  })
})

describe('HTTP and the command line query the same chain and answer byte for byte the same', () => {
  test(': verify, simulate and lines with verify', async () => {
    const place = await stageChain({ life: false })
    const { rpc, rest } = place.node
    const network = { ...demo, rpc: [rpc], rest: [rest] }
    const contracts = contractClient({ network }, 20_000)
    const asking = await stage({ feed: fixedFeed(await place.app().openMarket()), contracts })
    const ask = async (path: string, request: object) =>
      (await asking.server.inject(post(path, request))).payload
    const at = ['--rpc', rpc, '--rest', rest]
    const verified = { ...body('10000000'), slippage_bps: 50, max_hops: 4, limit: 5, verify: true }
    const route = await ask('/swap/route', verified)
    assert.equal(JSON.parse(route).verify.agrees, true)
    assert.equal(route, await program(['route', '0.1', 'btc', 'rune', '--verify'], '', at))
    const free = { ...verified, grid: false }
    const sroute = await ask('/swap/sroute', free)
    assert.equal(JSON.parse(sroute).verify.agrees, true)
    assert.equal(sroute, await program(['sroute', '0.1', 'btc', 'rune', '--verify'], '', at))
    const lines = `${JSON.stringify(free)}\n${JSON.stringify({ ...free, limit: 0 })}\n`
    const [line, problem] = (await program(['sroute', '--stdin'], lines, at)).split('\n')
    assert.equal(line, sroute)
    assert.equal(JSON.parse(problem!).code, 'INVALID_REQUEST')
    const { legs } = JSON.parse(sroute).routes[0]
    const messages = legs.map(
      ({ funds, tx }: { funds: object; tx: { swap: { stages: object } } }) => ({
        coin: funds,
        stages: tx.swap.stages,
      }),
    )
    const simulated = await ask('/swap/simulate', { legs: messages })
    assert.equal(JSON.parse(simulated).within, true)
    assert.equal(simulated, await program(['simulate', '-'], sroute, at))
    const quote = join(folder, 'quote.json')
    writeFileSync(quote, sroute)
    assert.equal(simulated, await program(['simulate', quote], '', at))
    await asking.end()
    contracts.close()
  })
})
