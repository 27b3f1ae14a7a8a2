import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { freshHome, runSwap } from '../../support/cli.js'
import { firstRows, LONG, longTest } from '../../support/long.js'
import { folder } from '../../support/program.js'
import { bin, liveNode, shell } from './stage.js'

const ESC = String.fromCharCode(27)

const { network } = await liveNode()

type Event = {
  readonly type: string
  readonly seq: number
  readonly time: string
  readonly height?: number
} & Readonly<Record<string, unknown>>

const events = (stdout: string): readonly Event[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Event)

/** Runs until the lines that came are enough, then presses ctrl-c. */
async function ended(args: readonly string[], enough: (lines: readonly string[]) => boolean) {
  const child = spawn(process.execPath, [bin, ...args, ...network], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', SWAP_HOME: folder },
  })
  let stdout = ''
  let isOver = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (isOver || !enough(stdout.split('\n').slice(0, -1))) return
    isOver = child.kill('SIGINT')
  })
  const [status] = (await once(child, 'close')) as [number]
  return { stdout, status }
}

const watch = (...args: readonly string[]) => runSwap([...args, '--watch', ...network])

describe('events of --watch in a pipe', () => {
  test('are one quote a line with the members of a single call, then the end', async () => {
    const { status, stdout } = await watch('route', '1.5', 'btc', 'rune', '--count', '3')
    const lines = events(stdout)
    assert.equal(status, 0)
    assert.deepEqual(
      lines.map(({ type }) => type),
      ['quote', 'quote', 'quote', 'end'],
    )
    assert.deepEqual(
      lines.map(({ seq }) => seq),
      [1, 2, 3, 4],
    )
    const single = JSON.parse(
      (await runSwap(['route', '1.5', 'btc', 'rune', '--json', ...network])).stdout,
    )
    const quote = lines[0]!['quote'] as Record<string, unknown>
    assert.deepEqual(['quote_id', ...Object.keys(quote)], Object.keys(single))
    assert.equal(quote['height'], lines[0]!.height)
    assert.deepEqual(
      { reason: lines[3]!['reason'], exit: lines[3]!['exit'] },
      { reason: 'count', exit: 0 },
    )
    for (const { time } of lines) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(lines[0]!['delta_bps'], undefined)
    assert.equal(typeof lines[1]!['delta_bps'], 'number')
  })
  test('have no escape code, even with FORCE_COLOR, and need no --json', async () => {
    for (const form of firstRows([[], ['--ndjson'], ['--json'], ['-o', 'ndjson']])) {
      const { stdout } = await runSwap(
        ['sroute', '1.5', 'btc', 'rune', '--watch', '--count', '1', ...form, ...network],
        { env: { FORCE_COLOR: '1', TERM: 'xterm-256color' } },
      )
      assert.ok(!stdout.includes(ESC))
      assert.equal(events(stdout)[0]!.type, 'quote')
    }
  })
  longTest('of arbs are opened, changed and closed loops with their ids', async () => {
    const { status, stdout } = await watch('arbs', '--until', 'loops>=1')
    const lines = events(stdout)
    assert.equal(status, 0)
    assert.ok(lines.length >= 2)
    for (const { type, id, opportunity } of lines.slice(0, -1)) {
      assert.match(type, /^(opened|changed|closed)$/)
      assert.equal((opportunity as { id: string }).id, id)
    }
    assert.equal(lines[0]!.type, 'opened')
  })
  test('of a book have the book', async () => {
    const lines = events((await watch('book', 'btc/usdc', '--count', '1')).stdout)
    assert.deepEqual(
      lines.map(({ type }) => type),
      ['book', 'end'],
    )
    assert.ok('asks' in (lines[0]!['book'] as object))
  })
  test.each([
    ['5%', 0],
    ['500bps', 0],
    ['0.001%', 5],
    ['0.1', 5],
  ])('of a book end at a spread of at most %s with status %i', async (spread, status) => {
    const ended = await watch('book', 'btc/usdc', '--count', '1', '--until', `spread<=${spread}`)
    assert.equal(ended.status, status, ended.stderr)
  })
  test.each([
    ['route', 'input<=1.5', 'input<1.5'],
    ['route', 'output>=100000rune', 'output>=1000000rune'],
    ['route', 'price>=100000', 'price<100000'],
    ['route', 'impact<=20%', 'impact<=1bps'],
    ['sroute', 'gain<=20%', 'gain>20%'],
  ])('of a quote by swap %s end by %s and not by %s', async (command, held, other) => {
    for (const [until, status] of [[held, 0] as const, [other, 5] as const]) {
      const ended = await watch(command, '1.5', 'btc', 'rune', '--count', '1', '--until', until)
      assert.equal(ended.status, status, ended.stderr)
    }
  })
  longTest('of the history are new swaps, oldest first', async () => {
    const lines = events((await watch('history', '--until', 'swaps>=1')).stdout)
    const swaps = lines.filter(({ type }) => type === 'swap')
    assert.ok(swaps.length >= 1)
    const heights = swaps.map(({ item }) => (item as { height: number }).height)
    assert.deepEqual(
      heights,
      heights.toSorted((a, b) => a - b),
    )
    assert.equal(lines.at(-1)!['reason'], 'until')
  })
})

