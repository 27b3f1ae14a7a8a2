import { formatDecimal } from '../../math/decimal.js'
import type { PairState, Side } from '../../market/pair.js'
import { shownBook } from '../../market/resting.js'
import { decodeSnapshot } from '../../snapshot/decode.js'
import { generateMarket } from './generate.js'

/** The seed of the market that is shipped. */
export const DEMO_SEED = 1

/** Levels a side that the document shows of a book; its pools and makers hold the whole depth. */
const SHOWN = 10

/**
 * The snapshot document of the demo market: what the generator drew, with each pair's `book` as the
 * pair itself would answer. The halted and the malformed pair stay as they were drawn.
 */
export function demoSnapshot(seed: number): object {
  const document = generateMarket(seed)
  const market = decodeSnapshot(document, 'the demo market')
  return {
    ...document,
    pairs: document.pairs.map((pair) => {
      const book = market.books.get(pair.address)
      return book === undefined ? pair : { ...pair, book: encodeBook(book.state) }
    }),
  }
}

function encodeBook(state: PairState): object {
  const [asks, bids] = (['ask', 'bid'] as const).map((side) => encodeSide(state, side))
  return {
    base: asks!.levels,
    quote: bids!.levels,
    truncated: { base: asks!.truncated, quote: bids!.truncated },
  }
}

function encodeSide(state: PairState, side: Side) {
  const { levels, truncated } = shownBook(state, side, SHOWN)
  return {
    levels: levels.map(({ rate, total }) => ({ price: formatDecimal(rate), total: `${total}` })),
    truncated,
  }
}
