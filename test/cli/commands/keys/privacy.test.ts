import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { demo } from '../../../../src/chain/networks/demo.js'
import { payFromFaucet } from '../../../../src/demo-chain/process/faucet.js'
import { privateKeyOf } from '../../../../src/wallet/derive.js'
import { entropyOf } from '../../../../src/wallet/mnemonic.js'
import { firstRows, LONG } from '../../../support/long.js'
import { network } from '../execute/stage.js'
import { desk } from './desk.js'
import { screen } from './screen.js'

const PASSWORD = 'canary velvet ostrich ember'
const WORDS = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above'
const bin = resolve('bin/swap.js')

const net = await network(500)

describe('no key is opened', () => {
  const { run, program, write, home } = desk()
  const pw = write('pw', PASSWORD)
  beforeAll(async () => {
    const made = await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: WORDS })
    assert.equal(made.status, 0, made.stderr)
  })
  const flags = [
    ['--inspect=127.0.0.1:0', /debugger/],
    ['--heapsnapshot-signal=SIGUSR2', /--heapsnapshot-signal/],
    ['"--heapsnapshot_signal=SIGUSR2"', /--heapsnapshot-signal/],
    ['--report-on-signal', /--report-on/],
    ['--abort-on-uncaught-exception', /--abort-on-uncaught-exception/],
    ['--heapsnapshot-near-heap-limit=1', /--heapsnapshot-near-heap-limit/],
    ['--report-on-fatalerror', /--report-on/],
    ['--report-uncaught-exception', /--report-on/],
  ] as const
  for (const [flag, why] of firstRows(flags, 5))
    test(`by a process with ${flag}`, () => {
      const isOfNode = !flag.startsWith('--abort')
      const checked = isOfNode
        ? program(['keys', 'check', 'main', '--password-file', pw], { NODE_OPTIONS: flag })
        : direct(home, flag, 'keys', 'check', 'main', '--password-file', pw)
      assert.equal(checked.status, 2, checked.stderr)
      assert.match(checked.stderr, why)
    })
})

/** With a flag that Node does not take from its variable. */
function direct(home: string, flag: string, ...args: readonly string[]) {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  return spawnSync(process.execPath, [flag, bin, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', SWAP_HOME: home },
  })
}

const onLinux = process.platform === 'linux'

describe('while a password is asked for', () => {
  test.runIf(onLinux)('no core dump would hold any memory, and no debugger is let in', async () => {
    const { home, run, write } = desk()
    const pw = write('pw', PASSWORD)
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: WORDS })
    const at = screen('exec $SWAP keys check main', { SWAP_HOME: home })
    await at.until('Password of main:')
    assert.match(readFileSync(`/proc/${at.pid}/coredump_filter`, 'utf8'), /^0+\n$/)
    at.kill('SIGUSR1')
    at.type(`${PASSWORD}\r`)
    assert.equal(await at.ended, 0)
    assert.ok(!at.raw().includes('Debugger'))
  })
})

/** Where the system writes the dump of a process that ends badly beside it, and not to a program. */
const dumpsHere =
  onLinux && readFileSync('/proc/sys/kernel/core_pattern', 'utf8').startsWith('core')

describe('a dump of a process that ends badly', () => {
  test.runIf(dumpsHere)('does not hold what was typed as a password', async () => {
    const { home, run, write } = desk()
    const pw = write('pw', PASSWORD)
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: WORDS })
    const line = `cd "${home}" && ulimit -c unlimited && exec $SWAP keys check main`
    const at = screen(line, { SWAP_HOME: home })
    await at.until('Password of main:')
    at.type('half of a canary')
    at.kill('SIGABRT')
    assert.notEqual(await at.ended, 0)
    const dumps = readdirSync(home).filter((name) => name.startsWith('core'))
    for (const name of dumps)
      assert.ok(!readFileSync(join(home, name)).includes('half of a canary'), name)
  })
})

/** How often each of these is in the memory that a process may write. */
async function countIn(
  pid: number,
  wanted: Readonly<Record<string, Buffer>>,
): Promise<Record<string, number>> {
  const counts = Object.fromEntries((await Object.keys(wanted)).map((name) => [name, 0]))
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
      if (from === undefined || to === undefined) continue
      for (const chunk of chunksOf(memory, BigInt(`0x${from}`), BigInt(`0x${to}`)))
        for (const [name, bytes] of Object.entries(wanted))
          for (let at = chunk.indexOf(bytes); at >= 0; at = chunk.indexOf(bytes, at + 1))
            counts[name] = (counts[name] ?? 0) + 1
    }
  } finally {
    closeSync(memory)
  }
  return counts
}

const CHUNK = 1 << 24

function* chunksOf(memory: number, from: bigint, to: bigint): Generator<Buffer> {
  const buffer = Buffer.alloc(CHUNK)
  for (let at = from; at < to; at += BigInt(CHUNK)) {
    const length = Number(to - at < CHUNK ? to - at : BigInt(CHUNK))
    let read = 0
    try {
      read = readSync(memory, buffer, 0, length, at)
    } catch {
      // A guard page, or one that went away meanwhile.
    }
    yield buffer.subarray(0, read)
  }
}

const output = (child: ChildProcess, text: string): Promise<void> =>
  new Promise((done, fail) => {
    let seen = ''
    child.stdout?.on('data', (chunk) => {
      seen += String(chunk)
      if (seen.includes(text)) done()
    })
    child.once('exit', () => fail(new Error(`it ended with ${seen}`)))
  })

describe.runIf(LONG)('when a transaction is signed', () => {
  test.runIf(onLinux)(
    'no copy of key, mnemonic or password is in the memory of the process',
    async () => {
      const write = (name: string, text: string) => {
        const path = join(net.home, name)
        writeFileSync(path, text, { mode: 0o600 })
        return path
      }
      const pw = write('pw', PASSWORD)
      const words = write('words', WORDS)
      const made = await net.run('keys', 'import', 'bot', words, '--password-file', pw, '--json')
      assert.equal(made.status, 0, made.stderr)
      payFromFaucet(net.real, JSON.parse(made.stdout).address, [])
      const entropy = entropyOf(WORDS)
      const key = await privateKeyOf({ kind: 'mnemonic', bytes: entropy }, demo.hdPath)
      net.real.makeBlock()
      net.board.add({ kind: 'halt', once: true }, net.real.height)
      const call = ['execute', '1', 'rune', 'usdc', '--from', 'bot', '--yes', '--slippage', '1%']
      const child = spawn(process.execPath, [bin, ...call, '--password-file', pw, '--ndjson'], {
        env: { PATH: process.env['PATH'] ?? '', ...net.env },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      try {
        await output(child, '"accepted"')
        const counts = await countIn(child.pid ?? 0, {
          words: Buffer.from(WORDS),
          entropy,
          key,
          hex: Buffer.from(key.toString('hex')),
          password: Buffer.from(PASSWORD),
          flag: Buffer.from('slippage'),
        })
        const { flag = 0, ...secrets } = counts
        assert.ok(flag > 0, 'the memory was not read')
        assert.deepEqual(secrets, { words: 0, entropy: 0, key: 0, hex: 0, password: 0 })
      } finally {
        child.kill('SIGKILL')
        await once(child, 'exit')
        net.heal()
      }
    },
  )
})
