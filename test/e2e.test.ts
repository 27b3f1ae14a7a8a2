import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toBech32 } from '@cosmjs/encoding'
import { beforeAll, describe, test } from 'vitest'
import { runSwap, withoutQuoteId } from './support/cli.js'
import { longTest } from './support/long.js'
import { folder, shell, swap } from './support/program.js'

beforeAll(async () => {
  market = (await runSwap(['snapshot', 'save', '-'])).stdout
})

const ROUTE = ['route', '1.5', 'btc', 'rune']
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

type Saved = { pairs: Record<string, unknown>[] } & Record<string, unknown>
let market = ''
const saved = (): Saved => JSON.parse(market) as Saved

/** A snapshot with the book of rune/btc replaced and its pools taken out. */
function withBook(book: object): string {
  const document = saved()
  const pairs = document.pairs.map((pair) => {
    if (pair['base'] !== 'rune' || pair['quote'] !== 'btc-btc') return pair
    const { pools: _pools, balances: _balances, ...rest } = pair
    return { ...rest, book: { truncated: { base: false, quote: false }, ...book } }
  })
  return JSON.stringify({ ...document, pairs })
}

describe('an error', () => {
  test('is text on stderr or a document on stdout, with the exit status of its code', async () => {
    const human = swap(['route', '1', 'btc', 'runr'])
    assert.deepEqual([human.status, human.stdout], [2, ''])
    assert.match(human.stderr, /code {2}UNKNOWN_TOKEN \(exit 2\)/)
    const json = await runSwap(['route', '1', 'xusk', 'lqdy', '--max-hops', '1', '--json'])
    assert.deepEqual([json.status, JSON.parse(json.stdout).code], [3, 'NO_ROUTE'])
  })
})

describe('snapshots of a market', () => {
  test('give the same quotes as the market that was saved', async () => {
    const path = join(folder, 'market.json')
    assert.equal((await runSwap(['snapshot', 'save', path])).status, 0)
    const direct = (await runSwap([...ROUTE, '--json'])).stdout
    const input = readFileSync(path, 'utf8')
    assert.equal(swap([...ROUTE, '--json', '--snapshot', '-'], { input }).stdout, direct)
    for (const [flags, env] of [
      [['--snapshot', path], {}],
      [[], { SWAP_SNAPSHOT: path }],
    ] as const)
      assert.equal((await runSwap([...ROUTE, '--json', ...flags], { env })).stdout, direct)
  })
  test('are refused with the reason if empty or truncated', async () => {
    const empty = await runSwap([...ROUTE, '--snapshot', file('empty.json', '')])
    assert.match(empty.stderr, /it is empty/)
    const cut = JSON.stringify(saved()).slice(0, 50_000)
    const truncated = await runSwap([...ROUTE, '--snapshot', file('cut.json', cut)])
    assert.match(truncated.stderr, /it is not JSON/)
    assert.deepEqual([empty.status, truncated.status], [2, 2])
  })
  test('with a crossed book are quoted', async () => {
    const crossed = withBook({
      base: [{ price: '0.0000064', total: '100000000000' }],
      quote: [{ price: '0.0000066', total: '1000000' }],
    })
    const { status, stdout } = await runSwap([
      ...ROUTE,
      '--json',
      '--snapshot',
      file('x.json', crossed),
    ])
    assert.equal(status, 0)
    assert.ok(JSON.parse(stdout))
  })
  test('with a negative price leave out its pair, with the place of the price', async () => {
    const path = file('n.json', withBook({ base: [{ price: '-1', total: '5' }], quote: [] }))
    const { status, stdout } = await runSwap(['snapshot', 'show', path, '--json'])
    assert.equal(status, 0)
    assert.match(stdout, /quarantined: \/pairs\/\d+\/book\/base\/0\/price must be a decimal/)
    assert.equal((await runSwap([...ROUTE, '--snapshot', path, '-q'])).status, 0)
  })
  test('with a book of 10,000 levels are quoted', async () => {
    const base = Array.from({ length: 10_000 }, (_, i) => ({
      price: `0.0000${70_000 + i}`,
      total: '100000000',
    }))
    const path = file('deep.json', withBook({ base, quote: [] }))
    const { status, stdout } = await runSwap([
      'route',
      '0.01',
      'btc',
      'rune',
      '--path',
      'btc/rune',
      '-q',
      '--snapshot',
      path,
    ])
    assert.equal(status, 0)
    assert.match(stdout, /^\d+\.\d+\n$/)
  })
})

/** The character that every escape code begins with. */
const ESC = String.fromCharCode(27)

