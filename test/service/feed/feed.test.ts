import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { describe, onTestFinished, test, vi } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import type { Market } from '../../../src/engine/market/market.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { encodeSnapshot } from '../../../src/engine/snapshot/encode.js'
import { fixedFeed } from '../../../src/service/feed/market-feed.js'
import {
  type Polling,
  pollingFeed,
  type ReadResult,
} from '../../../src/service/feed/polling-feed.js'
import { body, marketAt, post, stage, threadless } from '../stage.js'

type Found = number | Error | { readonly behind: number } | undefined

/** A source under the control of the test: every poll waits until the test provides its result. */
function manualSource() {
  const events = new EventEmitter()
  const pending: ((found: Found) => void)[] = []
  const source = {
    read: (): Promise<ReadResult | undefined> =>
      new Promise((resolve, reject) => {
        pending.push((found) => {
          if (found instanceof Error) reject(found)
          else resolve(typeof found === 'number' ? { view: marketAt(found) } : found)
        })
        events.emit('look')
      }),
  }
  /** Resolves the waiting poll, or the next one, and waits for the one after it. */
  const find = async (found: Found): Promise<void> => {
    if (pending.length === 0) await once(events, 'look')
    const next = once(events, 'look')
    pending.shift()!(found)
    await next
  }
  return { source, find, finish: () => pending.shift()?.(undefined) }
}

function clock() {
  let time = 0
  return {
    now: () => time,
    pass: (ms: number) => void (time += ms),
  }
}

const feeding = (options: Pick<Polling, 'failed' | 'wentBack'> = {}) => {
  const { source, find, finish } = manualSource()
  const { now, pass } = clock()
  const times = { every: 1, maxAge: 10_000, haltedAfter: 20_000 }
  const feed = pollingFeed(source, { ...times, now, ...options })
  const close = async () => {
    const closing = feed.close()
    finish()
    await closing
  }
  return { feed, find, pass, close }
}

