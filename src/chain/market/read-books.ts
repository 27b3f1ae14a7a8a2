import type { Book } from '../../engine/market/book.js'
import type { Excluded, Market } from '../../engine/market/market.js'
import { attemptAsync } from '../../platform/attempt.js'
import { Unreadable } from '../queries/query-batch.js'
import { reasonIn } from '../tx/refusal.js'
import { isSameContract, type PairContract, readPairContract } from './pair-config.js'
import { type KeptBook, type PairReading, type ReadMode, readPair, stepDown } from './read-pair.js'
import type { Reading } from './reader-cache.js'
import { selfTest, type TestDepth } from './self-test.js'

type BookReading = Pick<Reading, 'cache' | 'ask' | 'height'> & {
  /** Contracts and accounts that may have changed since the last read; `undefined` if unknown. */
  readonly touched: ReadonlySet<string> | undefined
}

/**
 * The books of the pairs, each in the most exact mode that works: a book that does not decode, or differs from the
 * pair's own simulation, is read again in the next mode. A pair for which every mode fails is added to `rejected`
 * and does not affect the others. Unchanged books are not read again, but tested at every second height.
 *
 * @param decode decodes a market from pairs of the snapshot document
 */
export async function readBooks(
  reading: BookReading,
  pairs: readonly PairContract[],
  decode: (pairs: readonly object[]) => Market,
  rejected: Map<string, Excluded>,
): Promise<ReadonlyMap<string, Book>> {
  const books = new Map<string, Book>()
  const reusable = new Map(pairs.flatMap((contract) => unchanged(reading, contract)))
  const readAll = (contractsToRead: readonly PairContract[]) =>
    readUntilAccepted(reading, contractsToRead, { decode, rejected, books })
  const failedTests = async (): Promise<readonly PairContract[]> => {
    const failures = await Promise.all(
      [...reusable].map(async ([address, { book, contract }]) => {
        const isDue = isEven(reading.height) === isEven(address.charCodeAt(address.length - 1))
        if (isDue && (await test(reading, book, 'storage', 'unchanged')) !== undefined)
          return [contract]
        books.set(address, book)
        return []
      }),
    )
    return failures.flat()
  }
  const [failed] = await Promise.all([
    failedTests(),
    readAll(pairs.filter(({ address }) => !reusable.has(address))),
  ])
  await readAll(failed)
  keepBooks(reading, pairs, books)
  return books
}

const isEven = (number: number): boolean => number % 2 === 0

/**
 * The book of the last read, if the state of its pair and makers is unchanged. The settings of makers change without an
 * event, like those of pairs, so that a pair with makers is read again with its configuration.
 */
function unchanged(
  { cache, height, touched }: BookReading,
  contract: PairContract,
): readonly (readonly [string, KeptBook])[] {
  const { address, config } = contract
  const { kept } = cache.pair(address, height)
  if (kept === undefined || kept.height !== cache.lastHeight || touched === undefined) return []
  if (
    kept.contract !== contract &&
    (config.makers.length > 0 || !isSameContract(kept.contract, contract))
  )
    return []
  const isTouched = [address, ...config.makers].some((each) => touched.has(each))
  return isTouched ? [] : [[address, kept]]
}

/** Keeps the books that depend on the state of pair and makers only: no oracle, no maker that answers quotes. */
function keepBooks(
  { cache, height }: BookReading,
  pairs: readonly PairContract[],
  books: ReadonlyMap<string, Book>,
): void {
  for (const contract of pairs) {
    const { address, config } = contract
    const book = books.get(address)
    const cached = cache.pair(address, height)
    const isOwn =
      book !== undefined &&
      cached.mode === 'storage' &&
      config.oracles === null &&
      book.state.makers.every(({ kind }) => kind === 'xyk')
    cached.kept = isOwn ? { book, contract, height } : undefined
  }
  cache.lastHeight = height
}