describe('the streams of a command', () => {
  test('have only the answer on stdout', () => {
    const { stdout, stderr } = swap(['route', '1', 'usdc', 'rune', '--json'])
    assert.ok(JSON.parse(stdout))
    assert.match(stderr, /note: usdc = eth-usdc-/)
  })
  test('have no escape code in a pipe, whatever TERM is', async () => {
    for (const args of [
      ROUTE,
      ['tokens'],
      ['snapshot', 'show'],
      ['help', 'route'],
      ['config', 'list'],
    ])
      assert.ok(!(await runSwap(args, { env: { TERM: 'xterm-256color' } })).stdout.includes(ESC))
    assert.ok((await runSwap([...ROUTE, '-o', 'human', '--color', 'always'])).stdout.includes(ESC))
    const plain = await runSwap([...ROUTE, '-o', 'human', '--color', 'never'], {
      env: { FORCE_COLOR: '1' },
    })
    assert.ok(!plain.stdout.includes(ESC))
  })
  test('end with 141 and no message when the reader closes the pipe', () => {
    const { stdout, stderr } = shell(
      'set -o pipefail; swap snapshot save - | head -c 10; echo " $?"',
    )
    assert.equal(stdout, '{"format": 141\n')
    assert.equal(stderr, '')
  })
  test('have a quote and a note without a home folder', () => {
    const { status, stdout, stderr } = shell('unset SWAP_HOME HOME; swap route 1.5 btc rune -q')
    assert.deepEqual([status, stdout], [0, '226879.60256641\n'])
    assert.match(stderr, /not kept/)
  })
  test('have at most forty columns with --width 40', async () => {
    const { stdout } = await runSwap([...ROUTE, '-o', 'human', '--width', '40'])
    for (const line of stdout.split('\n')) assert.ok([...line].length <= 40, line)
  })
  test('have ASCII alone with --ascii', async () => {
    const { stdout } = await runSwap([...ROUTE, '-o', 'human', '--ascii', '--explain'])
    assert.match(stdout, /^[\n\x20-\x7e]*$/)
  })
})

describe('--stdin', () => {
  const body = (amount: string) =>
    JSON.stringify({ input: { denom: 'btc-btc', amount }, output: { denom: 'rune' } })
  test('has one answer a line that is not empty, in order, and the largest exit status of any line', async () => {
    const lines = [body('150000000'), 'nonsense', body('0'), '', body('1000000')]
    const { status, stdout } = await runSwap(['route', '--stdin'], {
      input: `${lines.join('\n')}\n`,
    })
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.deepEqual(
      answers.map((answer) => answer['code'] ?? 'answer'),
      ['answer', 'INVALID_REQUEST', 'INVALID_AMOUNT', 'answer'],
    )
    assert.equal(status, 2)
  })
  longTest('answers many lines in a small heap', () => {
    const count = process.env['SWAP_LONG'] ? 10_000 : 200
    const input = Array.from({ length: count }, (_, i) => `${body(`${150_000 + i * 1000}`)}\n`)
    const env = { NODE_OPTIONS: '--max-old-space-size=64' }
    const { status, stdout } = swap(['route', '--stdin'], { input: input.join(''), env })
    assert.equal(status, 0)
    assert.equal(stdout.trimEnd().split('\n').length, count)
  })
  test('answers a line with the bytes of a call with the same request', async () => {
    const call = (await runSwap([...ROUTE, '--json'])).stdout
    const line = (await runSwap(['route', '--stdin'], { input: body('150000000') })).stdout
    assert.equal(line, withoutQuoteId(call))
  })
})

test('the message of a quote has the recipient and the affiliate, and its fees the affiliate', async () => {
  const recipient = toBech32('demo', new Uint8Array(20).fill(7))
  const flags = ['--to', recipient, '--affiliate', 'acme', '--json']
  const answer = JSON.parse((await runSwap([...ROUTE, ...flags])).stdout) as {
    routes: { tx: { swap: Record<string, unknown> }; fees: { affiliate: { amount: string } } }[]
  }
  const { tx, fees } = answer.routes[0]!
  assert.equal(tx.swap['recipient'], recipient)
  assert.equal(tx.swap['affiliate_code'], 'acme')
  assert.ok(BigInt(fees.affiliate.amount) > 0n)
})

test('a quote is stored under the hash of its document', async () => {
  const { stderr, stdout } = await runSwap([...ROUTE, '--json'])
  const id = /quote (q_[0-9a-f]{8})/.exec(stderr)?.[1]
  assert.ok(id)
  assert.equal(
    readFileSync(join(folder, 'state', 'quotes', `${id}.json`), 'utf8'),
    stdout.trimEnd(),
  )
})