describe('a polling feed', () => {
  test('polls rarely while block notifications arrive, and often again when they stop', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let looks = 0
    let hint = () => {}
    const source = {
      read: async () => {
        looks += 1
        return undefined
      },
      hints: (listener: () => void) => void (hint = listener),
    }
    const feed = pollingFeed(source, { every: 5, everyHinted: 400, maxAge: 1_000 })
    const looksIn = async (ms: number): Promise<number> => {
      const before = looks
      await vi.advanceTimersByTimeAsync(ms)
      return looks - before
    }
    assert.equal(await looksIn(100), 20)
    hint()
    assert.deepEqual([await looksIn(0), await looksIn(399)], [1, 0])
    hint()
    assert.deepEqual([await looksIn(0), await looksIn(399), await looksIn(801)], [1, 0, 3])
    assert.equal(await looksIn(100), 20)
    await feed.close()
  })
  test('has no market before the first poll, then the newest one', async () => {
    const { feed, find, close } = feeding()
    assert.deepEqual([feed.current(), feed.unready()], [undefined, ['no_snapshot']])
    await find(5)
    assert.deepEqual([feed.current()?.height, feed.unready()], [5, []])
    await find(undefined)
    await find(7)
    assert.equal(feed.current()?.height, 7)
    await close()
  })
  test('returns to a lower height only after two equal polls in a row, and reports it meanwhile', async () => {
    const reasons: string[] = []
    const backs: (readonly number[])[] = []
    const { feed, find, close } = feeding({
      failed: (error) => reasons.push(String(error)),
      wentBack: (...heights) => backs.push(heights),
    })
    const heights: number[] = []
    feed.subscribe(({ height }) => heights.push(height))
    for (const height of [5, 7, 6, 7, 3, 8]) await find(height)
    assert.deepEqual(heights, [5, 7, 8])
    await find(2)
    assert.deepEqual(
      [feed.current()?.height, feed.nodeHeight(), feed.unready()],
      [8, 2, ['height_went_back']],
    )
    assert.match(reasons.at(-1) ?? '', /the node is at block 2, and 8 is served/)
    await find(3)
    assert.deepEqual([feed.current()?.height, feed.nodeHeight(), feed.unready()], [3, 3, []])
    await find(1)
    assert.deepEqual(feed.unready(), ['height_went_back'])
    await find(undefined)
    assert.deepEqual([feed.current()?.height, feed.unready()], [1, []])
    assert.deepEqual(heights, [5, 7, 8, 3, 1])
    assert.deepEqual(backs, [
      [8, 3],
      [3, 1],
    ])
    await close()
  })
  test('has the height of a node that is behind, and reports it as one that went back when the market is stale', async () => {
    const backs: (readonly number[])[] = []
    const { feed, find, pass, close } = feeding({ wentBack: (...heights) => backs.push(heights) })
    const state = () => [feed.current()?.height, feed.nodeHeight(), feed.unready()]
    for (const found of [8, { behind: 2 }]) await find(found)
    assert.deepEqual(state(), [8, 2, []])
    await find(undefined)
    assert.deepEqual(state(), [8, 8, []])
    pass(10 * feed.maxAge)
    await find({ behind: 3 })
    assert.deepEqual(state(), [8, 3, ['stale', 'height_went_back']])
    for (const found of [4, undefined]) await find(found)
    assert.deepEqual([...state(), backs], [4, 4, [], [[8, 4]]])
    await close()
  })
  test('calls back where the market becomes too old, and with the next height', async () => {
    const { feed, find, pass, close } = feeding()
    const calls: (readonly [number, readonly string[]])[] = []
    feed.subscribe(({ height }) => calls.push([height, feed.unready()]))
    await find(5)
    pass(feed.maxAge + 1)
    await find(undefined)
    await find(undefined)
    await find(6)
    assert.deepEqual(calls, [
      [5, []],
      [5, ['stale']],
      [6, []],
    ])
    await close()
  })
  test('ages a market by its own clock since its reading began, however often it polls', async () => {
    const { feed, find, pass, close } = feeding()
    await find(5)
    for (let i = 0; i < 100; i += 1) {
      pass(100)
      await find(undefined)
      assert.equal(feed.age(), (i + 1) * 100)
      assert.deepEqual(feed.unready(), [])
    }
    pass(1)
    assert.deepEqual(feed.unready(), ['stale'])
    await find(6)
    assert.deepEqual([feed.unready(), feed.age()], [[], 1])
    pass(20_001)
    await find(7)
    assert.deepEqual([feed.unready(), feed.age()], [['stale'], 20_001])
    await close()
  })
  test('keeps a market in use unchanged when another replaces it', async () => {
    const { feed, find, close } = feeding()
    await find(5)
    const held = feed.current()!
    await find(6)
    assert.equal((await held.inline.openMarket()).market.height, 5)
    assert.notEqual(feed.current(), held)
    await close()
  })
  test('continues after failures', async () => {
    const errors: unknown[] = []
    const { feed, find, close } = feeding({ failed: (error) => errors.push(error) })
    await find(5)
    await find(new SwapError('UPSTREAM_ERROR', 'no node'))
    await find(6)
    assert.deepEqual([errors.length, feed.current()?.height], [1, 6])
    await close()
  })
})

