import assert from 'node:assert/strict'
import { test } from 'vitest'
import { demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import { type Book, quoteBook, simulateBook } from '../../../src/engine/market/book.js'
import type { Market } from '../../../src/engine/market/market.js'
import { offerDenom, type Side } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { encodeSnapshot } from '../../../src/engine/snapshot/encode.js'
import { TIMES } from '../../support/books.js'
import type { VectorMarket } from '../../support/cases.js'
import { drawMarket } from '../../support/drawn-market.js'
import { costsOf, documentOf, encodeBook, marketOf, pairOf, seeds } from '../../support/markets.js'
import { readLines } from '../../support/vectors.js'

const written = (market: Market): string => JSON.stringify(encodeSnapshot(market))
const readBack = (text: string): Market => decodeSnapshot(JSON.parse(text), 'written')

/** The results for one offer, refusals with their messages. */
function answers(book: Book, side: Side, amount: bigint): readonly object[] {
  const offer = { denom: offerDenom(book.state.pair, side), amount }
  return [quoteBook(book, offer), simulateBook(book, offer)]
}

/** Offers around the end of each of the first levels of a side. */
const offersTo = (book: Book, side: Side): readonly bigint[] =>
  costsOf(book, side, 6)
    .flatMap((cost) => [cost - 1n, cost, cost + 1n, cost / 2n])
    .concat(1n, 1000n, 10n ** 12n)
    .filter((offer) => offer > 0n)

/**
 * Asserts that a market and its written document give the same answers, and that writing is stable and gives plain
 * JSON, which tapes compare without writing it.
 */
function assertSame(market: Market, name: string): void {
  const text = written(market)
  assert.deepEqual(JSON.parse(text), encodeSnapshot(market), name)
  const again = readBack(text)
  assert.deepEqual([...again.books.keys()], [...market.books.keys()], name)
  assert.equal(written(again), text, name)
  for (const [address, book] of market.books)
    for (const side of ['ask', 'bid'] as const)
      for (const offer of offersTo(book, side))
        assert.deepEqual(
          answers(again.books.get(address)!, side, offer),
          answers(book, side, offer),
          `${name} ${address} ${side} ${offer}`,
        )
  const rest = ({ books: _books, ...head }: Market) => head
  assert.deepEqual(rest(again), rest(market), name)
}

test('a generated market that is written and read gives the same answers and the same document', () => {
  let pairs = 0
  for (const seed of seeds(12)) {
    const { market } = drawMarket(seed)
    assertSame(market, `seed ${seed}`)
    pairs += market.books.size
  }
  assert.ok(pairs > 120, `${pairs} pairs`)
})

test('the demo market that is written and read gives the same answers and the same document', () => {
  assertSame(decodeSnapshot(demoSnapshot(1), 'demo'), 'demo')
})

for (const [what, members] of [
  ['with their storage', []],
  ['without their storage', ['pools', 'balances']],
  ['without storage and makers', ['pools', 'balances', 'makers']],
] as const)
  test(`the recorded markets ${what} that are written and read give the same answers and the same document`, () => {
    for (const [i, { id, snapshot }] of readLines<VectorMarket>('public.jsonl').entries()) {
      if (i % 20 !== 0 && TIMES === 1) continue
      const pairs = snapshot.pairs.map((pair) =>
        Object.fromEntries(Object.entries(pair).filter(([key]) => !members.some((m) => m === key))),
      )
      assertSame(decodeSnapshot({ ...snapshot, pairs }, id), id)
    }
  })

test('a snapshot with a cut book beside its storage loses nothing', () => {
  for (const seed of seeds(4)) {
    const { market } = drawMarket(seed, { books: false })
    const document = encodeSnapshot(market) as { pairs: { address: string; book?: object }[] }
    for (const pair of document.pairs)
      if (pair.book) pair.book = encodeBook(market.books.get(pair.address)!.state, 1)
    const again = readBack(JSON.stringify(document))
    for (const [address, book] of market.books)
      for (const side of ['ask', 'bid'] as const)
        for (const offer of offersTo(book, side))
          assert.deepEqual(
            answers(again.books.get(address)!, side, offer),
            answers(book, side, offer),
            `seed ${seed} ${address} ${side} ${offer}`,
          )
  }
})

test('a cut book is marked as cut after writing and reading', () => {
  const xyk = [
    { x: 'a', y: 'b', step: '0.01', min_quote: '1000', fee: '0' },
    { x: '1000000', y: '2000000' },
  ]
  const maker = { address: 'm', strategy: { xyk } }
  const full = pairOf(['p', 'a', 'b'], { bids: [['1.9', '100']] }, { makers: [maker] })
  const { books } = marketOf(documentOf([full])).market
  const { pools: _pools, ...seen } = full
  const cut = { ...seen, address: 'p', book: encodeBook(books.get('p')!.state, 2) }
  const market = marketOf(documentOf([cut])).market
  const exact = (from: Market) => {
    const fill = quoteBook(from.books.get('p')!, { denom: 'a', amount: 100_000n })
    return !isRefusal(fill) && fill.exact
  }
  assert.equal(exact(market), false)
  assert.equal(exact(readBack(written(market))), false)
})

test('a pair is written even if reading a level of its maker aborts', () => {
  const levels = { base: [], quote: [{ price: '1000000000', size: `${10n ** 20n}` }] }
  const pair = pairOf(
    ['p', 'a', 'b'],
    { bids: [['1', '5']] },
    { makers: [{ address: 'm', levels }] },
  )
  const { market } = marketOf(documentOf([pair]))
  assert.equal(market.books.size, 1)
  assert.equal(readBack(written(market)).books.size, 1)
})

test('a pair is read although the ladder of its small maker does not descend', () => {
  const xyk = [
    { x: 'a', y: 'b', step: '0.05', min_quote: '1', fee: '0.02' },
    { x: '72', y: '126' },
  ]
  const pair = pairOf(['p', 'a', 'b'], {}, { makers: [{ address: 'm', strategy: { xyk } }] })
  const { market } = marketOf(documentOf([pair]))
  assert.deepEqual([...readBack(written(market)).books.keys()], ['p'])
})

test('excluded pairs keep their reasons after writing and reading', () => {
  const pairs = [
    pairOf(['halted', 'a', 'b'], {}, { status: 'halted', reason: 'upgrade: soon' }),
    pairOf(['broken', 'a', 'b'], {}, { tick: 0 }),
    pairOf(['silent', 'a', 'b'], {}, { status: 'unreadable' }),
    pairOf(['odd', 'a', 'b'], {}, { status: 'Half open', reason: 'x' }),
  ]
  const { market } = marketOf(documentOf(pairs))
  assert.deepEqual(readBack(written(market)).excluded, market.excluded)
})
