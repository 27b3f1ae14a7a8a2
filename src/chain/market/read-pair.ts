import type { Json } from '../../engine/errors.js'
import type { Book } from '../../engine/market/book.js'
import { paysNothing } from '../../engine/market/venues/resting-pool.js'
import type { Decimal } from '../../engine/math/decimal.js'
import { encodeLevel, encodePool, encodeTerms } from '../../engine/snapshot/encode.js'
import { type JsonCursor, member, refuse, text } from '../../engine/snapshot/json-cursor.js'
import { decodeOrderRate, ORDERS_KEY, type OracleOrder, oracleOrderOf } from '../queries/order.js'
import { startsWith } from '../queries/pool-storage.js'
import { type Ask, requireAnswer, Unreadable } from '../queries/query-batch.js'
import { balance, type Page, type StorageEntry, smartQuery, storage } from '../queries/questions.js'
import { itemsUpTo } from '../queries/wire.js'
import { readMaker, type UnreadableMakers } from './makers.js'
import type { PairContract } from './pair-config.js'
import { type PageSizes, readBook } from './read-book.js'
import { readPools, type StoredPool } from './storage.js'

/** Most pages of orders to search, a hundred each. */
const PAGES = 50

/**
 * The rates of a pair's oracle-priced pools as of the height of `ask`, by their deviation in basis
 * points: the pair answers the rate of an order, and every non-empty pool has an order.
 *
 * @throws Unreadable if a pool has no order, or the oracle does not answer
 */
async function readOracleRates(
  ask: Ask,
  address: string,
  deviations: ReadonlySet<number>,
): Promise<ReadonlyMap<number, Decimal>> {
  if (deviations.size === 0) return new Map()
  const orders = await findOrders(ask, address, deviations)
  const rates = await Promise.all(
    [...orders.values()].map(async ({ owner, side, bps }) => {
      const question = smartQuery(
        address,
        { order: [owner, side, { oracle: bps }] },
        decodeOrderRate,
      )
      return [bps, requireAnswer(await ask(question), 'an order with an oracle’s price')] as const
    }),
  )
  return new Map(rates)
}

/** One order of each deviation. */
async function findOrders(
  ask: Ask,
  address: string,
  deviations: ReadonlySet<number>,
): Promise<ReadonlyMap<number, OracleOrder>> {
  const oracleOrders = new Map<number, OracleOrder>()
  let from: Uint8Array | undefined = ORDERS_KEY
  for (let pages = 0; from !== undefined && pages < PAGES; pages++) {
    const page: Page<StorageEntry> = requireAnswer(await ask(storage(address, from)), 'its orders')
    for (const { key } of page.items) {
      const order = oracleOrderOf(key)
      if (order && deviations.has(order.bps)) oracleOrders.set(order.bps, order)
    }
    if (oracleOrders.size === deviations.size) return oracleOrders
    from = page.next && startsWith(page.next, ORDERS_KEY) ? page.next : undefined
  }
  throw new Unreadable('it has pools with an oracle’s price for which no order is found')
}

/**
 * How a pair is read, best first. `storage`: its stored pools, with the makers. `book`: its `book` query, less the
 * levels of the makers. `estimate`: its book alone, for pairs whose book does not follow from pools and makers.
 */
export type ReadMode = 'storage' | 'book' | 'estimate'

/** The state of a pair that is kept between reads. */
export type PairCache = {
  readonly address: string
  /** Height of the first read with it. */
  readonly height: number
  /** The best mode that is not known to fail. */
  mode: ReadMode
  /** Why it is not `storage`. */
  why: string | undefined
  /** The height since which it is not `storage`. */
  since: number | undefined
  /** Page sizes of its book query; `undefined` before the first one. */
  fit: PageSizes | undefined
  /** Whether the contract's simulations were compared with ours in the current mode. */
  isTested: boolean
  readonly unreadableMakers: UnreadableMakers
  /** The book as of the last read, if it is that of an unchanged state at a later height too. */
  kept: KeptBook | undefined
}

/** A book, the contract that it was read with, and the height at which it was last valid. */
export type KeptBook = {
  readonly book: Book
  readonly contract: PairContract
  readonly height: number
}

/** A pair of the snapshot document, and the mode in which it was read. */
export type PairReading = { readonly document: object; readonly mode: ReadMode }

/** Falls back to the next mode, because the current one failed. */
export function stepDown(cache: PairCache, why: string): void {
  cache.mode = cache.mode === 'storage' ? 'book' : 'estimate'
  cache.why = why
  cache.isTested = false
}

/**
 * Reads one pair as of the height of `ask`; falls back to its book if storage cannot be read.
 *
 * @param cache is updated
 * @throws Unreadable if the book cannot be read either, or an answer about makers, ranges or balances is invalid
 */
export async function readPair(
  ask: Ask,
  facts: PairContract,
  cache: PairCache,
): Promise<PairReading> {
  const { address, config, version } = facts
  let [ranges, balances, content] = await Promise.all([
    mayHaveRanges(version) ? readRanges(ask, address) : [],
    readBalances(ask, facts),
    readContent(ask, facts, cache),
  ])
  if (ranges.length > 0 && cache.mode !== 'estimate') {
    Object.assign(cache, { mode: 'estimate', why: 'it has concentrated ranges' })
    content = await readContent(ask, facts, cache)
  }
  return {
    mode: cache.mode,
    document: {
      address,
      ...encodeTerms({ ...config, version }),
      ...content,
      ...(ranges.length > 0 && { ranges }),
      balances,
      status: 'open',
    },
  }
}

