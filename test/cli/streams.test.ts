import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { commands } from '../../src/cli/commands/index.js'
import { type Ended, runIn } from '../support/cli.js'
import { exampleOf } from '../support/examples.js'
import { temporaryFolder } from '../support/folder.js'
import { firstRows } from '../support/long.js'
import { blocksOf, recordTape } from '../support/tape.js'
import { bin, network } from './commands/execute/stage.js'

const QUOTE = ['0.1', 'btc', 'rune']
const DEMO = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'

const home = temporaryFolder('streams')
const TAPE = join(home, 'blocks.tape')
const PLAN = join(home, 'plan.json')
const DIVISION = ['--slices', '3', '--every', '1h']

/** Calls that end by themselves and answer with a document, of commands for which `exampleOf` has no such call. */
const own: Readonly<Record<string, readonly string[]>> = {
  route: QUOTE,
  sroute: QUOTE,
  curve: ['btc', 'rune', '--points', '3'],
  simulate: QUOTE,
  execute: [...QUOTE, '--from', 'demo', '--dry-run'],
  tx: ['show', 'A'.repeat(64)],
  balances: [DEMO],
  order: ['list', '--from', DEMO],
  plan: ['show', PLAN, '--from', DEMO],
  snapshot: ['show'],
  tape: ['show', TAPE],
  demo: ['status'],
  keys: ['list'],
  config: ['list'],
  doctor: ['--offline'],
}

/** Commands that serve until they are ended, and one that prints scripts. */
const endless = ['serve', 'mcp', 'completion']

const calls = commands
  .filter(({ name }) => !endless.includes(name))
  .map(({ name }) => [name, own[name] ?? exampleOf(name).slice(1)] as const)

/** The commands that ask a chain, which one of three pairs answers sooner than the demo chain does. */
const asking = ['simulate', 'execute', 'tx', 'book', 'balances', 'order', 'history']
const net = await network()
const run = (name: string, ...args: readonly string[]): Promise<Ended> => {
  const place = asking.includes(name) ? net : { home, env: {} }
  const env = { ...place.env, TERM: 'xterm-256color', FORCE_COLOR: '' }
  return runIn({ home: place.home, env }, [name, ...args])
}
beforeAll(async () => {
  // A line that every command has to warn of.
  await recordTape(TAPE, blocksOf(2))
  await runIn({ home, env: {} }, ['plan', 'twap', ...QUOTE, ...DIVISION, '--file', PLAN])
  for (const folder of [home, net.home]) writeFileSync(join(folder, '.swaprc'), 'nework: demo\n')
})

const ESC = String.fromCharCode(27)

describe('every command', () => {
  for (const [name, args] of calls)
    test(`swap ${name} --json writes one document to stdout and warnings to stderr, without colours`, async () => {
      const { stdout, stderr, status } = await run(name, ...args, '--json')
      assert.equal(stdout.trimEnd().split('\n').length, 1)
      const document = JSON.parse(stdout) as { readonly code?: string }
      assert.match(stderr, /note: ~\/\.swaprc:1: no setting is called "nework"/)
      // An error is a document too, and the exit status agrees with it.
      assert.equal(document.code !== undefined, status !== 0, stdout.slice(0, 200))
      assert.ok(!stdout.includes(ESC) && !stderr.includes(ESC))
    })
  for (const [name, args] of calls)
    test(`swap ${name} in a pipe writes no escape code and no spinner`, async () => {
      const { stdout, stderr } = await run(name, ...args)
      assert.ok(!stdout.includes(ESC) && !stderr.includes(ESC) && !stderr.includes('\r'))
    })
  test('refuses an unknown flag as a document and in words', async () => {
    for (const { name } of commands) {
      const json = await run(name, '--nonsense', '--json')
      assert.equal(json.status, 2, name)
      assert.equal((JSON.parse(json.stdout) as { code: string }).code, 'INVALID_REQUEST')
      assert.match((await run(name, '--nonsense')).stderr, /code {2}INVALID_REQUEST \(exit 2\)/)
    }
  })
  test('ends with 2 without a terminal instead of asking', async () => {
    for (const args of firstRows([
      ['execute', ...QUOTE, '--from', 'demo'],
      ['keys', 'new', 'main'],
      ['completion', 'install', '--shell', 'bash'],
    ])) {
      const child = spawn('setsid', [process.execPath, bin, ...args], {
        env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...net.env, HOME: net.home },
        stdio: 'ignore',
        timeout: 20_000,
      })
      const [status] = await once(child, 'close')
      assert.equal(status, 2, args.join(' '))
    }
  })
})
