import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { SwapError } from '../../src/engine/errors.js'
import { eventsOf } from '../../src/library/service-answer.js'
import {
  type MarketSource,
  pollingFeed,
  type ReadResult,
} from '../../src/service/feed/polling-feed.js'
import { body, marketAt, post, type Staged, stage } from './stage.js'

const MAX_AGE = 10_000
const HALTED_AFTER = 30_000
const fullMarket = marketAt(120)

/** The market with this many of its pairs unreadable. */
function without(pairs: number, height = 120) {
  const { market, graph } = fullMarket
  const lost = [...market.books.keys()].slice(0, pairs)
  const books = new Map([...market.books].filter(([address]) => !lost.includes(address)))
  const unreadable = lost.map((address) => ({
    address,
    status: 'unreadable',
    reason: 'unreadable: -',
  }))
  const excluded = [...market.excluded, ...unreadable]
  return { market: { ...market, height, books, excluded }, graph }
}
const { books, excluded } = fullMarket.market
const LOST = excluded.filter(({ status }) => status !== 'halted').length
const FIFTH = Math.floor((books.size + LOST) / 5) - LOST

/** A feed on a clock of the test. A poll returns the last argument of `find`. */
function controlledFeed() {
  let time = 0
  let finds: ReadResult | Error | undefined
  let looks = 0
  let notify = () => {}
  const source: MarketSource = {
    async read() {
      looks += 1
      const found = finds
      if (!(found instanceof Error)) finds = undefined
      queueMicrotask(notify)
      if (found instanceof Error) throw found
      return found
    },
    hints(listener) {
      hint = listener
      return () => {}
    },
  }
  let hint = () => {}
  const feed = pollingFeed(source, {
    every: 1,
    maxAge: MAX_AGE,
    haltedAfter: HALTED_AFTER,
    leastShare: 8_000,
    now: () => time,
  })
  return {
    feed,
    pass: (ms: number) => {
      time += ms
    },
    /** Polls until the source is read, and once more so that the result is taken. */
    async find(found: ReadResult | Error | undefined) {
      finds = found
      for (const until = looks + 2; looks < until; )
        await new Promise<void>((resolve) => {
          notify = resolve
          hint()
        })
    },
  }
}

/** The answers of /livez, /readyz and a quote. */
async function statusesOf({ server }: Staged): Promise<readonly unknown[]> {
  const [live, ready, quote] = [
    await server.inject('/livez'),
    await server.inject('/readyz'),
    await server.inject(post('/swap/route', body())),
  ]
  const { reasons } = JSON.parse(ready.payload) as { reasons: string[] }
  const { code } = JSON.parse(quote.payload) as { code?: string }
  if (quote.statusCode === 503) assert.equal(quote.headers['retry-after'], '1')
  return [live.statusCode, ready.statusCode, reasons.join(), quote.statusCode, code ?? '']
}

