import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { selfTest, type TestDepth } from '../../../src/chain/market/self-test.js'
import type { BookPage } from '../../../src/chain/queries/pair.js'
import type { Ask, Reply } from '../../../src/chain/queries/query-batch.js'
import type { Simulation } from '../../../src/chain/queries/router.js'
import { simulateBook } from '../../../src/engine/market/book.js'
import type { Side } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { visibleBook } from '../../../src/engine/market/resting-orders.js'
import { documentOf, marketOf, pairOf } from '../../support/markets.js'
import { messageOf } from './direct.js'

const asks = [
  ['1.01', '1000'],
  ['1.02', '1000'],
  ['1.03', '1000'],
] as const
const bids = [
  ['0.99', '1000'],
  ['0.98', '1000'],
  ['0.97', '1000'],
] as const
const { market } = marketOf(documentOf([pairOf(['p', 'a', 'b'], { asks, bids })]))
const book = market.books.get('p')!

test.each([
  [0, 'even'],
  [1, 'odd'],
])(
  'from height %d on every level of both sides of an unchanged book is simulated at %s heights',
  async (first) => {
    const levelsReached = new Set<string>()
    const ask = (async (question: Parameters<Ask>[0]) => {
      const { denom, amount } = messageOf(question)!.body as { denom: string; amount: string }
      // A level costs about 1,010 on either side.
      levelsReached.add(`${denom} ${Math.ceil(Number(amount) / 1_030)}`)
      return { kind: 'refused', why: 'not answered' }
    }) as Ask
    for (let height = first; height < 128; height += 2)
      await selfTest(ask, book, height, 'unchanged')
    assert.deepEqual([...levelsReached].sort(), ['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'b 3'])
  },
)

describe('the test of a book', () => {
  type Answers = {
    readonly simulate?: (ours: Simulation) => Reply<Simulation>
    readonly page?: (ours: BookPage) => Reply<BookPage>
  }
  const answered = <T>(value: T): Reply<T> => ({ kind: 'answered', value })
  const verdict = (depth: TestDepth, { simulate = answered, page = answered }: Answers) =>
    selfTest(
      (async (question: Parameters<Ask>[0]) => {
        const { name, body } = messageOf(question)!
        const levelsOf = (side: Side) => visibleBook(book.state, side, 4).levels
        if (name === 'book') return page({ asks: levelsOf('ask'), bids: levelsOf('bid') })
        const { denom, amount } = body as { denom: string; amount: string }
        const fill = simulateBook(book, { denom, amount: BigInt(amount) })
        assert.ok(!isRefusal(fill))
        return simulate({ returned: fill.bought, fee: fill.fee })
      }) as Ask,
      book,
      7,
      depth,
    )

  const malformed = { kind: 'malformed', why: 'no number' } as const
  const refused = { kind: 'refused', why: 'out of gas' } as const
  const rows: readonly (readonly [string, Answers, RegExp | undefined])[] = [
    ['the same numbers', {}, undefined],
    [
      'one atomic more',
      { simulate: (ours) => answered({ ...ours, returned: ours.returned + 1n }) },
      /^it simulates \d+ with a fee of 0/,
    ],
    ['another fee', { simulate: (ours) => answered({ ...ours, fee: 1n }) }, /with a fee of 1 for/],
    [
      'a malformed simulation',
      { simulate: () => malformed },
      /^its answer for \d+ [ab] is malformed: no number$/,
    ],
    ['no simulation', { simulate: () => refused }, /^it refuses to simulate .*: out of gas$/],
    ['a malformed book', { page: () => malformed }, /^its book is malformed: no number$/],
    ['no book', { page: () => refused }, undefined],
    [
      'a book without an ask',
      { page: (ours) => answered({ ...ours, asks: ours.asks.slice(0, 2) }) },
      /give more levels/,
    ],
    [
      'a book without a bid',
      { page: (ours) => answered({ ...ours, bids: ours.bids.slice(0, 2) }) },
      /give more levels/,
    ],
  ]
  test.each(rows)('that answers with %s has a verdict', async (_, answers, expected) => {
    const why = await verdict('thorough', answers)
    if (expected === undefined) assert.equal(why, undefined)
    else assert.match(why ?? 'none', expected)
    if (answers.page === undefined)
      assert.equal((await verdict('usual', answers)) === undefined, why === undefined)
  })
})

test('a side that is empty as far as known is simulated as well', async () => {
  const half = marketOf(documentOf([pairOf(['p', 'a', 'b'], { asks })])).market.books.get('p')!
  const verdictOf = (returned: bigint) =>
    selfTest(
      (async (question: Parameters<Ask>[0]) => {
        const { body } = messageOf(question)!
        assert.equal((body as { denom: string }).denom, 'a')
        return { kind: 'answered', value: { returned, fee: 0n } }
      }) as Ask,
      half,
      2,
      'unchanged',
    )
  assert.equal(await verdictOf(0n), undefined)
  assert.match(`${await verdictOf(5n)}`, /^it simulates 5 .* for 100000000 a, where 0 and 0/)
})

test('a thorough test ends in the last level of each side at every height', async () => {
  for (let height = 0; height < 16; height += 1) {
    const largest: Record<string, number> = {}
    const ask = (async (question: Parameters<Ask>[0]) => {
      const { name, body } = messageOf(question)!
      const { denom, amount } = body as { denom: string; amount: string }
      if (name === 'simulate') largest[denom] = Math.max(largest[denom] ?? 0, Number(amount))
      return { kind: 'refused', why: 'not answered' }
    }) as Ask
    await selfTest(ask, book, height, 'thorough')
    assert.ok(largest['a']! > 2_030 && largest['b']! > 2_030, `${height}`)
  }
})
