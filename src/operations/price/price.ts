import { SwapError } from '../../engine/errors.js'
import type { Book } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { type BestPrices, bestPrices, spreadBps } from '../../engine/market/mid-price.js'
import { askDenom, type Side } from '../../engine/market/pair.js'
import type { Denom } from '../../engine/market/token.js'
import { ONE } from '../../engine/math/decimal.js'
import {
  formatRational,
  minus,
  over,
  type Rational,
  rational,
  times,
  toPercent,
} from '../../engine/math/rational.js'
import { formatToken } from '../amount.js'
import { depthNear, liquidBooks } from '../book/snapshot-summary.js'
import type { OperationContext } from '../context.js'
import { coinDocument, displayScale, marketHead } from '../document-parts.js'
import { dollarsText, unitOf, type Worth, worthIn } from '../worth.js'
import type {
  NamedDenom,
  PairsAnswer,
  PairsRequest,
  PriceAnswer,
  PriceRequest,
} from './price-documents.js'
import { type DayFigures, pricePath } from './price-path.js'

/** The executed swaps of the 24 hours up to a block time, or up to an hour before; `undefined` if the index lacks some. */
export type DayOf = (time: string) => Promise<DayFigures | undefined>

/**
 * The price of a token in another, from the pair that trades them or over several pairs.
 *
 * @throws SwapError SAME_TOKEN, NO_ROUTE, INVALID_REQUEST on a network without a dollar reference
 */
export async function price(
  context: OperationContext,
  { base, quote: asked }: PriceRequest,
  dayOf: DayOf = async () => undefined,
): Promise<PriceAnswer> {
  const { market } = await context.openMarket()
  const quote = asked ?? market.usd
  if (quote === undefined) throw withoutReference(market)
  if (quote === base) throw sameToken(market, base)
  const path = pricePath(market, base, quote)
  const direct = path === undefined ? oneSided(market, base, quote) : single(path.books)
  const books = path?.books ?? (direct && [direct])
  if (books === undefined) throw noPrice(market, base, quote)
  const prices = path ?? bestPrices(books[0]!, base)
  const worthOf = worthIn(market)
  const day = await dayOf(market.time)
  // Bids of an inverse pair are asks of the base.
  const isForward = direct?.state.pair.base === base
  const sideOf = (side: Side): Side => (isForward === (side === 'bid') ? 'bid' : 'ask')
  const unit = { denom: base, amount: unitOf(market, base) }
  return {
    ...marketHead(market),
    base: namedDenom(market, base),
    quote: namedDenom(market, quote),
    ...pricesDocument(market, [base, quote], prices),
    inverse: prices.mid
      ? formatRational(over(displayScale(market, quote, base), prices.mid))
      : null,
    bid_depth: direct ? depthOn(direct, sideOf('bid'), worthOf) : null,
    ask_depth: direct ? depthOn(direct, sideOf('ask'), worthOf) : null,
    volume_24h: direct && day ? volumeOf(direct, day) : null,
    price_usd: dollarsText(worthOf(unit)),
    path: path?.denoms ?? [base, quote],
    pairs: books.map(({ state }) => state.pair.address),
    day: day ? { from: day.from, to: day.to } : null,
    change_24h_percent: day ? changeOf(market, day, base, quote, worthOf) : null,
  }
}

const single = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined)

/** Every open pair with its prices, depth and volume, the most liquid first. */
export async function pairs(
  context: OperationContext,
  { token }: PairsRequest,
  dayOf: DayOf = async () => undefined,
): Promise<PairsAnswer> {
  const { market } = await context.openMarket()
  const worthOf = worthIn(market)
  const day = await dayOf(market.time)
  const books = liquidBooks(market).filter(
    ({ state: { pair } }) => token === undefined || pair.base === token || pair.quote === token,
  )
  return {
    ...marketHead(market),
    pairs: books.map((book) => ({
      address: book.state.pair.address,
      base: namedDenom(market, book.state.pair.base),
      quote: namedDenom(market, book.state.pair.quote),
      ...pricesDocument(
        market,
        [book.state.pair.base, book.state.pair.quote],
        bestPrices(book, book.state.pair.base),
      ),
      bid_depth: depthOn(book, 'bid', worthOf),
      ask_depth: depthOn(book, 'ask', worthOf),
      volume_24h: day ? volumeOf(book, day) : null,
      exact: book.state.exact,
    })),
    day: day ? { from: day.from, to: day.to } : null,
  }
}

