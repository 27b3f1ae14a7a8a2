import assert from 'node:assert/strict'
import { afterEach, describe, test, vi } from 'vitest'
import type { WatchEnd, WatchEvent } from '../../../src/cli/watch/events.js'
import { follow, type WatchQuery } from '../../../src/cli/watch/follow.js'
import { type Hook, hookOf } from '../../../src/cli/watch/hook.js'
import type { WatchOptions } from '../../../src/cli/watch/watch-options.js'
import { SwapError } from '../../../src/engine/errors.js'
import { type Clock, systemClock } from '../../../src/platform/clock.js'
import { handFeed, settled, virtualClock } from './virtual.js'

const noRoute = () => new SwapError('NO_ROUTE', 'no route')
const usage = () => new SwapError('UNKNOWN_TOKEN', 'no such token')

afterEach(() => void vi.useRealTimers())

/** Follows numbers that are given by hand, one a height. */
async function staged(
  given: Partial<WatchOptions> = {},
  holds = (_: number) => false,
  hook?: Hook,
  own: Partial<WatchQuery<number>> = {},
  real?: Clock,
) {
  const clock = virtualClock()
  const { updates, serve, fail } = await handFeed()
  const ending = new AbortController()
  const events: WatchEvent<number>[] = []
  let next: () => number | Promise<number> = () => 100
  const query: WatchQuery<number> = {
    ask: async () => next(),
    moved: (now, reported, bps) => Math.abs(now - reported) * 10_000 >= Number(bps) * reported,
    bodies: (now) => [{ type: 'quote', value: now }],
    holds,
    ...own,
  }
  const options: WatchOptions = {
    leastMs: 0,
    onChangeBps: 0n,
    count: undefined,
    until: undefined,
    exec: undefined,
    fullscreen: false,
    ...given,
  }
  let end: WatchEnd | undefined
  const done = follow(query, options, {
    updates,
    clock: real ?? clock,
    signal: ending.signal,
    hook,
    firstMarketTimeoutMs: 20_000,
    sink: (event) => void events.push(event),
  }).then((value) => {
    end = value
  })
  await settled()
  return {
    clock,
    fail,
    done,
    stop: (reason: WatchEnd) => ending.abort(reason),
    ended: () => end,
    async height(height: number, answer: number | (() => number | Promise<number>)) {
      next = typeof answer === 'number' ? () => answer : answer
      await serve(height)
      await settled()
    },
    /** What has happened, in a word each. */
    words: () =>
      events.map((event) => {
        if (event.kind === 'answer')
          return `${event.height}:${event.reported === undefined ? '-' : event.answer}`
        if (event.kind === 'problem') return event.fatal ? 'fatal' : 'problem'
        if (event.kind === 'exec') return `exec ${event.exit ?? event.signal}`
        return event.kind === 'end' ? `end ${event.reason} ${event.exit}` : event.kind
      }),
    times: (kind: WatchEvent<number>['kind']) =>
      events.filter((event) => event.kind === kind).map(({ time }) => Date.parse(time)),
  }
}

