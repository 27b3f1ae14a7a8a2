import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { DEMO, network, problem } from './stage.js'

const net = await network()

const swap = ['execute', '1', 'rune', 'usdc', '--from', 'demo'] as const

describe('a call that lacks something', () => {
  test('has the call of execute', async () => {
    for (const args of [[], ['1', 'rune']]) {
      const { status, stdout } = await net.run('execute', ...args, '--from', 'demo', '--json')
      assert.equal(status, 2)
      assert.match(stdout, /is missing/)
      assert.match(stdout, /swap execute </)
    }
  })

  test('a problem in a pipe goes before a key that is not there', async () => {
    const path = net.file('problem.json', { code: 'NO_ROUTE', status: 422, detail: 'none' })
    const { status } = await net.run('execute', path, '--from', 'nobody', '--json')
    assert.equal(status, 3)
  })

  test('an address without a key is refused before any query', async () => {
    const stranger = 'demo1ss6pwd0x4yfhzrmllq9qv96s547jcydnnuh88m'
    const thor = 'thor1gys8lu7cdxlpcmqu3wx5pppqcdmpwulwkwwajp'
    for (const [from, code] of [
      [stranger, 'KEYFILE_NOT_FOUND'],
      [thor, 'INVALID_ADDRESS'],
    ] as const) {
      const ended = await net.run('execute', '1', 'rune', 'usdc', '--from', from, '--json')
      assert.equal(problem(ended).code, code)
    }
  })

  test('an address whose key is here signs', async () => {
    const call = ['execute', '1', 'rune', 'usdc', '--from', DEMO, '--confirm', 'usdc', '--json']
    const { status, stdout } = await net.run(...call, '--slippage', '1%')
    assert.equal(status, 0, stdout)
    assert.equal(JSON.parse(stdout).key, 'demo')
  })

  test('orders are not continued as a swap', async () => {
    const words = ['order', 'sell', '1', 'rune', 'usdc', '--price', '5', '--from', 'demo', '--yes']
    const { id } = JSON.parse((await net.run(...words, '--json')).stdout)
    const ended = await net.run('execute', '--resume', id, '--yes', '--slippage', '1%', '--json')
    assert.deepEqual([ended.status, problem(ended).code], [2, 'INVALID_REQUEST'])
    assert.match(String(problem(ended)['hint']), new RegExp(`swap tx resume ${id}`))
  })

  test('two alternatives to signing are refused', async () => {
    const ended = await net.run(...swap, '--sign-only', '--generate-only')
    assert.equal(ended.status, 2)
    assert.match(ended.stderr, /--generate-only does not go with --sign-only/)
  })

  test('an idempotency key is refused where nothing is signed that it could be recorded with', async () => {
    const ended = await net.run(...swap, '--generate-only', '--once', 'order-1')
    assert.equal(ended.status, 2)
    assert.match(ended.stderr, /--generate-only does not go with --once/)
  })

  test('a dry run has the expected output in one value', async () => {
    for (const form of ['--json', '--ndjson']) {
      const { stdout } = await net.run(...swap, '--dry-run', '-q', form)
      assert.match(stdout, /^0\.\d+\n$/)
    }
    const ended = await net.run(...swap, '--dry-run', '--json', '--limits-per-day-usd', '500')
    const { limits, worth_usd, price_impact_bps, tx } = JSON.parse(ended.stdout)
    assert.deepEqual(Object.keys(limits), ['per_tx_usd', 'per_day_usd', 'left_today_usd'])
    assert.equal(limits.per_day_usd, '500')
    assert.ok(Number(limits.left_today_usd) <= 500 && Number(worth_usd) > 0.1)
    assert.ok(typeof price_impact_bps === 'number' && tx.timeout_height > net.real.height)
  })

  test('a dry run is refused beside an open entry of the journal that cannot be read, as a signature is', async () => {
    const folder = join(net.home, 'state', 'journal')
    const file = join(folder, '20260101T000000000.x_00000000.0000000000000000.open.json')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, '{', { mode: 0o600 })
    const ended = await net.run(...swap, '--dry-run', '--json')
    rmSync(file)
    assert.deepEqual([ended.status, problem(ended).code], [9, 'OUTCOME_UNKNOWN'])
  })

  test('a dry run is keys and values in a pipe, rows as CSV, one line with --ndjson', async () => {
    const { stdout } = await net.run(...swap, '--dry-run')
    const fields = new Map(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t') as [string, string]),
    )
    assert.equal(fields.get('status'), 'dry_run')
    for (const key of [
      'expected.amount',
      'worth_usd',
      'price_impact_bps',
      'tx.gas_limit',
      'tx.fee',
    ])
      assert.match(fields.get(key) ?? '', /^\d/, key)
    assert.ok(
      [...fields].every(([key, value]) => /^[\w.]+$/.test(key) && value !== undefined),
      stdout,
    )
    const rows = (await net.run(...swap, '--dry-run', '--csv')).stdout.trimEnd().split('\r\n')
    assert.deepEqual([rows.length, rows[0]?.split(',')[0]], [2, 'tx_hash'])
    const events = (await net.run(...swap, '--dry-run', '--ndjson')).stdout.trimEnd().split('\n')
    const { type, status } = JSON.parse(events.at(-1) ?? '')
    assert.deepEqual([type, status], ['end', 'dry_run'])
    const screen = await net.run(...swap, '--dry-run', '-o', 'human')
    assert.match(screen.stdout, /^You are about to sign[\s\S]*A dry run: nothing was signed\.\n$/)
  })
})

describe('a transaction that comes in a file', () => {
  const sign = (content: string, ...flags: readonly string[]) =>
    net.run(
      'tx',
      'sign',
      net.file('given.json', content),
      '--from',
      'demo',
      '--json',
      '--slippage',
      '5%',
      ...flags,
    )
  let made = ''
  beforeAll(async () => {
    made = (await net.run(...swap, '--generate-only', '--deadline', '200')).stdout
  })

  const others: readonly (readonly [string, (text: string) => string, string])[] = [
    ['no swap', (text) => text.replace('"swap":{', '"migrate":{'), 'INVALID_REQUEST'],
    [
      'a swap of nothing',
      (text) => text.replace(/"funds":\[[^\]]*\]/, '"funds":[]'),
      'INVALID_REQUEST',
    ],
    ['no minimum', (text) => text.replace('"min_return"', '"least"'), 'INVALID_REQUEST'],
    [
      'another contract',
      (text) => text.replace(/"contract":"[^"]*"/, `"contract":"${DEMO}"`),
      'QUOTE_MISMATCH',
    ],
  ]
  for (const [what, change, code] of others)
    test(`with ${what} is not signed`, async () => {
      const ended = await sign(change(made), '--yes')
      assert.equal(problem(ended).code, code, ended.stdout)
    })

  test('is signed for the symbol that is received, and for no other', async () => {
    assert.equal(problem(await sign(made, '--confirm', 'RUNE')).code, 'DECLINED')
    for (const symbol of ['usdc', 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'])
      assert.equal((await sign(made, '--confirm', symbol)).status, 0)
  })
})
