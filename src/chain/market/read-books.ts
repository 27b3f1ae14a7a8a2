import type { Book } from '../../engine/market/book.js'
import type { Excluded, Market } from '../../engine/market/market.js'
import { type Ask, Unreadable } from '../queries/query-batch.js'
import { type PairFacts, readPairFacts } from './pair-config.js'
import { type PairReading, readPair, stepDown } from './read-pair.js'
import type { ReaderMemory } from './reader-cache.js'
import { selfTest } from './self-test.js'

/** What reading the books of one height needs. */
type Reading = { readonly memory: ReaderMemory; readonly ask: Ask; readonly height: number }

/**
 * The books of the pairs, each as exactly as it can be read: what does not decode, or does not give
 * what the pair's own simulation gives, is read again in the next best way. A pair for which no way
 * is left is noted in `left`; the others do not suffer from it.
 *
 * @param decode makes a market of pairs of the snapshot document
 */
export async function readBooks(
  reading: Reading,
  pairs: readonly PairFacts[],
  decode: (pairs: readonly object[]) => Market,
  left: Map<string, Excluded>,
): Promise<ReadonlyMap<string, Book>> {
  const books = new Map<string, Book>()
  for (let pending = pairs; pending.length > 0; ) {
    const readings = new Map<string, PairReading>()
    await Promise.all(pending.map((facts) => readOne(reading, facts, readings, left)))
    const market = decode([...readings.values()].map(({ document }) => document))
    const excluded = new Map(market.excluded.map((each) => [each.address, ofItself(each)]))
    const again = await Promise.all(
      pending.map((facts) => judge(reading, facts, { readings, market, excluded, books, left })),
    )
    pending = again.filter((each) => each !== undefined)
  }
  return books
}

async function readOne(
  { ask, memory, height }: Reading,
  facts: PairFacts,
  readings: Map<string, PairReading>,
  left: Map<string, Excluded>,
): Promise<void> {
  const { address } = facts
  try {
    readings.set(address, await readPair(ask, facts, memory.pair(address, height), memory.taciturn))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    left.set(address, unreadable(address, error.message))
  }
}

const UNREADABLE = 'unreadable'

/** A pair of which nothing can be read, in the words of the market. */
export const unreadable = (address: string, why: string): Excluded => ({
  address,
  status: UNREADABLE,
  reason: `${UNREADABLE}: ${why}`,
})

/** The reason without the place in the document, which is nobody's but this read's. */
const ofItself = (excluded: Excluded): Excluded => ({
  ...excluded,
  reason: excluded.reason.replace(/^(\w+: )\/pairs\/\d+\/?/, '$1'),
})

type Outcome = {
  readonly readings: ReadonlyMap<string, PairReading>
  readonly market: Market
  readonly excluded: ReadonlyMap<string, Excluded>
  readonly books: Map<string, Book>
  readonly left: Map<string, Excluded>
}

/** Takes a book as it is, gives its pair up, or says that it is to be read again. */
async function judge(
  reading: Reading,
  facts: PairFacts,
  { readings, market, excluded, books, left }: Outcome,
): Promise<PairFacts | undefined> {
  const { address } = facts
  const { way } = readings.get(address) ?? {}
  if (way === undefined) return undefined
  const book = market.books.get(address)
  const fault = book === undefined ? excluded.get(address)?.reason : await test(reading, book, way)
  if (fault === undefined) {
    if (book !== undefined) books.set(address, book)
    return undefined
  }
  const fresh = await renewed(reading, facts)
  if (fresh !== undefined) return fresh
  if (way === 'estimate') {
    left.set(address, excluded.get(address) ?? unreadable(address, fault))
    return undefined
  }
  stepDown(reading.memory.pair(address, reading.height), fault)
  return facts
}

async function test(
  { ask, memory, height }: Reading,
  book: Book,
  way: PairReading['way'],
): Promise<string | undefined> {
  // An estimate says itself that it is none of the contract's own numbers.
  if (way === 'estimate') return undefined
  const known = memory.pair(book.state.pair.address, height)
  const fault = await selfTest(ask, book, height, !known.isTested)
  known.isTested ||= fault === undefined
  return fault
}

/** What was remembered of a pair may have changed since: then it is read once more before all else. */
async function renewed(
  { ask, memory, height }: Reading,
  facts: PairFacts,
): Promise<PairFacts | undefined> {
  if (facts.height === height) return undefined
  try {
    const fresh = await readPairFacts(ask, facts.address, height)
    memory.setFacts(fresh)
    return fresh
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}