export function namedDenom(market: Market, denom: Denom): NamedDenom {
  const token = market.tokens.get(denom)
  return { denom, symbol: token?.symbol ?? denom, decimals: token?.decimals ?? 0 }
}

/** Prices in units of `quote` for one of `base`. */
function pricesDocument(
  market: Market,
  [base, quote]: readonly [Denom, Denom],
  prices: BestPrices,
): Pick<PriceAnswer, 'mid_price' | 'best_bid' | 'best_ask' | 'spread_bps'> {
  const scale = displayScale(market, base, quote)
  const text = (value: Rational | undefined) =>
    value === undefined ? null : formatRational(times(value, scale))
  return {
    mid_price: text(prices.mid),
    best_bid: text(prices.bid),
    best_ask: text(prices.ask),
    spread_bps: spreadBps(prices),
  }
}

/** Depth of a side within 2 % of the mid price, in the offered denom. */
function depthOn(book: Book, side: Side, worthOf: Worth): PriceAnswer['bid_depth'] {
  const amount = depthNear(book, side)
  if (amount === undefined) return null
  const coin = { denom: askDenom(book.state.pair, side), amount }
  return { ...coinDocument(coin), usd: dollarsText(worthOf(coin)) }
}

/** The index's figures of a pair; zero without trades. */
function volumeOf(book: Book, day: DayFigures): PriceAnswer['volume_24h'] {
  const { address, base } = book.state.pair
  const volume = day.volumes.get(address)
  const amount = volume?.traded.get(base) ?? 0n
  const usd = volume === undefined ? '0' : dollarsText(volume.usd && rational(volume.usd, ONE))
  return { swaps: volume?.swaps ?? 0, ...coinDocument({ denom: base, amount }), usd }
}

/** The change of the price within a day, from both tokens' dollar prices then and now. */
function changeOf(
  market: Market,
  { prices }: DayFigures,
  base: Denom,
  quote: Denom,
  worthOf: Worth,
): number | null {
  const priceBefore = (denom: Denom) => prices.get(denom) ?? referencePrice(market, denom)
  const priceNow = (denom: Denom) => worthOf({ denom, amount: 1n })
  const [wasBase, wasQuote, isBase, isQuote] = [
    priceBefore(base),
    priceBefore(quote),
    priceNow(base),
    priceNow(quote),
  ]
  if (!wasBase || !wasQuote || !isBase || !isQuote) return null
  if (wasBase.numerator === 0n || wasQuote.numerator === 0n || isQuote.numerator === 0n) return null
  const ratio = over(over(isBase, isQuote), over(wasBase, wasQuote))
  return toPercent(minus(ratio, rational(1n, 1n)))
}

const referencePrice = (market: Market, denom: Denom): Rational | undefined =>
  denom === market.usd ? rational(1n, unitOf(market, denom)) : undefined

/** A pair of the two tokens with an empty side. */
const oneSided = (market: Market, a: Denom, b: Denom): Book | undefined =>
  [...market.books.values()].find(({ state: { pair } }) =>
    pair.base === a ? pair.quote === b : pair.base === b && pair.quote === a,
  )

const withoutReference = (market: Market): SwapError =>
  new SwapError('INVALID_REQUEST', `${market.network} has no dollar reference`, {
    why: 'a price needs a token to be written in',
    hint: { cli: 'name one: swap price btc --in rune', http: undefined },
    members: { errors: [{ pointer: '/quote', detail: 'is missing' }] },
  })

const sameToken = (market: Market, denom: Denom): SwapError =>
  new SwapError('SAME_TOKEN', `${formatToken(market, denom)} cannot be priced in itself`, {
    why:
      denom === market.usd ? 'prices are in it unless another token is named' : 'it is named twice',
    hint: { cli: 'name another token: --in <token>', http: undefined },
  })

function noPrice(market: Market, base: Denom, quote: Denom): SwapError {
  const [from, to] = [base, quote].map((denom) => formatToken(market, denom))
  return new SwapError('NO_ROUTE', `${from} has no price in ${to}`, {
    why: 'no pairs with both bids and asks connect the two',
    hint: { cli: `see which pairs there are: swap pairs ${base}`, http: undefined },
    members: { rejected: [] },
  })
}
