import type { Book } from '../../engine/market/book.js'
import type { Excluded, Market } from '../../engine/market/market.js'
import { Unreadable } from '../queries/query-batch.js'
import { reasonIn } from '../tx/refusal.js'
import { type PairContract, readPairContract } from './pair-config.js'
import { type PairReading, readPair, stepDown } from './read-pair.js'
import type { KeptBook, Reading } from './reader-cache.js'
import { selfTest, type TestDepth } from './self-test.js'

type BookReading = Pick<Reading, 'cache' | 'ask' | 'height'> & {
  /** What has changed since the last read; `undefined` where that is not known. */
  readonly touched: ReadonlySet<string> | undefined
}

/**
 * The books of the pairs, each as exactly as it can be read: what does not decode, or does not give
 * what the pair's own simulation gives, is read again in the next best way. A pair for which no way
 * is left is added to `left`; the others do not suffer from it. Books that nothing has touched since the last read are
 * not read again, but tested at every second height.
 *
 * @param decode makes a market of pairs of the snapshot document
 */
export async function readBooks(
  reading: BookReading,
  pairs: readonly PairContract[],
  decode: (pairs: readonly object[]) => Market,
  left: Map<string, Excluded>,
): Promise<ReadonlyMap<string, Book>> {
  const books = new Map<string, Book>()
  const kept = new Map(pairs.flatMap((facts) => unchanged(reading, facts)))
  const readAll = (some: readonly PairContract[]) =>
    readUntilRight(reading, some, { decode, left, books })
  const faulty = async (): Promise<readonly PairContract[]> => {
    const tested = await Promise.all(
      [...kept].map(async ([address, { book, facts }]) => {
        const isDue = isEven(reading.height) === isEven(address.charCodeAt(address.length - 1))
        if (isDue && (await test(reading, book, 'storage', 'unchanged')) !== undefined)
          return [facts]
        books.set(address, book)
        return []
      }),
    )
    return tested.flat()
  }
  const [again] = await Promise.all([
    faulty(),
    readAll(pairs.filter(({ address }) => !kept.has(address))),
  ])
  await readAll(again)
  keepBooks(reading, pairs, books)
  return books
}

const isEven = (number: number): boolean => number % 2 === 0

/** A book of the last read whose pair and makers have the same state: nothing of it depends on other contracts. */
function unchanged(
  { cache, height, touched }: BookReading,
  facts: PairContract,
): readonly (readonly [string, KeptBook])[] {
  const { address, config } = facts
  const kept = cache.last?.books.get(address)
  if (kept?.facts !== facts || touched === undefined) return []
  const isTouched = [address, ...config.makers].some((each) => touched.has(each))
  return isTouched || cache.pair(address, height).way !== 'storage' ? [] : [[address, kept]]
}

/** Keeps the books that depend on their own state only: no oracle, and no maker that answers quotes. */
function keepBooks(
  { cache, height }: BookReading,
  pairs: readonly PairContract[],
  books: ReadonlyMap<string, Book>,
): void {
  const kept = pairs.flatMap((facts): (readonly [string, KeptBook])[] => {
    const book = books.get(facts.address)
    const isOwn =
      book !== undefined &&
      facts.config.oracles === null &&
      book.state.makers?.every(({ kind }) => kind === 'xyk') === true
    return isOwn ? [[facts.address, { book, facts }]] : []
  })
  cache.last = { height, books: new Map(kept) }
}

type Reader = {
  readonly decode: (pairs: readonly object[]) => Market
  readonly left: Map<string, Excluded>
  readonly books: Map<string, Book>
}

/** Reads pairs, and those that fail the test again in the next best way. */
async function readUntilRight(
  reading: BookReading,
  pairs: readonly PairContract[],
  { decode, left, books }: Reader,
): Promise<void> {
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
}

async function readOne(
  { ask, cache, height }: BookReading,
  facts: PairContract,
  readings: Map<string, PairReading>,
  left: Map<string, Excluded>,
): Promise<void> {
  const { address } = facts
  try {
    readings.set(
      address,
      await readPair(ask, facts, cache.pair(address, height), cache.unreadableMakers),
    )
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    left.set(address, unreadable(address, error.message))
  }
}

/** A pair that cannot be read, as the market lists it. */
export function unreadable(address: string, why: string): Excluded {
  const status = reasonIn(why) === 'halted' ? 'halted' : 'unreadable'
  return { address, status, reason: `${status}: ${why}` }
}

/** The reason without its position in the document, which has no meaning outside this read. */
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

/** Accepts a book, or gives its pair up. @returns the pair if it has to be read again */
async function judge(
  reading: BookReading,
  facts: PairContract,
  { readings, market, excluded, books, left }: Outcome,
): Promise<PairContract | undefined> {
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
  stepDown(reading.cache.pair(address, reading.height), fault)
  return facts
}

async function test(
  { ask, cache, height }: BookReading,
  book: Book,
  way: PairReading['way'],
  depth: TestDepth = 'usual',
): Promise<string | undefined> {
  // An estimate is marked as such, and need not equal the contract's numbers.
  if (way === 'estimate') return undefined
  const known = cache.pair(book.state.pair.address, height)
  const fault = await selfTest(ask, book, height, known.isTested ? depth : 'thorough')
  known.isTested ||= fault === undefined
  return fault
}

/** The cached contract of a pair may be out of date: read it again before anything else is tried. */
async function renewed(
  { ask, cache, height }: BookReading,
  facts: PairContract,
): Promise<PairContract | undefined> {
  if (facts.height === height) return undefined
  try {
    const fresh = await readPairContract(ask, facts.address, height)
    cache.setPairContract(fresh)
    return fresh
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}
