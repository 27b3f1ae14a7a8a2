import { liquidBooks } from '../book/snapshot-summary.js'
import type { OperationContext } from '../context.js'
import { marketHead } from '../route-document.js'
import { worthIn } from '../worth.js'
import { type DayOf, depthOn, namedDenom, pricesDocument, volumeOf } from './price.js'
import type { PairsAnswer, PairsRequest } from './price-answer.js'
import { bestPrices } from './price-path.js'

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
