import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { toBech32 } from '@cosmjs/encoding'
import { describe, test } from 'vitest'
import { demo } from '../../../../src/chain/networks/demo.js'
import { faultKinds } from '../../../../src/demo-chain/faults/catalogue.js'
import { type PairFact, pairFacts } from '../../../../src/demo-chain/market/pair-facts.js'
import { type Ended, jsonOf, runIn, runSwap } from '../../../support/cli.js'
import { closing } from '../../../support/closing.js'
import { temporaryFolder } from '../../../support/folder.js'
import { longTest } from '../../../support/long.js'

const account = toBech32('demo', new Uint8Array(20).fill(5))

/** The program with a state folder of its own. */
function fresh() {
  const home = temporaryFolder('cli-demo')
  const env = { SWAP_HOME: home }
  closing({ close: () => runSwap(['demo', 'stop'], { env }) })
  return {
    home,
    env,
    run: (...args: readonly string[]): Promise<Ended> => runSwap(['demo', ...args], { env }),
  }
}

describe('swap demo without a process', () => {
  test('status has its members in this order', async () => {
    const status = jsonOf(await fresh().run('status', '--json'))
    assert.deepEqual(Object.keys(status), [
      'running',
      'pid',
      'rpc',
      'rest',
      'chain_id',
      'height',
      'time',
      'seed',
      'block_time_ms',
      'router',
      'dialect',
      'router_build',
      'oracles',
      'faucet',
      'faults',
    ])
    assert.deepEqual(Object.keys(status.faucet), ['address', 'mnemonic'])
    assert.equal(status.chain_id, 'demo-1')
    assert.match(status.router, /^demo1/)
  })
  test('status for people has the block time in UTC, and is ASCII with --ascii', async () => {
    const { stdout } = await fresh().run('status', '-o', 'human', '--ascii')
    assert.match(stdout, /every 2 s {3}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n/)
    assert.match(stdout, /^[\n\x20-\x7e]*$/)
  })
  test('is not started to execute a quote that does not exist', async () => {
    const { env, run } = fresh()
    for (const word of ['q_00000000', 'no-file']) {
      const ended = await runSwap(['execute', word, '--from', 'demo', '--json'], { env })
      assert.equal(ended.status, 2, ended.stdout)
    }
    assert.equal(jsonOf(await run('status', '--json')).running, false)
  })
  test('is not started by a service whose port another program has', async () => {
    const { env, run } = fresh()
    const server = createServer().listen(0, '127.0.0.1')
    closing({ close: () => void server.close() })
    await once(server, 'listening')
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const ended = await runSwap(['serve', '--listen', address, '--json'], { env })
    assert.equal(ended.status, 13, ended.stdout)
    assert.match(ended.stdout, /another program listens there/)
    assert.equal(jsonOf(await run('status', '--json')).running, false)
  })
  test('prints its purpose, its status and its sub-commands', async () => {
    const { stdout } = await fresh().run('-o', 'human')
    assert.match(stdout, /A small chain inside the program/)
    assert.match(stdout, /not running/)
    assert.match(stdout, /swap demo start/)
  })
  test('status in a pipe is a field a line, one value with -q, nothing with -qq', async () => {
    const { run } = fresh()
    assert.match((await run('status')).stdout, /^running\tfalse\npid\t\n/)
    assert.equal((await run('status', '-q')).stdout, 'stopped\n')
    assert.equal((await run('status', '-qq')).stdout, '')
  })
  test('faucet pays units of tokens by their names, and base units with --atomic', async () => {
    const { run } = fresh()
    const given = jsonOf(await run('faucet', account, '1.5btc', '100', 'rune', '--json'))
    assert.deepEqual(given.coins, [
      { denom: 'btc-btc', amount: '150000000' },
      { denom: 'rune', amount: '10000000000' },
    ])
    assert.equal(given.height, 121)
    const atomic = jsonOf(await run('faucet', account, '7rune,8btc', '--atomic', '--json'))
    assert.deepEqual(
      atomic.coins.map(({ amount }: { amount: string }) => amount),
      ['8', '7'],
    )
    assert.equal(jsonOf(await run('status', '--json')).height, 122)
    assert.match((await run('faucet', account, '-q')).stdout, /^[0-9A-F]{64}\n$/)
    assert.match((await run('faucet', account, '1usdc.base')).stdout, /^coin\.1\t1 USDC\.base$/m)
    const upper = jsonOf(await run('faucet', account.toUpperCase(), '1rune', '--json'))
    assert.equal(upper.address, account)
    assert.match((await run('logs')).stdout, /block height 124 txs \d+ failed \d+\n/)
    assert.equal((await run('logs', '--lines', '1', '--json')).stdout.trim().split('\n').length, 1)
  })
  test('refuses wrong calls with their code and exit status', async () => {
    const { run } = fresh()
    const rows: readonly (readonly [readonly string[], string, RegExp])[] = [
      [['strat'], 'INVALID_REQUEST', /did you mean start/],
      [['start', '--port', '70000'], 'INVALID_REQUEST', /from 0 to 65534/],
      [['start', '--block-time', '2'], 'INVALID_REQUEST', /ms, s, m or h/],
      [['start', '--block-time', '1ms'], 'INVALID_REQUEST', /from 50ms/],
      [['start', '--seed', '-1'], 'INVALID_REQUEST', /whole number/],
      [['start', '--dialect', 'other'], 'INVALID_REQUEST', /one of forward, stack/],
      [['start', 'more'], 'INVALID_REQUEST', /does not take "more"/],
      [['fail', 'slwo'], 'INVALID_REQUEST', /no fault is called "slwo"/],
      [['fail', 'slow', 'x'], 'INVALID_REQUEST', /is not a number for a fault/],
      [['fail', 'slow', '0'], 'INVALID_REQUEST', /from 1 to 600/],
      [['fail', 'slow', '--for', 'ever'], 'INVALID_REQUEST', /--for 20s/],
      [['faucet', 'mian'], 'INVALID_ADDRESS', /neither an address nor a name/],
      [['faucet', 'thor1xyz'], 'INVALID_ADDRESS', /begins with demo1/],
      [['faucet', account, 'rune'], 'INVALID_AMOUNT', /100rune 2btc/],
      [['faucet', account, '1runr'], 'UNKNOWN_TOKEN', /did you mean/],
      [['faucet', account, '0rune'], 'INVALID_AMOUNT', /zero/],
      [['faucet', account, '-n', 'mainnet'], 'INVALID_REQUEST', /add -n demo/],
      [['fail', 'slow', '--pair', 'rune/usdc', '-n', 'mainnet'], 'INVALID_REQUEST', /-n demo/],
      [['logs', '--lines', 'all'], 'INVALID_REQUEST', /whole number/],
    ]
    for (const [args, code, text] of rows) {
      const { status, stdout, stderr } = await run(...args)
      const words = stderr.replace(/\s+/g, ' ')
      assert.equal(status, 2, args.join(' '))
      assert.equal(stdout, '')
      assert.ok(words.includes(`code ${code} (exit 2)`), `${args.join(' ')}: ${words}`)
      assert.match(words, text, args.join(' '))
      assert.equal(jsonOf(await run(...args, '--json')).code, code)
    }
  })
  test('fail lists faults, switches one on for the next command, and off', async () => {
    const { run } = fresh()
    const { kinds } = jsonOf(await run('fail', '--json'))
    assert.deepEqual(
      kinds.map(({ kind }: { kind: string }) => kind),
      faultKinds.map(({ kind }) => kind),
    )
    assert.equal((await run('fail')).stdout.trim().split('\n').length, faultKinds.length)
    assert.match((await run('fail')).stdout, /^batch-cap\t\w+\trequests: 1\t/m)
    const [fault] = jsonOf(
      await run('fail', 'slow', '9', '--for', '1m', '--once', '--method', 'status', '--json'),
    ).faults
    assert.deepEqual(
      [fault.kind, fault.n, fault.once, fault.method, fault.pair],
      ['slow', 9, true, 'status', null],
    )
    assert.ok(Date.parse(fault.until) > Date.now() + 50_000)
    assert.equal(jsonOf(await run('status', '--json')).faults.length, 1)
    assert.match((await run('fail', 'off')).stdout, /switched off:\nslow 9/)
    assert.equal((await run('fail', 'off')).stdout, 'no fault was on\n')
  })
  test('fail shows every fault in the same layout at 80 columns', async () => {
    const { stdout } = await fresh().run('fail', '-o', 'human', '--width', '80')
    for (const { kind, does } of faultKinds) {
      const line = stdout.split('\n').find((each) => each.startsWith(`  ${kind.padEnd(19)}`))
      assert.equal(line?.slice(21, 31), does.slice(0, 10), kind)
    }
  })
  test('fail takes a pair by its tokens, and refuses contracts that the chain does not have', async () => {
    const { run } = fresh()
    const [fault] = jsonOf(await run('fail', 'bad-book', '--pair', 'rune/usdc', '--json')).faults
    const [{ address }] = pairFacts.filter(
      ({ base, quote }) => base.symbol === 'RUNE' && quote.symbol === 'USDC',
    ) as [PairFact]
    assert.equal(fault.pair, address)
    for (const pair of ['demo1nobody', 'rune/nothing', demo.router.address!]) {
      const refused = await run('fail', 'pair-fails', '--pair', pair, '--json')
      assert.equal(refused.status, 2, pair)
    }
    const router = await run('fail', 'slow', '1', '--pair', demo.router.address!, '--json')
    assert.equal(router.status, 0, router.stdout)
  })
})

