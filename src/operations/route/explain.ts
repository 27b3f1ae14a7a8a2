import { type Book, executeBook } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { isRefusal } from '../../engine/market/refusal.js'
import { type Hop, quotePath } from '../../engine/market/router.js'
import type { Trade } from '../../engine/market/walk.js'
import { formatDecimal } from '../../engine/math/decimal.js'
import { rational, toBps } from '../../engine/math/rational.js'
import type { RankedRoutes } from '../../engine/routing/find-routes.js'
import { gapBps, type Route } from '../../engine/routing/route.js'
import { rejectedDocument } from './no-route.js'
import type { Explanation } from './route-documents.js'

/** The levels of one hop. */
export type LevelDocument = Explanation['levels'][number]['levels'][number]
/** A source on a level: limit orders of one kind, or one market maker. */
export type PartDocument = LevelDocument['parts'][number]

/** Explains an answer: consumed levels, why other routes pay less, and refused paths with reasons. */
export function explain(
  market: Market,
  routes: readonly Route[],
  ranked: RankedRoutes,
): Explanation {
  const best = routes[0]!
  return {
    examined: ranked.examined,
    levels: levelsOfRoute(market, best),
    lost: routes.slice(1).map((route) => ({
      id: route.id,
      gap_bps: gapBps(route, best),
      impact_bps: route.impact ? toBps(route.impact) : null,
      venue_fees_bps: venueFeesBps(route),
      hops: route.hops.length,
    })),
    rejected: ranked.rejected.map(rejectedDocument),
  }
}

/** Combined fee of a path's venues: one less the product of what each leaves. */
function venueFeesBps(route: Route): number {
  const [feeFactor, gross] = route.hops.reduce<[bigint, bigint]>(
    ([a, b], { fill }) => [a * fill.bought, b * (fill.bought + fill.fee)],
    [1n, 1n],
  )
  return toBps(rational(gross - feeFactor, gross))
}

function levelsOfRoute(market: Market, route: Route): Explanation['levels'] {
  const books = route.hops.map((hop) => hop.book)
  const hops = quotePath(market.router, books, route.input)
  return isRefusal(hops) ? [] : levelsOf(hops, new Map())
}

/**
 * Every level that hops consume, in order.
 *
 * @param booksLeft current state of books by their original; updated with these hops
 */
export function levelsOf(
  hops: readonly Pick<Hop, 'book' | 'offer'>[],
  booksLeft: Map<Book, Book>,
): Explanation['levels'] {
  return hops.map(({ book, offer }) => {
    const fill = executeBook(booksLeft.get(book) ?? book, offer)
    if (!isRefusal(fill)) booksLeft.set(book, fill.after)
    return {
      address: book.state.pair.address,
      levels: isRefusal(fill) ? [] : fill.trades.map((trade) => levelDocument(trade, book)),
    }
  })
}

const levelDocument = (trade: Trade, { state }: Book): LevelDocument => ({
  rate: formatDecimal(trade.rate),
  sold: `${trade.sold}`,
  bought: `${trade.bought}`,
  parts: [...trade.live.pools, ...trade.live.levels].map(({ part, sold, bought }) => ({
    source: part.kind === 'level' ? state.makers[part.maker]!.address : part.pool.origin,
    sold: `${sold}`,
    bought: `${bought}`,
  })),
})
