import type { Book } from '../../engine/market/book.js'
import { type CompiledSide, groupAt } from '../../engine/market/compiled-side.js'
import type { Group } from '../../engine/market/group.js'
import type { Market } from '../../engine/market/market.js'
import { bestPriceOf, bestPrices, spreadBps } from '../../engine/market/mid-price.js'
import { askDenom, isBetter, type Side } from '../../engine/market/pair.js'
import { groupTotal } from '../../engine/market/resting-orders.js'
import { ArithmeticAbort, decimal, formatDecimal } from '../../engine/math/decimal.js'
import { formatRational, plus, rational } from '../../engine/math/rational.js'
import type { OperationContext } from '../context.js'
import { coinDocument, marketHead } from '../document-parts.js'
import type { CoinDocument } from '../document-schema.js'
import { tradedTokens } from '../names.js'
import { byWorth, worthIn } from '../worth.js'
import type { PairSummary, SnapshotAnswer } from './book-documents.js'

/** Distance from the mid price within which depth is counted, in percent. */
const WITHIN = 2n

/** The pairs of a market with prices, spreads and depth, and the excluded pairs with reasons. */
export async function snapshot(context: OperationContext): Promise<SnapshotAnswer> {
  const { market } = await context.openMarket()
  return {
    ...marketHead(market),
    tokens: tradedTokens(market).size,
    router: {
      address: market.router.address,
      dialect: market.router.dialect,
      fee_bps: Number(market.router.feeBps),
    },
    pairs: liquidBooks(market).map(summarizePair),
  }
}

/** The open pairs by dollar value of both depths, descending; ties by address. */
export function liquidBooks(market: Market): readonly Book[] {
  const worthOf = worthIn(market)
  const worth = (book: Book) =>
    (['ask', 'bid'] as const)
      .flatMap((side) => {
        const amount = depthNear(book, side)
        if (amount === undefined) return []
        return worthOf({ denom: askDenom(book.state.pair, side), amount }) ?? []
      })
      .reduce(plus, rational(0n, 1n))
  return [...market.books.values()]
    .map((book) => ({ book, worth: worth(book) }))
    .sort((a, b) => byWorth(a.worth, b.worth) || (addressOf(a.book) < addressOf(b.book) ? -1 : 1))
    .map(({ book }) => book)
}

const addressOf = ({ state }: Book): string => state.pair.address

/** The figures of one pair. */
export function summarizePair(book: Book): PairSummary {
  const { pair, makers, exact } = book.state
  const prices = bestPrices(book, pair.base)
  const rateText = (side: Side) => {
    const rate = bestPriceOf(book, side)
    return rate === undefined ? null : formatDecimal(decimal(rate))
  }
  return {
    address: pair.address,
    base: pair.base,
    quote: pair.quote,
    fin_version: pair.version ?? null,
    makers: makers.length,
    best_bid: rateText('bid'),
    best_ask: rateText('ask'),
    mid_price: prices.mid ? formatRational(prices.mid) : null,
    spread_bps: spreadBps(prices),
    bid_depth: depthDocument(book, 'bid'),
    ask_depth: depthDocument(book, 'ask'),
    exact,
  }
}

const depthDocument = (book: Book, side: Side): CoinDocument | null => {
  const amount = depthNear(book, side)
  return amount === undefined
    ? null
    : coinDocument({ denom: askDenom(book.state.pair, side), amount })
}

/**
 * Depth within 2 % of the mid price, in atomics that the taker receives; `undefined` without a mid price,
 * i.e. with an empty side.
 */
export function depthNear(book: Book, side: Side): bigint | undefined {
  const [bid, ask] = [bestPriceOf(book, 'bid'), bestPriceOf(book, 'ask')]
  if (bid === undefined || ask === undefined) return undefined
  const mid = (ask + bid) / 2n
  const edge = decimal((mid * (side === 'ask' ? 100n + WITHIN : 100n - WITHIN)) / 100n)
  let amount = 0n
  for (const group of readableGroups(book.simulatedSide(side))) {
    if (isBetter(side, edge, group.rate)) break
    amount += groupTotal(group)
  }
  return amount
}

/** The groups of a side, best first, up to the first on which the contract aborts. */
export function* readableGroups(side: CompiledSide): Generator<Group> {
  try {
    for (let i = 0; ; i += 1) {
      const group = groupAt(side, i)
      if (group === undefined) return
      yield group
    }
  } catch (error) {
    if (!(error instanceof ArithmeticAbort)) throw error
  }
}
