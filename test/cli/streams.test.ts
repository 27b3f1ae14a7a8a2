import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { commands } from '../../src/cli/commands/index.js'
import { type Ended, runIn } from '../support/cli.js'
import { temporaryFolder } from '../support/folder.js'
import { firstRows } from '../support/long.js'

const QUOTE = ['0.1', 'btc', 'rune']
const DEMO = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'

/** A call of every command that ends by itself and answers with a document. */
const calls: Readonly<Record<string, readonly string[]>> = {
  tokens: [],
  price: ['btc'],
  pairs: ['btc'],
  route: QUOTE,
  sroute: QUOTE,
  arbs: [],
  arbroute: ['5000', 'usdc'],
  curve: ['btc', 'rune', '--points', '3'],
  max: ['btc', 'rune', '--max-impact', '1%'],
  simulate: QUOTE,
  execute: [...QUOTE, '--from', 'demo', '--dry-run'],
  tx: ['show', 'A'.repeat(64)],
  journal: [],
  book: ['btc/usdc'],
  balances: [DEMO],
  snapshot: ['show'],
  history: [],
  demo: ['status'],
  keys: ['list'],
  config: ['list'],
  doctor: ['--offline'],
  schema: [],
  version: [],
}

const home = temporaryFolder('streams')
const env = { TERM: 'xterm-256color', FORCE_COLOR: '' }
const run = (...args: readonly string[]): Promise<Ended> => runIn({ home, env }, args)
// A line that every command has to warn of.
beforeAll(() => writeFileSync(join(home, '.swaprc'), 'nework: demo\n'))
afterAll(() => run('demo', 'stop'))

const ESC = String.fromCharCode(27)

describe('every command', () => {
  test('has a row here, so that none is forgotten', () => {
    assert.deepEqual(
      commands.map(({ name }) => name).filter((name) => name !== 'serve' && name !== 'completion'),
      commands.map(({ name }) => name).filter((name) => name in calls),
    )
    assert.equal(Object.keys(calls).length, commands.length - 2)
  })
  for (const [name, args] of Object.entries(calls))
    test(`swap ${name} --json: one document on stdout, warnings on stderr, nothing to colour`, async () => {
      const { stdout, stderr, status } = await run(name, ...args, '--json')
      assert.equal(stdout.trimEnd().split('\n').length, 1)
      const document = JSON.parse(stdout) as { readonly code?: string }
      assert.match(stderr, /note: ~\/\.swaprc:1: no setting is called "nework"/)
      // What went wrong is a document too, and the exit status agrees with it.
      assert.equal(document.code !== undefined, status !== 0, stdout.slice(0, 200))
      assert.ok(!stdout.includes(ESC) && !stderr.includes(ESC))
    })
  for (const [name, args] of Object.entries(calls))
    test(`swap ${name} in a pipe holds no escape code and no spinner`, async () => {
      const { stdout, stderr } = await run(name, ...args)
      assert.ok(!stdout.includes(ESC) && !stderr.includes(ESC) && !stderr.includes('\r'))
    })
  test('refuses a flag that there is not, as a document and in words', async () => {
    for (const { name } of commands) {
      const json = await run(name, '--nonsense', '--json')
      assert.equal(json.status, 2, name)
      assert.equal((JSON.parse(json.stdout) as { code: string }).code, 'INVALID_REQUEST')
      assert.match((await run(name, '--nonsense')).stderr, /code {2}INVALID_REQUEST \(exit 2\)/)
    }
  })
  test('answers in under a second of waiting where nobody can be asked, and asks nothing', () => {
    for (const args of firstRows([
      ['execute', ...QUOTE, '--from', 'demo'],
      ['keys', 'new', 'main'],
      ['completion', 'install', '--shell', 'bash'],
    ])) {
      const { status } = spawnSync('setsid', [process.execPath, resolve('bin/swap.js'), ...args], {
        env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', SWAP_HOME: home, HOME: home },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 20_000,
      })
      assert.equal(status, 2, args.join(' '))
    }
  })
})
