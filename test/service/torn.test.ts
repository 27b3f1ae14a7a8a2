import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { MarketView } from '../../src/operations/context.js'
import { stringify } from '../../src/operations/json.js'
import { operationOf } from '../../src/operations/operations.js'
import { runs } from '../support/books.js'
import { body, post, stage, threads } from './stage.js'
import { markedVenue, steppedFeed } from './stepped.js'

/** Milliseconds between two heights. */
const STEP_MS = 10
const IN_FLIGHT = 64
/** One request in so many is of the kind that another thread computes: often enough that some wait. */
const HEAVY_EVERY = 25

const pool = threads(IN_FLIGHT)
afterAll(() => pool.close())

type Made = { readonly operation: string; readonly request: object }

/** Requests of which nearly none is like another. */
const made = (n: number): Made =>
  n % HEAVY_EVERY === 0
    ? { operation: 'sroute', request: { ...body(`${20_000_000 + n}`), max_legs: 2 } }
    : { operation: 'route', request: body(`${1_000_000 + 977 * n}`) }

/** Markets of the last heights. */
const venues = new Map<number, MarketView>()
function known(height: number): MarketView {
  const venue = venues.get(height) ?? markedVenue(height)
  venues.set(height, venue)
  if (venues.size > 100) venues.delete(venues.keys().next().value ?? 0)
  return venue
}

/** What an operation answers from one market, asked on this thread. */
const reference = async ({ operation, request }: Made, venue: MarketView): Promise<string> =>
  stringify(
    await operationOf(operation)
      .prepare(request)
      .run({ openMarket: () => Promise.resolve(venue) }),
  )

/** Asks so many times while heights come and go, or until enough are wrong. @returns how many answers were not of their height */
async function torn(
  count: number,
  venueOf: (height: number) => MarketView,
  enough = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { feed, step } = steppedFeed(1, venueOf)
  const service = await stage({ feed, pool })
  let [next, wrong, height] = [0, 0, 1]
  const seen: number[] = []
  const blocks = setInterval(() => step((height += 1)), STEP_MS)
  const asker = async (): Promise<void> => {
    while (next < count && wrong < enough) {
      const question = made(next++)
      const ask = () => service.server.inject(post(`/swap/${question.operation}`, question.request))
      let { payload, statusCode } = await ask()
      // Where others take the processor, a long one may find no time; then it is asked again.
      while (statusCode === 503) ({ payload, statusCode } = await ask())
      assert.equal(statusCode, 200, payload)
      const { height: stated } = JSON.parse(payload) as { height: number }
      if (payload !== (await reference(question, known(stated)))) wrong += 1
      seen.push(stated)
      // Requests of one address follow one another; so do the heights that it is told.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, asker))
  clearInterval(blocks)
  assert.ok(wrong >= enough || new Set(seen).size > 5, 'many heights were answered from')
  await service.close()
  return wrong
}

describe('while blocks come every ten milliseconds', () => {
  beforeAll(async () => {
    // A thread is started by the first heavy request.
    const { feed } = steppedFeed(1, markedVenue)
    const service = await stage({ feed, pool })
    const { operation, request } = made(0)
    const ask = () => service.server.inject(post(`/swap/${operation}`, request))
    while ((await ask()).statusCode !== 200);
    await service.close()
  })

  const numRuns = runs(1).numRuns > 1 ? 10_000 : 200
  test(`each of ${numRuns} answers is wholly of the height that it states`, async () => {
    assert.equal(await torn(numRuns, markedVenue), 0)
  }, 3_600_000)

  test('a market that is changed in place would be noticed', async () => {
    const { market } = markedVenue(1)
    const books = new Map(market.books)
    const live = (height: number): MarketView => {
      const fresh = markedVenue(height)
      for (const [address, book] of fresh.market.books) books.set(address, book)
      return { ...fresh, market: { ...fresh.market, books } }
    }
    assert.ok((await torn(20_000, live, 1)) > 0)
  })
})
