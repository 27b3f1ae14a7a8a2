import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { built, swap } from '../../support/program.js'
import { inTerminal } from '../../support/terminal.js'

const bin = resolve('bin/swap.js')

/** A chain of somebody else, which this program knows by its socket only, and our own home. */
let [theirs, ours, rpc, port]: [string, string, string, string] = ['', '', '', '']

const start = (at: string): string => {
  const args = ['demo', 'start', '--block-time', '400ms', '--port', at, '--json']
  const { status, stdout, stderr } = swap(args, { env: { SWAP_HOME: theirs, HOME: theirs } })
  assert.equal(status, 0, stderr)
  return (JSON.parse(stdout) as { rpc: string }).rpc
}
const stop = () => swap(['demo', 'stop'], { env: { SWAP_HOME: theirs, HOME: theirs } })

beforeAll(() => {
  built()
  theirs = mkdtempSync(join(tmpdir(), 'swap-theirs-'))
  ours = mkdtempSync(join(tmpdir(), 'swap-ours-'))
  rpc = start('0')
  port = new URL(rpc).port
})
afterAll(() => {
  stop()
  for (const folder of [theirs, ours]) rmSync(folder, { recursive: true, force: true })
})

const env = () => ({ SWAP_HOME: ours, HOME: ours })

type Event = { readonly type: string; readonly height?: number } & Record<string, unknown>
const eventsIn = (text: string): readonly Event[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Event)

describe('a network over RPC that is watched', () => {
  test('is asked at every block, and starts no chain of our own', () => {
    const args = ['sroute', '1.5', 'btc', 'rune', '--rpc', rpc, '--watch', '--count', '3', '--json']
    const { status, stdout, stderr } = swap(args, { env: env() })
    assert.equal(status, 0, stderr)
    const events = eventsIn(stdout)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['quote', 'quote', 'quote', 'end'],
    )
    const heights = events.slice(0, 3).map(({ height }) => height!)
    assert.ok(heights[0]! < heights[1]! && heights[1]! < heights[2]!)
    assert.doesNotMatch(stderr, /demo chain now runs/)
    assert.equal(swap(['demo', 'status', '-q'], { env: env() }).stdout, 'stopped\n')
  })
  for (const args of [['route', '1.5', 'btc', 'rune'], ['arbs'], ['book', 'btc/usdc']])
    test(`swap ${args.join(' ')} is drawn in place, and q ends it`, async () => {
      const screen = inTerminal([process.execPath, bin, ...args, '--rpc', rpc, '--watch'], {
        env: env(),
      })
      await screen.shows((rows) => rows.some((row) => /\b[2-9] blocks, \d+ missed/.test(row)))
      screen.type('q')
      assert.equal(await screen.exited, 0)
    })
  test('that goes away is a problem told once, and its next block is an answer', async () => {
    const args = [bin, 'route', '1.5', 'btc', 'rune', '--rpc', rpc, '--watch', '--json']
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env() },
    })
    let text = ''
    let look = () => {}
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more
      look()
    })
    const until = (what: (events: readonly Event[]) => boolean) =>
      new Promise<void>((done) => {
        look = () => (what(eventsIn(text)) ? done() : undefined)
        look()
      })
    const count = (type: string) => eventsIn(text).filter((event) => event.type === type).length
    await until(() => count('quote') >= 2)
    stop()
    await until(() => count('problem') >= 1)
    const before = count('quote')
    start(port)
    await until(() => count('quote') > before)
    child.kill('SIGINT')
    const [status] = (await once(child, 'close')) as [number]
    assert.equal(status, 130)
    const events = eventsIn(text)
    const problem = events.find(({ type }) => type === 'problem')!
    assert.equal(problem['fatal'], false)
    assert.match((problem['problem'] as { code: string }).code, /^UPSTREAM_/)
    assert.equal(count('problem'), 1)
    const heights = events.flatMap(({ type, height }) => (type === 'quote' ? [height!] : []))
    assert.deepEqual(
      heights,
      heights.toSorted((a, b) => a - b),
    )
    assert.equal(events.at(-1)!['reason'], 'interrupted')
  })
})