describe('--watch', () => {
  test('ends with 0 when --until holds, and with 5 when --count comes first', async () => {
    const ends = async (...args: string[]) =>
      (await watch('route', '1.5', 'btc', 'rune', '-qq', ...args)).status
    assert.equal(await ends('--until', 'output>=1', '--count', '5'), 0)
    assert.equal(await ends('--until', 'output>=100_000_000', '--count', '1'), 5)
  })
  test('writes a fatal problem and an end with its exit status for a wrong call', async () => {
    const { status, stdout, stderr } = await watch('route', '1', 'btc', 'runr')
    const [problem, end] = events(stdout)
    assert.equal(status, 2)
    assert.equal((problem!['problem'] as { code: string }).code, 'UNKNOWN_TOKEN')
    assert.equal(problem!['fatal'], true)
    assert.equal(end!['exit'], 2)
    assert.match(stderr, /^error: no token is called "runr" \(UNKNOWN_TOKEN\)$/m)
  })
  test('refuses a condition before it opens a market', async () => {
    const rows: readonly (readonly [command: string, condition: string, why: RegExp])[] = [
      ['route', 'gain>=10bps', /"gain" is not watched/],
      ['sroute', 'gain>=10', /write --until 'gain>=10%' or/],
      ['sroute', 'output=1', /a condition is a name/],
      ['route', 'output>=1e3', /exponents/],
      ['route', 'input<=$0', /after \$ comes a number above zero/],
    ]
    for (const [command, condition, why] of rows) {
      const args = [command, '1', 'btc', 'rune', '--watch', '--until', condition]
      const { status, stderr } = await runSwap([...args, '--rpc', 'http://127.0.0.1:1'])
      assert.equal(status, 2, condition)
      assert.match(stderr, why)
    }
  })
  test('refuses a condition in another token than the quote is in', async () => {
    const until = (condition: string) =>
      watch('route', '1.5', 'btc', 'rune', '-q', '--until', condition)
    assert.equal((await until('output>=1rune')).status, 0)
    for (const [condition, why] of [
      ['output>=1btc', /the swap pays RUNE\n +do +write --until 'output>=1rune'/],
      ['input<=2 usdc.base', /the swap sells BTC\n +do +write --until 'input<=2btc'/],
    ] as const) {
      const { status, stderr } = await until(condition)
      assert.equal(status, 2, condition)
      assert.match(stderr, why)
    }
  })
  longTest(
    'writes a problem for each block that a guard refuses, and an end after a signal',
    async () => {
      const { stdout, status } = await ended(
        ['route', '1.5', 'btc', 'rune', '--watch', '--max-impact', '0.01%'],
        ({ length }) => length >= 2,
      )
      const [first, second] = events(stdout)
      assert.deepEqual([first!.type, second!.type, first!['fatal']], ['problem', 'problem', false])
      assert.ok(second!.height! > first!.height!)
      assert.equal(status, 130)
      const end = events(stdout).at(-1)!
      assert.deepEqual(
        { type: end.type, reason: end['reason'], exit: end['exit'] },
        { type: 'end', reason: 'interrupted', exit: 130 },
      )
    },
  )
  longTest('ends with 141 and no message when the reader closes the pipe', async () => {
    const { stdout, stderr } = await shell(
      `set -o pipefail; swap route 1.5 btc rune --watch ${network.join(' ')} 2>err.txt | head -1 >/dev/null; echo "$?"; cat err.txt >&2`,
    )
    assert.equal(stdout, '141\n')
    assert.equal(stderr, '')
  })
})