/** Resting orders and makers' levels, read in the cached mode. */
async function readContent(
  ask: Ask,
  { address, config }: PairContract,
  cache: PairCache,
): Promise<object> {
  if (cache.mode === 'estimate') return { book: await bookOf(ask, address, cache) }
  const [content, makers] = await Promise.all([
    restingOf(ask, address, cache),
    Promise.all(
      config.makers.map((maker) => readMaker(ask, maker, config, cache.unreadableMakers)),
    ),
  ])
  return { ...content, makers }
}

async function restingOf(ask: Ask, address: string, cache: PairCache): Promise<object> {
  if (cache.mode === 'storage')
    try {
      return { pools: await poolsOf(ask, address) }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      stepDown(cache, error.message)
    }
  return { book: await bookOf(ask, address, cache) }
}

async function readBalances(ask: Ask, { address, config }: PairContract): Promise<object> {
  const [base, quote] = await Promise.all([
    ask(balance(address, config.base)),
    ask(balance(address, config.quote)),
  ])
  return {
    base: `${requireAnswer(base, 'its balance')}`,
    quote: `${requireAnswer(quote, 'its balance')}`,
  }
}

async function bookOf(ask: Ask, address: string, cache: PairCache): Promise<object> {
  const book = await readBook(ask, address, cache.fit)
  cache.fit = book.fit
  return {
    base: book.asks.map(encodeLevel),
    quote: book.bids.map(encodeLevel),
    truncated: { base: book.truncated.asks, quote: book.truncated.bids },
  }
}

/**
 * The pools in the order of the document: best first, oracle-priced ones after fixed ones. Those that
 * pay nothing, which come last, are left out: anyone can place one.
 */
async function poolsOf(ask: Ask, address: string): Promise<object> {
  const pools = await readPools(ask, address)
  const deviations = pools.flatMap(({ price }) => ('bps' in price ? [price.bps] : []))
  const rates = await readOracleRates(ask, address, new Set(deviations))
  const side = (name: StoredPool['side']): readonly object[] => {
    // Keys ascend: asks come best first, bids best last.
    const sidePools = pools.filter((pool) => pool.side === name)
    const ordered = name === 'base' ? sidePools : sidePools.toReversed()
    return [false, true].flatMap((oracle) =>
      ordered
        .filter(({ price }) => 'bps' in price === oracle)
        .map(({ price, ...pool }) =>
          'bps' in price
            ? { ...pool, ...price, rate: rates.get(price.bps)! }
            : { ...pool, rate: price.fixed },
        )
        .filter(({ rate }) => !paysNothing(name === 'base' ? 'ask' : 'bid', rate))
        .map(encodePool),
    )
  }
  return { base: side('base'), quote: side('quote') }
}

/** Ranges of one page, and the most that are read. */
const PAGE = 100
const MOST = 100_000

/** Whether contracts of a version may have ranges: those from 2 on, and those of no known version. */
export const mayHaveRanges = (version: string | undefined): boolean =>
  version === undefined || !/^v?[01]\./.test(version)

/**
 * The concentrated ranges of a pair that hold coins, fixed and dynamic. A contract that refuses the query has none.
 *
 * @throws Unreadable if an answer is malformed
 */
export async function readRanges(ask: Ask, address: string): Promise<readonly Json[]> {
  const kinds = await Promise.all([
    readKind(ask, address, (page) => ({ ranges: page })),
    readKind(ask, address, (page) => ({ ranges: { dynamic: page } })),
  ])
  // A build without dynamic ranges may answer both queries alike.
  const byIndex = new Map(kinds.flat().map((range) => [range.idx, range]))
  return [...byIndex.values()].filter(({ holds }) => holds).map(({ item }) => item)
}

async function readKind(
  ask: Ask,
  address: string,
  message: (page: object) => object,
): Promise<readonly Range[]> {
  const ranges: Range[] = []
  for (;;) {
    const cursor = ranges.at(-1)?.idx ?? null
    const question = message({ owner: null, cursor, limit: PAGE })
    const reply = await ask(smartQuery(address, question, decodeRanges(PAGE)))
    if (reply.kind === 'refused' && cursor === null) return []
    const page = requireAnswer(reply, 'its ranges')
    ranges.push(...page)
    if (page.length < PAGE) return ranges
    if (page.at(-1)?.idx === cursor || ranges.length > MOST)
      throw new Unreadable('its ranges have no end')
  }
}

/** A concentrated range in a pair's answer, empty or not. */
type Range = {
  readonly idx: string
  readonly item: Json
  /** Whether it holds coins. */
  readonly holds: boolean
}

/** A page of a pair's `ranges` answer, fixed or dynamic ones. @throws MalformedDocument */
export const decodeRanges =
  (limit: number) =>
  (node: JsonCursor): readonly Range[] =>
    itemsUpTo(member(node, 'ranges'), limit, 'ranges').map((item) => ({
      idx: text(member(item, 'idx')),
      item: item.value as Json,
      holds: isPositive(member(item, 'base')) || isPositive(member(item, 'quote')),
    }))

/** Whether a balance is above zero: a decimal of any length, since fractions of an atomic occur. */
function isPositive(node: JsonCursor): boolean {
  const digits = text(node)
  if (!/^\d{1,80}(\.\d{1,80})?$/.test(digits)) return refuse(node, 'must be a decimal')
  return /[1-9]/.test(digits)
}
