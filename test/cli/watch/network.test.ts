import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'vitest'
import { runSwap } from '../../support/cli.js'
import { longTest } from '../../support/long.js'
import { folder } from '../../support/program.js'
import { bin, liveNode } from './stage.js'

const node = await liveNode()

type Event = { readonly type: string; readonly height?: number } & Record<string, unknown>
const eventsIn = (text: string): readonly Event[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Event)

/** A command that follows the network, in a process of its own. */
const following = (...args: readonly string[]) =>
  spawn(process.execPath, [bin, ...args, ...node.network, '--watch', '--json'], {
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', SWAP_HOME: folder, HOME: folder },
  })

describe('a network over RPC that is watched', () => {
  test('is read at every block, and starts no demo chain', async () => {
    const args = ['sroute', '1.5', 'btc', 'rune', '--watch', '--count', '3', '--json']
    const { status, stdout, stderr } = await runSwap([...args, ...node.network])
    assert.equal(status, 0, stderr)
    const events = eventsIn(stdout)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['quote', 'quote', 'quote', 'end'],
    )
    const heights = events.slice(0, 3).map(({ height }) => height!)
    assert.ok(heights[0]! < heights[1]! && heights[1]! < heights[2]!)
    assert.doesNotMatch(stderr, /demo chain now runs/)
    assert.equal((await runSwap(['demo', 'status', '-q'])).stdout, 'stopped\n')
  })
  test('ends a watch by its condition also where its first block had no answer', async () => {
    // So little that the first quote is below its minimum.
    node.fail({ kind: 'lying-book', n: 1_000 })
    const terms = ['--min-out', '100000rune', '--until', 'output>=1', '--count', '9']
    const child = following('route', '1.5', 'btc', 'rune', ...terms)
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more
      node.heal()
    })
    const [status] = (await once(child, 'close')) as [number]
    const events = eventsIn(text)
    assert.equal(events[0]!.type, 'problem')
    assert.deepEqual([events.at(-1)!['reason'], status], ['until', 0])
  })
  longTest('that stops is one problem, and its next block an answer', async () => {
    const child = following('route', '1.5', 'btc', 'rune')
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
    node.fail({ kind: 'refuse' })
    await until(() => count('problem') >= 1)
    const before = count('quote')
    node.heal()
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