describe('swap demo as a process', () => {
  test('is started with its status, found by later commands, and stopped once', async () => {
    const { run } = fresh()
    const started = await run('start', '--port', '0', '--block-time', '1s', '--json')
    assert.equal(started.status, 0, started.stderr)
    const status = jsonOf(started)
    assert.equal(status.running, true)
    assert.equal((await run('status', '-q')).stdout, `${status.rpc}\n`)
    const again = await run('start', '-q')
    assert.equal(again.stdout, `${status.rpc}\n`)
    assert.match(again.stderr, /runs already, as process/)
    assert.match((await run('start', '--seed', '2')).stderr, /the present chain has seed 1/)
    const given = jsonOf(await run('faucet', account, '1rune', '--json'))
    assert.ok(given.height > 120)
    assert.equal((await run('stop')).stdout, `stopped process ${status.pid}\n`)
    assert.equal((await run('stop')).stdout, 'the demo chain does not run\n')
    assert.deepEqual(jsonOf(await run('stop', '--json')), { stopped: false, pid: null })
    assert.ok(jsonOf(await run('status', '--json')).height >= given.height)
  })
  test('ends in the foreground where its status cannot be written', async () => {
    const { env, run } = fresh()
    const unwritable = openSync(resolve('package.json'), 'r')
    const args = ['demo', 'start', '--foreground', '--port', '0']
    const child = spawn(process.execPath, [resolve('bin/swap.js'), ...args], {
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', unwritable, 'ignore'],
    })
    assert.deepEqual(await once(child, 'exit'), [4, null])
    closeSync(unwritable)
    assert.equal(jsonOf(await run('status', '--json')).running, false)
  })
  longTest('ends in the foreground with ctrl-c', async () => {
    const { env, home, run } = fresh()
    const args = ['demo', 'start', '--foreground', '--port', '0', '--json']
    const child = spawn(process.execPath, [resolve('bin/swap.js'), ...args], {
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const status = JSON.parse(await firstLine(child))
    assert.equal(status.pid, child.pid)
    assert.equal(jsonOf(await run('status', '--json')).pid, child.pid)
    const exit = once(child, 'exit')
    child.kill('SIGINT')
    assert.deepEqual(await exit, [0, null])
    assert.equal(jsonOf(await run('status', '--json')).running, false)
    assert.match((await run('logs', '--lines', '1')).stdout, /stop pid \d+ height \d+\n$/)
    const call = ['demo', 'logs', '--lines', '1', '--json']
    const { stdout } = await runIn({ home, isTerminal: true }, call)
    assert.equal(stdout.trimEnd().split('\n').length, 1)
  })
  test('reset says that the journal keeps what was signed on the removed chain', async () => {
    const { env, run } = fresh()
    await run('start', '--port', '0')
    const swap = ['execute', '0.01', 'btc', 'rune', '--from', 'demo', '--yes', '--slippage', '1%']
    assert.equal((await runSwap([...swap, '-qq'], { env })).status, 0)
    assert.match((await run('reset')).stderr, /^note: the journal keeps what was signed on this/)
  })
  test('reset removes a chain whose file cannot be read', async () => {
    const { run, home } = fresh()
    const file = join(home, 'state', 'demo', 'demo-1', 'chain.jsonl')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'no block\n'.repeat(3))
    assert.equal((await run('status')).status, 2)
    assert.equal((await run('reset')).stdout, `removed ${file}\n`)
  })
  longTest(
    'logs -f follows its blocks, and reset stops it and lists the removed files',
    async () => {
      const { env, run, home } = fresh()
      const { pid } = jsonOf(await run('start', '--port', '0', '--block-time', '1s', '--json'))
      const child = spawn(
        process.execPath,
        [resolve('bin/swap.js'), 'demo', 'logs', '-f', '--lines', '0', '--json'],
        { env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
      )
      const line = JSON.parse(await firstLine(child))
      assert.equal(line.event, 'block')
      child.kill()
      await once(child, 'exit')
      const { stdout } = await run('reset')
      assert.match(stdout, new RegExp(`^stopped process ${pid}\n(removed .*\n)+$`))
      assert.equal(existsSync(join(home, 'state', 'demo', 'demo-1')), false)
      assert.equal((await run('reset')).stdout, 'there was nothing to remove\n')
    },
  )
})

async function firstLine(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const part of child.stdout ?? []) {
    text += String(part)
    if (text.includes('\n')) break
  }
  return text.split('\n')[0] ?? ''
}
