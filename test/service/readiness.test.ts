import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { SwapError } from '../../src/engine/errors.js'
import {
  type MarketSource,
  pollingFeed,
  type ReadResult,
} from '../../src/service/feed/polling-feed.js'
import { body, post, type Staged, stage, venueAt } from './stage.js'

const MAX_AGE = 10_000
const HALTED_AFTER = 30_000
const venue = venueAt(120)

/** The market with so many of its pairs out of reach. */
function without(pairs: number) {
  const { market, graph } = venue
  const lost = [...market.books.keys()].slice(0, pairs)
  const books = new Map([...market.books].filter(([address]) => !lost.includes(address)))
  const unreadable = lost.map((address) => ({
    address,
    status: 'unreadable',
    reason: 'unreadable: -',
  }))
  const excluded = [...market.excluded, ...unreadable]
  return { market: { ...market, books, excluded }, graph }
}
const { books, excluded } = venue.market
const LOST = excluded.filter(({ status }) => status !== 'halted').length
const FIFTH = Math.floor((books.size + LOST) / 5) - LOST

/** A feed on a clock that a test turns. What a look finds is what `find` was last given. */
function clockwork() {
  let time = 0
  let finds: ReadResult | Error | undefined
  let [looks, told] = [0, () => {}]
  const source: MarketSource = {
    async read() {
      looks += 1
      const found = finds
      if (!(found instanceof Error)) finds = undefined
      queueMicrotask(told)
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
    /** Looks until the source was asked again, and once more so that the answer was taken. */
    async find(found: ReadResult | Error | undefined) {
      finds = found
      for (const until = looks + 2; looks < until; )
        await new Promise<void>((resolve) => {
          told = resolve
          hint()
        })
    },
  }
}

/** What the three questions are answered with. */
async function asked({ server }: Staged): Promise<readonly unknown[]> {
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

describe('whether it lives, is ready and quotes', () => {
  const states: readonly (readonly [
    string,
    (clock: ReturnType<typeof clockwork>, service: Staged) => Promise<void>,
    readonly unknown[],
  ])[] = [
    ['before the first market', async () => {}, [200, 503, 'no_snapshot', 503, 'NOT_READY']],
    [
      'with no node at the start',
      ({ find }) => find(new SwapError('UPSTREAM_ERROR', 'no node')),
      [200, 503, 'no_snapshot', 503, 'NOT_READY'],
    ],
    ['with a fresh market', ({ find }) => find({ view: venue }), [200, 200, '', 200, '']],
    [
      'at the last moment of a market',
      async ({ find, pass }) => {
        await find({ view: venue })
        pass(MAX_AGE)
      },
      [200, 200, '', 200, ''],
    ],
    [
      'with a market that is too old',
      async ({ find, pass }) => {
        await find({ view: venue })
        pass(MAX_AGE + 1)
      },
      [200, 503, 'stale', 503, 'STALE_DATA'],
    ],
    [
      'on a chain that makes no blocks while its nodes answer',
      async ({ find, pass }) => {
        await find({ view: venue })
        await find(undefined)
        pass(HALTED_AFTER + 1)
      },
      [200, 503, 'stale,halted', 503, 'STALE_DATA'],
    ],
    [
      'with nodes that do not say the same',
      async ({ find }) => {
        await find({ view: venue })
        await find({ disputed: 'pair demo1x at height 121' })
      },
      [200, 503, 'rpc_disagreement', 503, 'NOT_READY'],
    ],
    [
      'with nodes that agree again',
      async ({ find }) => {
        await find({ disputed: 'pair demo1x at height 121' })
        await find({ view: venue })
      },
      [200, 200, '', 200, ''],
    ],
    [
      'with a fifth of its pairs out of reach',
      ({ find }) => find({ view: without(FIFTH) }),
      [200, 200, '', 200, ''],
    ],
    [
      'with more than a fifth of its pairs out of reach',
      ({ find }) => find({ view: without(FIFTH + 1) }),
      [200, 503, 'too_few_books', 503, 'NOT_READY'],
    ],
    [
      'on a chain that went back, as two looks say',
      async ({ find }) => {
        await find({ view: venue })
        await find({ view: venueAt(100) })
      },
      [200, 200, '', 200, ''],
    ],
    [
      'while it ends',
      async ({ find }, service) => {
        await find({ view: venue })
        service.drain()
      },
      [200, 503, 'draining', 200, ''],
    ],
  ]
  for (const [state, bring, expected] of states)
    test(state, async () => {
      const clock = clockwork()
      const service = await stage({ feed: clock.feed })
      await bring(clock, service)
      assert.deepEqual(await asked(service), expected)
      await service.end()
      await clock.feed.close()
    })

  test('nodes that disagree are named to nobody outside', async () => {
    const clock = clockwork()
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

describe('a node that is stuck', () => {
  const probed = async (gaps: readonly number[]): Promise<number> => {
    const { feed, find, pass } = clockwork()
    await find({ view: venue })
    let [time, lastReady] = [0, 0]
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
    test(`turns the service unready at the same time when it is asked ${rate} times a second`, async () => {
      const count = Math.ceil((2 * MAX_AGE) / gap)
      assert.equal(await probed(Array(count).fill(gap)), MAX_AGE)
    })
  test('does so however irregularly somebody asks', async () => {
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
