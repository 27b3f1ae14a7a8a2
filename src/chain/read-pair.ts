import { type Decimal, formatDecimal } from '../math/decimal.js'
import type { Scaled } from '../math/scaled.js'
import { type ReadBook, readBook } from './book.js'
import { isFresh } from './decode/pool.js'
import type { PairFacts } from './facts.js'
import { type Ask, answered, Unreadable } from './inquiry.js'
import { readMaker, type Taciturn } from './makers.js'
import { balance } from './question.js'
import { mayHaveRanges, readRanges } from './ranges.js'
import { readPools, type StoredPool } from './storage.js'

/**
 * How a pair is read, best first. `storage`: its pools as it stores them, with the makers. `book`:
 * its `book` query, with the makers taken off. `estimate`: its book alone, for pairs whose numbers
 * are not what pools and makers give.
 */
export type Way = 'storage' | 'book' | 'estimate'

/** What is worth remembering of a pair from one read to the next. */
export type PairMemory = {
  /** The best way that is not known to fail. */
  way: Way
  /** Why it is not the first one. */
  why: string | undefined
  /** Levels of its book that one answer holds. */
  fits: number | undefined
  /** Whether its own simulations were compared with ours, in the way it is read now. */
  isTested: boolean
}

/** A pair of the snapshot document, and the way in which it was read. */
export type PairReading = { readonly document: object; readonly way: Way }

/** The way to take where one is known to fail. */
export function stepDown(memory: PairMemory, why: string): void {
  memory.way = memory.way === 'storage' ? 'book' : 'estimate'
  memory.why = why
  memory.isTested = false
}

/**
 * Reads one pair as of the inquiry's height. Where the storage cannot be read, the book is.
 *
 * @param memory is kept up to date
 * @throws Unreadable when nothing of it can be read
 */
export async function readPair(
  ask: Ask,
  facts: PairFacts,
  memory: PairMemory,
  taciturn: Taciturn,
): Promise<PairReading> {
  const { address, config, version } = facts
  const [ranges, balances] = await Promise.all([
    mayHaveRanges(version) ? readRanges(ask, address) : [],
    readBalances(ask, facts),
  ])
  const frame = {
    address,
    base: config.base,
    quote: config.quote,
    tick: config.tick,
    fee_taker: formatDecimal(config.takerFee),
    fee_maker: formatDecimal(config.makerFee),
    ...(version !== undefined && { fin_version: version }),
    oracles: config.oracles,
    ...(ranges.length > 0 && { ranges }),
    balances,
    status: 'open',
  }
  if (ranges.length > 0 || memory.way === 'estimate') {
    const book = await bookOf(ask, address, memory)
    return { way: 'estimate', document: { ...frame, book } }
  }
  const makers = Promise.all(config.makers.map((maker) => readMaker(ask, maker, config, taciturn)))
  if (memory.way === 'storage') {
    const [pools, read] = await Promise.all([poolsOf(ask, address), makers])
    if (typeof pools !== 'string')
      return { way: 'storage', document: { ...frame, pools, makers: read } }
    stepDown(memory, pools)
  }
  return withBook()

  async function withBook(): Promise<PairReading> {
    const [book, read] = await Promise.all([bookOf(ask, address, memory), makers])
    return { way: 'book', document: { ...frame, book, makers: read } }
  }
}

async function readBalances(ask: Ask, { address, config }: PairFacts): Promise<object> {
  const [base, quote] = await Promise.all([
    ask(balance(address, config.base)),
    ask(balance(address, config.quote)),
  ])
  return {
    base: `${answered(base, 'its balance')}`,
    quote: `${answered(quote, 'its balance')}`,
  }
}

async function bookOf(ask: Ask, address: string, memory: PairMemory): Promise<object> {
  const book = await readBook(ask, address, memory.fits)
  memory.fits = book.fits
  return {
    base: levelsOf(book.asks),
    quote: levelsOf(book.bids),
    truncated: { base: book.truncated.asks, quote: book.truncated.bids },
  }
}

const levelsOf = (levels: ReadBook['asks']): readonly object[] =>
  levels.map(({ rate, total }) => ({ price: formatDecimal(rate), total: `${total}` }))

/** The pools as the document lists them, best first; or why they do not do. */
async function poolsOf(ask: Ask, address: string): Promise<object | string> {
  let pools: readonly StoredPool[]
  try {
    pools = await readPools(ask, address)
  } catch (error) {
    if (error instanceof Unreadable) return error.message
    throw error
  }
  if (pools.some(({ price }) => 'bps' in price))
    return 'it has orders whose prices the storage does not tell'
  const side = (name: StoredPool['side']) =>
    pools.flatMap(({ price, ...pool }) =>
      pool.side === name && 'fixed' in price ? [poolDocument(price.fixed, pool)] : [],
    )
  // Keys ascend: asks come best first, bids best last.
  return { base: side('base'), quote: side('quote').reverse() }
}

const poolDocument = (price: Decimal, pool: Omit<StoredPool, 'price'>): object => ({
  price: formatDecimal(price),
  total: `${pool.total}`,
  ...(!isFresh(pool) && { sum: scaled(pool.sum), product: scaled(pool.product) }),
})

const scaled = ({ mantissa, scale }: Scaled): readonly [string, number] => [`${mantissa}`, scale]