describe('following', () => {
  test('asks at every height once, and ends at the count with exit 0', async () => {
    const it = await staged({ count: 3 })
    for (const height of [1, 2, 2, 3]) await it.height(height, 100 + height)
    assert.deepEqual(it.words(), ['1:101', '2:102', '3:103', 'end count 0'])
  })
  test('--on-change reports an answer that moved enough since the last reported one, not since the last block', async () => {
    const it = await staged({ onChangeBps: 100n, count: 3 })
    for (const [height, value] of [
      [1, 1000],
      [2, 1006],
      [3, 1010],
      [4, 1005],
      [5, 999],
    ] as const)
      await it.height(height, value)
    assert.deepEqual(it.words(), ['1:1000', '2:-', '3:1010', '4:-', '5:999', 'end count 0'])
  })
  test('--until ends it with exit 0 and tells the answer that holds, however little it moved', async () => {
    const it = await staged({ until: 'x', onChangeBps: 5000n }, (value) => value >= 103)
    await it.height(1, 100)
    await it.height(2, 102)
    await it.height(3, 103)
    assert.deepEqual(it.words(), ['1:100', '2:-', '3:103', 'end until 0'])
  })
  test('a time of day that is set forward or back changes no waits, only the times of events', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 7_200_000 })
    const it = await staged({}, undefined, undefined, {}, systemClock)
    vi.setSystemTime(10_800_000)
    await it.fail(noRoute())
    vi.setSystemTime(3_600_000)
    await it.height(1, 100)
    assert.deepEqual(it.words(), ['problem', '1:100'])
    assert.deepEqual([it.times('problem'), it.times('answer')], [[10_800_000], [3_600_000]])
    it.stop({ reason: 'quit', exit: 0 })
    await it.done
  })
  test('a count that is reached before the condition holds is a guard that was not met', async () => {
    const it = await staged({ until: 'x', count: 2 }, () => false)
    await it.height(1, 1)
    await it.height(2, 2)
    assert.equal(it.words().at(-1), 'end count 5')
  })
  test('a query that says which answers are results has no others counted', async () => {
    const own = { isResult: (value: number) => value > 1 }
    const it = await staged({ count: 2 }, undefined, undefined, own)
    for (const [height, value] of [1, 2, 0, 3].entries()) await it.height(height, value)
    assert.deepEqual(it.words(), ['0:1', '1:2', '2:0', '3:3', 'end count 0'])
  })
  test('--every leaves heights out, and asks the newest once time has passed', async () => {
    const it = await staged({ leastMs: 10_000, count: 2 })
    await it.height(1, 1)
    await it.clock.advance(4_000)
    await it.height(2, 2)
    await it.height(3, 3)
    assert.deepEqual(it.words(), ['1:1'])
    await it.clock.advance(6_000)
    assert.deepEqual(it.words(), ['1:1', '3:3', 'end count 0'])
    assert.deepEqual(it.times('answer'), [0, 10_000])
  })
  test('half a minute without a word is broken by a sign of life, again and again', async () => {
    const it = await staged()
    await it.clock.advance(10_000)
    await it.height(7, 1)
    await it.clock.advance(29_999)
    assert.deepEqual(it.words(), ['7:1'])
    await it.clock.advance(30_002)
    assert.deepEqual(it.words(), ['7:1', 'heartbeat', 'heartbeat'])
    assert.deepEqual(it.times('heartbeat'), [40_000, 70_000])
  })
  test('an answer that is not reported does not delay the heartbeat', async () => {
    const it = await staged({ onChangeBps: 100n })
    await it.height(1, 1000)
    await it.clock.advance(20_000)
    await it.height(2, 1000)
    await it.clock.advance(10_000)
    assert.deepEqual(it.words(), ['1:1000', '2:-', 'heartbeat'])
  })
})

describe('a command for results', () => {
  /** Ends with these statuses, one after the other, and keeps what it has read. */
  const commandOf = (...statuses: readonly number[]) => {
    const read: string[] = []
    const hook: Hook = async (input) => {
      read.push(input)
      return { exit: statuses[read.length - 1]!, signal: null }
    }
    return { read, hook }
  }
  test('is run for each reported result, with its event; the last status decides', async () => {
    const { read, hook } = commandOf(3, 0)
    const it = await staged({ onChangeBps: 100n, count: 2 }, undefined, hook)
    for (const [height, value] of [
      [1, 1000],
      [2, 1001],
      [3, 1100],
    ] as const)
      await it.height(height, value)
    assert.deepEqual(it.words(), ['1:1000', 'exec 3', '2:-', '3:1100', 'exec 0', 'end count 0'])
    const event = (height: number, value: number) =>
      `{"type":"quote","time":"1970-01-01T00:00:00.000Z","height":${height},"value":${value}}\n`
    assert.deepEqual(read, [event(1, 1000), event(3, 1100)])
  })
  test('is run once where there is a condition, when it holds, and its failure is exit 1', async () => {
    const { read, hook } = commandOf(7)
    const it = await staged({ until: 'x' }, (value) => value > 2, hook)
    for (const height of [1, 2, 3]) await it.height(height, height)
    assert.deepEqual(it.words(), ['1:1', '2:2', '3:3', 'exec 7', 'end until 1'])
    assert.equal(read.length, 1)
  })
  test('that is running lets blocks pass, and the newest one is next', async () => {
    let finish = () => {}
    const hook: Hook = () =>
      new Promise((resolve) => {
        finish = () => resolve({ exit: 0, signal: null })
      })
    const it = await staged({ count: 2 }, undefined, hook)
    for (const height of [1, 2, 3]) await it.height(height, height)
    assert.deepEqual(it.words(), ['1:1'])
    finish()
    await settled()
    assert.deepEqual(it.words(), ['1:1', 'exec 0', '3:3'])
    finish()
    await it.done
  })
  test('that cannot be started is a fatal problem', async () => {
    const it = await staged({}, undefined, hookOf('/no/such-program', { env: {}, cwd: '.' }))
    await it.height(1, 1)
    await it.done
    assert.deepEqual(it.words(), ['1:1', 'fatal', 'end problem 2'])
  })
})