describe('liveness, readiness and quotes', () => {
  const states: readonly (readonly [
    string,
    (clock: ReturnType<typeof controlledFeed>, service: Staged) => Promise<void>,
    readonly unknown[],
  ])[] = [
    ['before the first market', async () => {}, [200, 503, 'no_snapshot', 503, 'NOT_READY']],
    [
      'without a reachable node at the start',
      ({ find }) => find(new SwapError('UPSTREAM_ERROR', 'no node')),
      [200, 503, 'no_snapshot', 503, 'NOT_READY'],
    ],
    ['with a fresh market', ({ find }) => find({ view: fullMarket }), [200, 200, '', 200, '']],
    [
      'with a market at its maximum age',
      async ({ find, pass }) => {
        await find({ view: fullMarket })
        pass(MAX_AGE)
      },
      [200, 200, '', 200, ''],
    ],
    [
      'with a market that is too old',
      async ({ find, pass }) => {
        await find({ view: fullMarket })
        pass(MAX_AGE + 1)
      },
      [200, 503, 'stale', 503, 'STALE_DATA'],
    ],
    [
      'on a chain that makes no blocks while its nodes answer',
      async ({ find, pass }) => {
        await find({ view: fullMarket })
        await find(undefined)
        pass(HALTED_AFTER + 1)
      },
      [200, 503, 'stale,halted', 503, 'STALE_DATA'],
    ],
    [
      'with nodes that disagree',
      async ({ find }) => {
        await find({ view: fullMarket })
        await find({ disputed: 'pair demo1x at height 121' })
      },
      [200, 503, 'rpc_disagreement', 503, 'NOT_READY'],
    ],
    [
      'with nodes that agree again',
      async ({ find }) => {
        await find({ disputed: 'pair demo1x at height 121' })
        await find({ view: fullMarket })
      },
      [200, 200, '', 200, ''],
    ],
    [
      'with a fifth of the pairs unreadable',
      ({ find }) => find({ view: without(FIFTH) }),
      [200, 200, '', 200, ''],
    ],
    [
      'with more than a fifth of the pairs unreadable',
      ({ find }) => find({ view: without(FIFTH + 1) }),
      [200, 503, 'too_few_books', 503, 'NOT_READY'],
    ],
    [
      'on a chain that went back, confirmed by two polls',
      async ({ find }) => {
        await find({ view: fullMarket })
        await find({ view: marketAt(100) })
      },
      [200, 200, '', 200, ''],
    ],
    [
      'during shutdown',
      async ({ find }, service) => {
        await find({ view: fullMarket })
        service.drain()
      },
      [200, 503, 'draining', 200, ''],
    ],
  ]
  for (const [state, bring, expected] of states)
    test(state, async () => {
      const clock = controlledFeed()
      const service = await stage({ feed: clock.feed })
      await bring(clock, service)
      assert.deepEqual(await statusesOf(service), expected)
      await service.end()
      await clock.feed.close()
    })

  test('of open streams are problems while nothing is quoted, and quotes again afterwards', async () => {
    const clock = controlledFeed()
    await clock.find({ view: fullMarket })
    const service = await stage({ feed: clock.feed })
    const url = `${await service.server.listen({ host: '127.0.0.1', port: 0 })}/swap/stream`
    const reply = await fetch(`${url}?input.denom=btc-btc&input.amount=150000000&output.denom=rune`)
    const events = eventsOf(reply.body!)
    const next = async () => {
      const { event, id, data } = (await events.next()).value!
      return [event, id, (JSON.parse(data) as { code?: string }).code]
    }
    assert.deepEqual(await next(), ['quote', '120', undefined])
    await clock.find({ view: without(FIFTH + 1, 121) })
    assert.deepEqual(await next(), ['problem', '121', 'NOT_READY'])
    await clock.find({ view: marketAt(122), ageMs: MAX_AGE + 1 })
    assert.deepEqual(await next(), ['problem', '122', 'STALE_DATA'])
    await clock.find({ view: marketAt(123) })
    assert.deepEqual(await next(), ['quote', '123', undefined])
    await events.return(undefined)
    await service.end()
    await clock.feed.close()
  })

  test('of a stream that is opened while nothing is quoted begin with the problem, once', async () => {
    const clock = controlledFeed()
    const service = await stage({ feed: clock.feed })
    const base = await service.server.listen({ host: '127.0.0.1', port: 0 })
    const url = `${base}/swap/stream?input.denom=btc-btc&input.amount=150000000&output.denom=rune`
    assert.equal((await fetch(url)).status, 503)
    await clock.find({ view: fullMarket, ageMs: MAX_AGE + 1 })
    const reply = await fetch(url)
    assert.equal(reply.status, 200)
    const events = eventsOf(reply.body!)
    const next = async () => {
      const { event, id, data } = (await events.next()).value!
      return [event, id, (JSON.parse(data) as { code?: string }).code]
    }
    assert.deepEqual(await next(), ['problem', '120', 'STALE_DATA'])
    await clock.find({ view: marketAt(121) })
    assert.deepEqual(await next(), ['quote', '121', undefined])
    await events.return(undefined)
    await service.end()
    await clock.feed.close()
  })

  test('do not name the nodes that disagree', async () => {
    const clock = controlledFeed()
    const service = await stage({ feed: clock.feed })
    await clock.find({ disputed: 'https://secret.example/key and another differ' })
    for (const request of [post('/swap/route', body()), '/readyz', '/swap/tokens']) {
      const { payload } = await service.server.inject(request)
      assert.equal(payload.includes('secret'), false)
    }
    await service.end()
    await clock.feed.close()
  })
})

describe('readiness with a node that stopped responding', () => {
  const probed = async (gaps: readonly number[]): Promise<number> => {
    const { feed, find, pass } = controlledFeed()
    await find({ view: fullMarket })
    let time = 0
    let lastReady = 0
    for (const gap of gaps) {
      time += gap
      pass(gap)
      if (feed.unready().length > 0) break
      lastReady = time
    }
    await feed.close()
    return lastReady
  }
  for (const [rate, gap] of [
    ['0.1', 10_000],
    ['1', 1_000],
    ['10', 100],
  ] as const)
    test(`turns unready at the same time with ${rate} health checks a second`, async () => {
      const count = Math.ceil((2 * MAX_AGE) / gap)
      assert.equal(await probed(Array(count).fill(gap)), MAX_AGE)
    })
  test('turns unready at the same time with health checks at irregular intervals', async () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 50 })
    await fc.assert(
      fc.asyncProperty(gaps, async (all) => {
        const ready = await probed(all)
        assert.ok(ready <= MAX_AGE)
        const total = all.reduce((sum, gap) => sum + gap, 0)
        assert.ok(ready === total || ready > MAX_AGE - 2_000)
      }),
      { numRuns: 30 },
    )
  })
})
