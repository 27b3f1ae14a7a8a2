import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { faultyNode } from '../chain/rpc/stage.js'
import { network } from '../cli/commands/execute/stage.js'
import { chainOf, threePairs } from '../support/chain.js'
import { freshHome, runIn } from '../support/cli.js'
import { temporaryFolder } from '../support/folder.js'
import { longTest } from '../support/long.js'

const { home, swap } = freshHome()

describe('the command line in this process', () => {
  test('answers on the stream that it is given and returns its exit status', async () => {
    const quote = await swap('route', '1.5', 'btc', 'rune', '-q')
    assert.equal(quote.status, 0)
    assert.match(quote.stderr, /^note: quote q_[0-9a-f]{8}\n$/)
    assert.match(quote.stdout, /^\d+\.\d+\n$/)
    const failed = await swap('route', '1.5', 'btc', 'nothing-like-it')
    assert.equal(failed.status, 2)
    assert.match(failed.stderr, /code {2}UNKNOWN_TOKEN \(exit 2\)/)
  })
  test('leaves the exit status and the environment of the process as they are', async () => {
    const { exitCode } = process
    const environment = { ...process.env }
    await swap('rout')
    assert.equal(process.exitCode, exitCode)
    assert.deepEqual({ ...process.env }, environment)
  })
  test('reads standard input from the stream that it is given', async () => {
    const input = `${JSON.stringify({ input: { denom: 'btc-btc', amount: '1000000' }, output: { denom: 'rune' } })}\n`
    const { stdout } = await runIn({ home, input }, ['route', '--stdin', '--json'])
    assert.equal(JSON.parse(stdout).routes.length > 0, true)
  })
  longTest('has the whole time limit for each line of standard input', async () => {
    const node = await faultyNode(chainOf({ life: false }, threePairs))
    const request = { input: { denom: 'btc-btc', amount: '1000000' }, output: { denom: 'rune' } }
    const line = Buffer.from(`${JSON.stringify({ ...request, verify: true })}\n`)
    async function* input() {
      for (let i = 0; i < 3; i += 1) {
        yield line
        await wait(2_500)
      }
    }
    const { stdout, status } = await runIn({ home, input: input() }, [
      'route',
      '--stdin',
      '--json',
      '--timeout',
      '4s',
      '--rpc',
      node.rpc,
      '--rest',
      node.rest,
    ])
    const answers = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { verify?: unknown })
    assert.deepEqual([answers.length, status], [3, 0], stdout)
    for (const { verify } of answers) assert.notEqual(verify, undefined)
  })
  test('indents a document on a terminal, and writes it on one line with --ndjson and in a pipe', async () => {
    const run = (isTerminal: boolean, ...form: readonly string[]) =>
      runIn({ home, isTerminal }, ['tokens', ...form])
    const [terminal, events, pipe] = await Promise.all([
      run(true, '--json'),
      run(true, '--ndjson'),
      run(false, '--json'),
    ])
    assert.equal(terminal.stdout, `${JSON.stringify(JSON.parse(pipe.stdout), null, 2)}\n`)
    assert.equal(events.stdout, pipe.stdout)
    assert.equal(pipe.stdout.split('\n').length, 2)
  })
  test('writes several documents on one line each on a terminal as well', async () => {
    const at = { home: temporaryFolder('documents'), isTerminal: true }
    await runIn(at, ['demo', 'faucet'])
    const { stdout, status } = await runIn(at, ['demo', 'logs', '--json'])
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event)
    assert.deepEqual([status, new Set(events).has('block'), events.length > 1], [0, true, true])
  })
  test('prints errors of the line itself and of the configuration in the configured form', async () => {
    const [SWAP_OUTPUT, cwd] = ['json', temporaryFolder('configured')]
    writeFileSync(join(cwd, '.swaprc'), 'output: json\n')
    for (const [place, isDocument, ...line] of [
      [{ env: { SWAP_OUTPUT } }, true, 'rout'],
      [{ env: { SWAP_OUTPUT } }, true, 'help', 'rout'],
      [{ env: { SWAP_OUTPUT, SWAP_TIMEOUT: '?' } }, true, 'tokens'],
      [{ env: { SWAP_OUTPUT } }, false, 'tokens', '--bad', '-o', 'human'],
      [{ env: { SWAP_OUTPUT: 'human' }, cwd }, false, 'rout'],
      [{ cwd }, true, 'tokens', '--bad'],
      [{ cwd }, false, 'tokens', '--bad', '--csv'],
    ] as const) {
      const { status, stdout } = await runIn({ home, ...place }, line)
      assert.deepEqual([status, stdout.startsWith('{"type"')], [2, isDocument], line.join(' '))
    }
  })
  test('executes twice', async () => {
    const net = await network()
    for (const time of [1, 2]) {
      const { status, stdout, stderr } = await net.run(
        ...['execute', '1', 'rune', 'usdc', '--from', 'demo'],
        ...['--yes', '--slippage', '1%', '--json'],
      )
      assert.equal(status, 0, `${time}: ${stdout}${stderr}`)
    }
  })
  test('refuses a command that would have to ask, with the flags that answer', async () => {
    const { status, stderr } = await swap('keys', 'new', 'main')
    assert.equal(status, 2)
    assert.match(stderr, /--mnemonic-file/)
  })
  longTest('runs at the same time as others', async () => {
    const quotes = await Promise.all(
      [1, 2, 3].map((n) => swap('route', `${n}`, 'btc', 'rune', '-q')),
    )
    assert.equal(new Set(quotes.map(({ stdout }) => stdout)).size, 3)
  })
})