describe('a service over a feed', () => {
  test('refuses quotes before the first market and after it has become stale', async () => {
    const { feed, find, pass, close } = feeding()
    const service = await stage({ feed })
    const ask = async () => {
      const route = await service.server.inject(post('/swap/route', body()))
      const ready = await service.server.inject('/readyz')
      const { code, height } = JSON.parse(route.payload) as { code?: string; height?: number }
      const { reasons } = JSON.parse(ready.payload) as { reasons: string[] }
      return [route.statusCode, code ?? height, ready.statusCode, reasons.join()]
    }
    assert.deepEqual(await ask(), [503, 'NOT_READY', 503, 'no_snapshot'])
    await find(5)
    assert.deepEqual(await ask(), [200, 5, 200, ''])
    pass(10_001)
    assert.deepEqual(await ask(), [503, 'STALE_DATA', 503, 'stale'])
    assert.equal((await service.server.inject('/livez')).statusCode, 200)
    await find(undefined)
    await find(6)
    assert.deepEqual(await ask(), [200, 6, 200, ''])
    service.drain()
    assert.deepEqual(await ask(), [200, 6, 503, 'draining'])
    await service.end()
    await close()
  })
  test('reports in /readyz and its metrics that the chain went back, until another poll confirms it', async () => {
    const { feed, find, close } = feeding({ wentBack: () => service.metrics.heightWentBack() })
    const service = await stage({ feed })
    const ready = async () =>
      JSON.parse((await service.server.inject('/readyz')).payload) as unknown
    const metric = async (name: string) =>
      new RegExp(`^${name} (\\d+)`, 'm').exec(await service.metrics.text())?.[1]
    await find(8)
    await find(2)
    const heights = { node: 2, served: 8, indexed: null }
    assert.deepEqual(await ready(), { ready: false, reasons: ['height_went_back'], heights })
    assert.equal(await metric('swap_height_node'), '2')
    assert.equal(await metric('swap_height_went_back_total'), '0')
    await find(2)
    const lower = { ...heights, served: 2 }
    assert.deepEqual(await ready(), { ready: true, reasons: [], heights: lower })
    assert.equal(await metric('swap_height_went_back_total'), '1')
    await service.end()
    await close()
  })
  test('sends the age of the market in the header Age, and nowhere in the body', async () => {
    const { feed, find, pass, close } = feeding()
    const run = () => find(undefined).then(() => find(6).then(() => '{}'))
    const service = await stage({ feed, pool: { ...threadless(), run } })
    await find(5)
    const first = await service.server.inject(post('/swap/route', body()))
    pass(3_500)
    const second = await service.server.inject(post('/swap/route', body()))
    const slow = await service.server.inject(post('/swap/sroute', body()))
    const ages = [first, second, slow].map(({ headers }) => headers['age'])
    assert.deepEqual([...ages, feed.age()], ['0', '3', '3', 0])
    assert.equal(first.payload, second.payload)
    await service.end()
    await close()
  })
  test('sends a new ETag at a new height, and 304 for the present one', async () => {
    const { feed, find, close } = feeding()
    const service = await stage({ feed })
    await find(5)
    const ask = (tag = '"x"') =>
      service.server.inject({ url: '/swap/tokens', headers: { 'if-none-match': tag } })
    const { headers, statusCode } = await ask()
    const tag = String(headers['etag'])
    assert.equal(statusCode, 200)
    assert.match(tag, /^W\/"[\w-]{22}"$/)
    for (const known of [tag, `"x", ${tag}`, tag.slice(2), '*']) {
      const reply = await ask(known)
      assert.deepEqual([reply.statusCode, reply.payload, reply.headers['etag']], [304, '', tag])
    }
    assert.equal((await ask('W/"another"')).statusCode, 200)
    await find(6)
    const later = await ask(tag)
    assert.equal(later.statusCode, 200)
    assert.notEqual(later.headers['etag'], tag)
    await service.end()
    await close()
  })

  test('sends an ETag of the content: equal in every process, another one for other digits', async () => {
    const tagIn = async (market: Market) => {
      const feed = fixedFeed({ market, graph: graphOf(market) })
      const service = await stage({ feed })
      const { headers } = await service.server.inject({ url: '/swap/tokens' })
      await service.end()
      return headers['etag']
    }
    const { market } = marketAt(5)
    const [first, ...others] = market.books
    assert.ok(first !== undefined)
    const tag = await tagIn(market)
    const again = decodeSnapshot(JSON.parse(JSON.stringify(encodeSnapshot(market))), 'a document')
    assert.equal(await tagIn(again), tag)
    assert.notEqual(await tagIn({ ...market, books: new Map(others) }), tag)
  })
})
