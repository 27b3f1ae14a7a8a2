import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { commands } from '../../src/cli/commands/index.js'
import { payFromFaucet } from '../../src/demo-chain/process/faucet.js'
import { runIn, runSwap } from '../support/cli.js'
import { temporaryFolder } from '../support/folder.js'
import { firstRows, longTest } from '../support/long.js'
import { folder, shell } from '../support/program.js'
import { deriveCheaply } from '../support/remembered-scrypt.js'
import { type Network, network } from './commands/execute/stage.js'

/** Frequent complaints about other programs of this kind, as far as no other test covers them. */

const home = temporaryFolder('complaints')
const run = (...args: readonly string[]) => runSwap(args, { env: { SWAP_HOME: home, HOME: home } })
afterAll(() => run('demo', 'stop'))

/** Every member of a document, at whatever depth. */
function* membersOf(value: unknown, name = ''): Iterable<readonly [name: string, value: unknown]> {
  yield [name, value]
  if (Array.isArray(value)) for (const each of value) yield* membersOf(each, name)
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) yield* membersOf(each, key)
}

describe('standard output', () => {
  test('is not written with console', () => {
    for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts'))
        assert.doesNotMatch(readFileSync(join('src', file), 'utf8'), /\bconsole\.[a-z]+\(/, file)
  })
  test('has the answer while standard error is closed', () => {
    const { stdout } = shell('swap route 0.1 btc rune --json 2>&-')
    assert.equal((JSON.parse(stdout) as { network: string }).network, 'demo')
  })
})

test('keeps the listeners of a module that Node loads before the program', () => {
  const listener = "process.on('beforeExit',()=>process.stderr.write('traced'))"
  const { stderr } = shell(
    `NODE_OPTIONS="--import data:text/javascript,${listener}" swap schema -q`,
  )
  assert.equal(stderr, 'traced')
})

describe('every command', () => {
  test('has quiet forms, --json and its exit statuses in its help', async () => {
    for (const { name, exit = '' } of commands) {
      const { stdout } = await run('help', name, '--help-all')
      assert.match(stdout, /--json/, name)
      assert.match(stdout, /-q, --quiet/, name)
      assert.match(stdout, /EXIT/, name)
      assert.match(exit, /^0 /, name)
    }
  })
  for (const args of [
    ['route', '0.1', 'btc', 'rune'],
    ['sroute', '0.1', 'btc', 'rune'],
    ['arbs'],
    ['arbroute', '5000', 'usdc'],
    ['tokens', 'tcy'],
    ['max', 'btc', 'rune', '--max-impact', '1%'],
    ['config', 'get', 'slippage'],
    ['demo', 'status'],
    ['version'],
  ])
    test(`swap ${args.join(' ')} -q prints one value, and nothing with -qq`, async () => {
      const quiet = await run(...args, '-q')
      assert.equal(quiet.status, 0, quiet.stderr)
      assert.match(quiet.stdout, /^\S+\n$/)
      assert.equal((await run(...args, '-qq')).stdout, '')
    })
})

describe('numbers', () => {
  test('of amounts are strings of digits without an exponent', async () => {
    for (const args of [
      ['route', '--atomic', '15000000000000000', 'rune', 'usdc'],
      ['route', '0.00001', 'btc', 'rune'],
      ['tokens'],
      ['arbs'],
      ['book', 'btc/usdc'],
    ]) {
      const { stdout } = await run(...args, '--json')
      assert.doesNotMatch(stdout, /[":,[]-?\d+(\.\d+)?[eE][+-]?\d/)
      for (const [name, value] of membersOf(JSON.parse(stdout)))
        if (/amount|output|min_return|total|depth/.test(name) && typeof value === 'number')
          assert.ok(/percent|bps/.test(name), `${args.join(' ')}: ${name} is a number`)
    }
  })
})

describe('no route', () => {
  const why = async (...args: readonly string[]) => {
    const { status, stdout } = await run(...args, '--json')
    return { ...(JSON.parse(stdout) as { code: string }), status }
  }
  test('has the reason: too large an amount with the largest possible one, or an exclusion', async () => {
    const much = await why('route', '100000', 'btc', 'rune', '--max-hops', '1')
    assert.equal(much.status, 3)
    assert.equal(much.code, 'INSUFFICIENT_LIQUIDITY')
    assert.match(JSON.stringify(much), /max_input/)
    const excluded = await why(...'route 1 btc rune --exclude rune/btc --max-hops 1'.split(' '))
    assert.deepEqual([excluded.status, excluded.code], [3, 'NO_ROUTE'])
  })
  test('lists every refused path with its reason, without --explain', async () => {
    const problem = await why('route', '100000', 'btc', 'rune', '--max-hops', '1')
    const { rejected } = problem as unknown as {
      rejected: { path: string[]; reason: string; detail: string }[]
    }
    assert.equal(rejected.length, 1)
    for (const { path, reason, detail } of rejected) {
      assert.equal(path.length, 1)
      assert.equal(reason, 'beyond_depth')
      assert.match(detail, /takes less than \d+$/)
    }
  })
})

describe('a quote with --explain', () => {
  test('lists every other route with its gap, and every refused path with its reason', async () => {
    const quote = ['route', '1.5', 'btc', 'rune', '--explain']
    const { explain } = JSON.parse((await run(...quote, '--json')).stdout)
    assert.ok(explain.lost.length > 0 && explain.rejected.length > 0)
    for (const { gap_bps } of explain.lost) assert.ok(gap_bps > 0)
    for (const { path, reason, detail } of explain.rejected)
      assert.ok(path.length > 0 && reason !== '' && detail !== '')
    const { stdout } = await run(...quote, '-o', 'human', '--width', '100')
    const [, lost = ''] = /WHY OTHERS LOST.*\n([\s\S]*?)\n\n/.exec(stdout) ?? []
    const gaps = lost.split('\n').map((row) => /-(\d+\.\d\d) %/.exec(row)?.[1])
    assert.deepEqual(
      gaps,
      explain.lost.map(({ gap_bps }: { gap_bps: number }) => (gap_bps / 100).toFixed(2)),
    )
    assert.match(lost, /BTC → ETH → USDC → RUNE/)
    assert.match(stdout, new RegExp(`Refused, ${explain.rejected.length} times: beyond_depth`))
  })
})

describe('a key with a password', () => {
  let password: string
  let net: Network
  beforeAll(async () => {
    deriveCheaply()
    net = await network()
    password = join(home, 'pw')
    writeFileSync(password, 'a password of some length', { mode: 0o600 })
    const words = ['--mnemonic-file', join(home, 'words')]
    const { status, stderr } = await run(
      'keys',
      'new',
      'main',
      '--password-file',
      password,
      ...words,
    )
    assert.equal(status, 0, stderr)
  })
  // Without a terminal every question is an error.
  test('is listed and shown without it', async () => {
    for (const args of [['list'], ['show', 'main']]) {
      const { status, stderr } = await run('keys', ...args)
      assert.equal(status, 0, stderr)
    }
  })
  test('is simulated with --dry-run by its name or its address, without it', async () => {
    const address = (await run('keys', 'show', 'main', '-q')).stdout.trim()
    assert.match(address, /^demo1/)
    payFromFaucet(net.real, address, [{ denom: 'btc-btc', amount: 500_000_000n }])
    net.real.makeBlock()
    const { SWAP_RPC = '', SWAP_REST = '' } = net.env
    for (const from of ['main', address]) {
      const args = ['execute', '0.01', 'btc', 'rune', '--from', from, '--dry-run', '--json']
      const { status, stdout, stderr } = await runIn({ home, env: { SWAP_RPC, SWAP_REST } }, args)
      assert.equal(status, 0, stderr + stdout)
    }
  })
  test('is refused with a hint when the password variable has the name of a file', async () => {
    const env = { SWAP_HOME: home, HOME: home, SWAP_PASSWORD: password }
    const { stderr } = await runSwap(['keys', 'check', 'main'], { env })
    assert.match(stderr, /goes into SWAP_PASSWORD_FILE/)
    assert.ok(!stderr.includes(password))
  })
})

describe('a quote', () => {
  test('does not fail if it cannot be stored', async () => {
    const blocked = temporaryFolder('blocked')
    mkdirSync(join(blocked, 'state'))
    writeFileSync(join(blocked, 'state', 'quotes'), 'a file where a folder should be')
    const { status, stdout, stderr } = await runSwap(['route', '0.1', 'btc', 'rune', '--json'], {
      env: { SWAP_HOME: blocked, HOME: blocked },
    })
    rmSync(blocked, { recursive: true, force: true })
    assert.equal(status, 0, stderr)
    assert.equal((JSON.parse(stdout) as { network: string }).network, 'demo')
    assert.match(stderr, /note: this quote is not kept/)
  })
})

describe('titles', () => {
  const calls = [
    ['tokens'],
    ['route', '0.1', 'btc', 'rune'],
    ['sroute', '0.1', 'btc', 'rune'],
    ['arbs'],
    ['arbroute', '5000', 'usdc'],
    ['book', 'btc/usdc'],
    ['simulate', '0.1', 'btc', 'rune'],
    ['curve', 'btc', 'rune', '--points', '3'],
    ['max', 'btc', 'rune', '--max-impact', '1%'],
    ['balances', 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'],
    ['snapshot', 'show'],
  ]
  for (const args of firstRows(calls, 6))
    test(`of swap ${args.join(' ')} name the network`, async () => {
      const { stdout, status, stderr } = await run(...args, '-o', 'human')
      assert.equal(status, 0, stderr)
      assert.match(stdout.split('\n')[0]!, /\bdemo\b/)
    })
})

describe('megabytes through a pipe', () => {
  const LINES = 400
  const requests = join(folder, 'requests.ndjson')
  beforeAll(() => {
    const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
    const line = (i: number) =>
      JSON.stringify({
        input: { denom: 'btc-btc', amount: `${100_000 + i}` },
        output: { denom: i % 2 === 0 ? 'rune' : usdc },
      })
    writeFileSync(requests, `${Array.from({ length: LINES }, (_, i) => line(i)).join('\n')}\n`)
  })
  test('reach a slow reader completely, with exit 0', async () => {
    const child = spawn(process.execPath, [resolve('bin/swap.js'), 'route', '--stdin', '--json'], {
      env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', SWAP_HOME: home, HOME: home },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin!.end(readFileSync(requests))
    let bytes = 0
    let lines = 0
    // Every piece is waited with, so that the pipe is full most of the time.
    for await (const piece of child.stdout!) {
      bytes += (piece as Buffer).length
      lines += (piece as Buffer).toString('latin1').split('\n').length - 1
      await new Promise((done) => setImmediate(done))
    }
    const status = await new Promise((done) => child.once('close', done))
    assert.deepEqual([status, lines], [0, LINES])
    assert.ok(bytes > 1_000_000, `${bytes}`)
  })
  test('end with 141 and no message when the reader closes the pipe', () => {
    const line = `set -o pipefail; swap route --stdin --json <${requests} 2>err2.txt | head -1 | wc -l; echo "$?"; cat err2.txt >&2`
    const { stdout, stderr } = shell(line)
    assert.deepEqual([stdout, stderr], ['1\n141\n', ''])
  })
  longTest('are the same in a file as in a pipe', () => {
    const { stdout } = shell(
      `swap route --stdin --json <${requests} >whole.txt; swap route --stdin --json <${requests} | cmp - whole.txt && wc -c <whole.txt`,
    )
    assert.ok(Number(stdout) > 1_000_000, stdout)
  })
})