type Reader = {
  readonly decode: (pairs: readonly object[]) => Market
  readonly rejected: Map<string, Excluded>
  readonly books: Map<string, Book>
}

/** Reads pairs; repeats those that fail the test in the next mode. */
async function readUntilAccepted(
  reading: BookReading,
  pairs: readonly PairContract[],
  { decode, rejected, books }: Reader,
): Promise<void> {
  for (let pending = pairs; pending.length > 0; ) {
    const readings = new Map<string, PairReading>()
    await Promise.all(pending.map((contract) => readOne(reading, contract, readings, rejected)))
    const market = decode([...readings.values()].map(({ document }) => document))
    const excluded = new Map(market.excluded.map((each) => [each.address, withoutPosition(each)]))
    const retries = await Promise.all(
      pending.map((contract) =>
        accept(reading, contract, { readings, market, excluded, books, rejected }),
      ),
    )
    pending = retries.filter((each) => each !== undefined)
  }
}

async function readOne(
  { ask, cache, height }: BookReading,
  contract: PairContract,
  readings: Map<string, PairReading>,
  rejected: Map<string, Excluded>,
): Promise<void> {
  const { address } = contract
  try {
    readings.set(address, await readPair(ask, contract, cache.pair(address, height)))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    rejected.set(address, unreadable(address, error.message))
  }
}

/** A pair that cannot be read, as the market lists it. */
export function unreadable(address: string, why: string): Excluded {
  const status = reasonIn(why) === 'halted' ? 'halted' : 'unreadable'
  return { address, status, reason: `${status}: ${why}` }
}

/** Removes the position in the document from the reason: the document exists during this read only. */
const withoutPosition = (excluded: Excluded): Excluded => ({
  ...excluded,
  reason: excluded.reason.replace(/^(\w+: )\/pairs\/\d+\/?/, '$1'),
})

type Outcome = Pick<Reader, 'rejected' | 'books'> & {
  readonly readings: ReadonlyMap<string, PairReading>
  readonly market: Market
  readonly excluded: ReadonlyMap<string, Excluded>
}

/** Accepts a book, or rejects its pair. @returns the pair if it has to be read again */
async function accept(
  reading: BookReading,
  contract: PairContract,
  { readings, market, excluded, books, rejected }: Outcome,
): Promise<PairContract | undefined> {
  const { address } = contract
  const { mode } = readings.get(address) ?? {}
  if (mode === undefined) return undefined
  const book = market.books.get(address)
  const fault = book === undefined ? excluded.get(address)?.reason : await test(reading, book, mode)
  if (fault === undefined) {
    if (book !== undefined) books.set(address, book)
    return undefined
  }
  const updated = await renewed(reading, contract)
  if (updated !== undefined) return updated
  if (mode === 'estimate') {
    // The test passes every estimate, so the document was refused.
    rejected.set(address, excluded.get(address)!)
    return undefined
  }
  stepDown(reading.cache.pair(address, reading.height), fault)
  return contract
}

async function test(
  { ask, cache, height }: BookReading,
  book: Book,
  mode: ReadMode,
  depth: TestDepth = 'usual',
): Promise<string | undefined> {
  // An estimate is marked as such and may differ from the contract's numbers.
  if (mode === 'estimate') return undefined
  const pairCache = cache.pair(book.state.pair.address, height)
  const fault = await selfTest(ask, book, height, pairCache.isTested ? depth : 'thorough')
  pairCache.isTested ||= fault === undefined
  return fault
}

/** Reads the contract of a pair again if the cached one is of an earlier height and may be out of date. */
async function renewed(
  { ask, cache, height }: BookReading,
  contract: PairContract,
): Promise<PairContract | undefined> {
  if (contract.height === height) return undefined
  const read = () => readPairContract(ask, contract.address, height)
  const updated = await attemptAsync(read, Unreadable)
  if (updated !== undefined) cache.setPairContract(updated)
  return updated
}