describe.runIf(LONG)('--watch of the demo chain of this machine', () => {
  longTest('finds the orders after the chain has started again at other ports', async () => {
    const { swap, home } = freshHome()
    const program = `"${process.execPath}" "${bin}" demo`
    const script = join(home, 'again.sh')
    const again = `${program} stop && ${program} start --block-time 300ms --port 0`
    writeFileSync(script, `mkdir "${home}/once" 2>/dev/null && { ${again}; } >"${home}/out"`)
    await swap('demo', 'start', '--block-time', '300ms', '--port', '0')
    const list = ['order', 'list', '--from', 'demo', '--watch', '--count', '2']
    const { stdout } = await swap(...list, '--json', '--exec', `sh "${script}"`)
    const orders = events(stdout).filter(({ type }) => type === 'orders')
    assert.equal(orders.length, 2)
  })
  longTest('is read at every block', async () => {
    const { swap } = freshHome()
    const started = await swap('demo', 'start', '--block-time', '500ms', '--port', '0')
    assert.equal(started.status, 0, started.stderr)
    const { status, stdout } = await swap('route', '1', 'btc', 'rune', '--watch', '--count', '2')
    assert.equal(status, 0)
    assert.deepEqual(
      events(stdout).map(({ type }) => type),
      ['quote', 'quote', 'end'],
    )
  })
})

describe('other forms of --watch', () => {
  longTest('are a value a line with -q, and a line of text with -o human', async () => {
    const lines = async (...args: string[]) =>
      (await watch('route', '1.5', 'btc', 'rune', '--count', '2', ...args)).stdout
    assert.match(await lines('-q'), /^(\d+\.\d+\n){2}$/)
    assert.match(
      await lines('-o', 'human'),
      /^(block \d+ {2}[\d.,]+ RUNE {2}impact [\d.]+ %\n){2}$/,
    )
  })
  test('of order list come at every block, whether the orders changed or not', async () => {
    const { status, stdout } = await watch('order', 'list', '--from', 'demo', '--count', '2')
    assert.equal(status, 0)
    const [first, second, end] = events(stdout)
    assert.deepEqual([first?.type, second?.type, end?.['reason']], ['orders', 'orders', 'count'])
    assert.ok(second!.height! > first!.height!)
  })
  test('do not include CSV, whichever flag selects it', async () => {
    for (const flags of [['--csv'], ['-o', 'csv']]) {
      const { status, stderr } = await watch('route', '1.5', 'btc', 'rune', ...flags)
      assert.equal(status, 2)
      assert.match(stderr, /CSV does not go with --watch.*take --json/s)
    }
  })
  test('do not include a saved market', async () => {
    const file = ['--snapshot', '/nowhere.json', '--watch']
    const { status, stderr } = await runSwap(['route', '1.5', 'btc', 'rune', ...file])
    assert.equal(status, 2)
    assert.match(stderr, /a saved market cannot be watched/)
  })
})