describe('a problem while following', () => {
  test('at one height is reported, and the next height is queried', async () => {
    const it = await staged({ count: 2 })
    await it.height(1, 1)
    await it.height(2, () => Promise.reject(noRoute()))
    await it.height(3, 3)
    assert.deepEqual(it.words(), ['1:1', 'problem', '3:3', 'end count 0'])
  })
  test('with the request itself ends it with the exit status of its code', async () => {
    const it = await staged()
    await it.height(1, () => Promise.reject(usage()))
    assert.deepEqual(it.words(), ['fatal', 'end problem 2'])
  })
  test('with the request ends it until the first answer, whatever came before', async () => {
    const it = await staged()
    await it.height(1, () => Promise.reject(noRoute()))
    await it.height(2, () => Promise.reject(usage()))
    assert.deepEqual(it.words(), ['problem', 'fatal', 'end problem 2'])
  })
  test('with the request at a later height does not end it: a token may be back at the next block', async () => {
    const it = await staged({ count: 2 })
    await it.height(1, 1)
    await it.height(2, () => Promise.reject(usage()))
    await it.height(3, 3)
    assert.deepEqual(it.words(), ['1:1', 'problem', '3:3', 'end count 0'])
  })
  test('without a code is a bug and ends it whenever it comes', async () => {
    const it = await staged()
    await it.height(1, 1)
    await it.height(2, () => Promise.reject(new TypeError('bug')))
    assert.deepEqual(it.words(), ['1:1', 'fatal', 'end problem 70'])
  })
  test('with the nodes is reported when it begins, once until the next height', async () => {
    const it = await staged()
    await it.height(1, 1)
    await it.fail(noRoute())
    await it.fail(noRoute())
    await it.height(2, 2)
    await it.fail(noRoute())
    assert.deepEqual(it.words(), ['1:1', 'problem', '2:2', 'problem'])
  })
  test('and no first market within the patience ends it with what the nodes said', async () => {
    const it = await staged()
    await it.fail(new SwapError('UPSTREAM_RATE_LIMITED', 'wait'))
    await it.clock.advance(20_000)
    assert.deepEqual(it.words(), ['problem', 'fatal', 'end problem 4'])
  })
})

test('ends with the reason of its abort, also while a query is not answered', async () => {
  const { height, stop, done, ended, words } = await staged()
  await height(1, () => new Promise<number>(() => {}))
  stop({ reason: 'interrupted', exit: 130 })
  await done
  assert.equal(ended()?.exit, 130)
  assert.deepEqual(words(), ['end interrupted 130'])
})

test('ends with the reason of its abort, also while it waits', async () => {
  const it = await staged()
  await it.height(1, 1)
  it.stop({ reason: 'interrupted', exit: 130 })
  await it.done
  assert.deepEqual(it.words(), ['1:1', 'end interrupted 130'])
  assert.deepEqual(it.ended(), { reason: 'interrupted', exit: 130 })
})

test('keeps events that arrive while an answer is computed', async () => {
  const it = await staged({ count: 2 })
  let release = (_: number) => {}
  await it.height(1, () => new Promise((resolve) => (release = resolve)))
  await it.height(2, 2)
  assert.deepEqual(it.words(), [])
  release(1)
  await it.done
  assert.deepEqual(it.words(), ['1:1', '2:2', 'end count 0'])
})
