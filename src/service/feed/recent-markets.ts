import { deserialize, serialize } from 'node:v8'
import { type Book, compileBook } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import type { PairState } from '../../engine/market/pair.js'
import { keptWith } from '../../platform/memoize.js'
import type { MarketFeed } from './market-feed.js'

/**
 * Keeps the markets of the last blocks, oldest first; all but the newest are packed and share unchanged
 * pairs. When the chain rolls back, all earlier markets are dropped.
 *
 * @param before markets that were recorded earlier
 */
export function recentMarkets(
  feed: Pick<MarketFeed, 'current' | 'subscribe'>,
  count: number,
  before: readonly Market[] = [],
): () => readonly Market[] {
  let markets = before.slice(-count).map(packedMarket)
  const add = (market: Market): void => {
    const last = markets.at(-1)
    if (market.height === last?.height) markets = markets.slice(0, -1)
    else if (last !== undefined && market.height < last.height) markets = []
    else if (last !== undefined) markets[markets.length - 1] = packedMarket(last)
    markets.push(market)
    if (markets.length > count) markets.shift()
  }
  const served = feed.current()
  if (served !== undefined) add(served.view.market)
  feed.subscribe(({ view }) => add(view.market))
  return () => markets
}

/** The state of a book as bytes: a tenth of the memory of a quoted book. */
class PackedBook {
  readonly #bytes: Buffer
  #book: WeakRef<Book>

  constructor(book: Book) {
    this.#bytes = serialize(book.state)
    this.#book = new WeakRef(book)
  }

  /** Unpacks the book; returns the same object while it is referenced elsewhere. */
  unpack(): Book {
    const known = this.#book.deref()
    if (known !== undefined) return known
    const book = compileBook(deserialize(this.#bytes) as PairState)
    this.#book = new WeakRef(book)
    return book
  }
}

const pack = keptWith((book: Book) => new PackedBook(book))

/** A map of books that unpacks them on access. */
class PackedBooks implements ReadonlyMap<string, Book> {
  readonly #packed: ReadonlyMap<string, PackedBook>

  constructor(books: ReadonlyMap<string, Book>) {
    this.#packed = new Map([...books].map(([address, book]) => [address, pack(book)]))
  }

  get size(): number {
    return this.#packed.size
  }

  has(address: string): boolean {
    return this.#packed.has(address)
  }

  get(address: string): Book | undefined {
    return this.#packed.get(address)?.unpack()
  }

  keys() {
    return this.#packed.keys()
  }

  *entries(): MapIterator<[string, Book]> {
    for (const [address, book] of this.#packed) yield [address, book.unpack()]
  }

  *values(): MapIterator<Book> {
    for (const book of this.#packed.values()) yield book.unpack()
  }

  forEach(call: (book: Book, address: string, books: ReadonlyMap<string, Book>) => void): void {
    for (const [address, book] of this) call(book, address, this)
  }

  [Symbol.iterator]() {
    return this.entries()
  }
}

/** A market whose books are packed until accessed; equal books are shared. */
export const packedMarket = (market: Market): Market =>
  market.books instanceof PackedBooks ? market : { ...market, books: new PackedBooks(market.books) }
