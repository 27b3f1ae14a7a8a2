import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { MarketView } from '../../src/operations/context.js'
import { operationOf } from '../../src/operations/operations.js'
import { runs } from '../support/books.js'
import { longTest } from '../support/long.js'
import { body, post, stage, threads } from './stage.js'
import { markedMarket, steppedFeed } from './stepped.js'

/** Milliseconds between two heights. */
const STEP_MS = 10
const IN_FLIGHT = 64
/** One request of this many is computed by a worker thread: often enough that some wait. */
const HEAVY_EVERY = 25

const pool = threads(IN_FLIGHT)
afterAll(() => pool.close())

type Made = { readonly operation: string; readonly request: object }

/** Requests that nearly all differ. */
const made = (n: number): Made =>
  n % HEAVY_EVERY === 0
    ? { operation: 'sroute', request: { ...body(`${20_000_000 + n}`), max_legs: 2 } }
    : { operation: 'route', request: body(`${1_000_000 + 977 * n}`) }

/** Markets of the last heights. */
const venues = new Map<number, MarketView>()
function known(height: number): MarketView {
  const view = venues.get(height) ?? markedMarket(height)
  venues.set(height, view)
  if (venues.size > 100) venues.delete(venues.keys().next().value ?? 0)
  return view
}

/** The answer of an operation from one market, computed on this thread. */
const reference = async ({ operation, request }: Made, view: MarketView): Promise<string> =>
  JSON.stringify(
    await operationOf(operation)
      .prepare(request)
      .run({ openMarket: () => Promise.resolve(view) }),
  )

/** Heights that have to be answered from. */
const HEIGHTS = 6

/**
 * Sends at least this many requests, until several heights were answered from or `enough` answers are
 * wrong. @returns how many answers were not of their height
 */
async function answersOfOtherHeights(
  count: number,
  venueOf: (height: number) => MarketView,
  enough = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { feed, step } = steppedFeed(1, venueOf)
  const service = await stage({ feed, pool })
  let next = 0
  let wrong = 0
  let height = 1
  const seen = new Set<number>()
  const blocks = setInterval(() => step((height += 1)), STEP_MS)
  const client = async (): Promise<void> => {
    while ((next < count || seen.size < HEIGHTS) && wrong < enough) {
      const question = made(next++)
      const ask = () => service.server.inject(post(`/swap/${question.operation}`, question.request))
      let { payload, statusCode } = await ask()
      // On a loaded machine a long request may be refused as OVERLOADED; then it is repeated.
      while (statusCode === 503) ({ payload, statusCode } = await ask())
      assert.equal(statusCode, 200, payload)
      const { height: stated } = JSON.parse(payload) as { height: number }
      if (payload !== (await reference(question, known(stated)))) wrong += 1
      seen.add(stated)
      // A client sends its next request after the answer, so its heights ascend.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, client))
  clearInterval(blocks)
  await service.close()
  return wrong
}

describe('while blocks come every ten milliseconds', () => {
  beforeAll(async () => {
    // The first heavy request starts a thread.
    const { feed } = steppedFeed(1, markedMarket)
    const service = await stage({ feed, pool })
    const { operation, request } = made(0)
    const ask = () => service.server.inject(post(`/swap/${operation}`, request))
    while ((await ask()).statusCode !== 200);
    await service.close()
  })

  const numRuns = runs(1).numRuns > 1 ? 10_000 : 200
  test(`each of ${numRuns} answers is entirely of the height that it states`, async () => {
    assert.equal(await answersOfOtherHeights(numRuns, markedMarket), 0)
  }, 3_600_000)

  longTest('a market that is changed in place is detected', async () => {
    const { market } = markedMarket(1)
    const books = new Map(market.books)
    const live = (height: number): MarketView => {
      const fresh = markedMarket(height)
      for (const [address, book] of fresh.market.books) books.set(address, book)
      return { ...fresh, market: { ...fresh.market, books } }
    }
    assert.ok((await answersOfOtherHeights(20_000, live, 1)) > 0)
  })
})
