import type { Book, Fill } from '../market/book.js'
import type { Router } from '../market/market.js'
import { askDenom, offerDenom } from '../market/pair.js'
import { isRefusal } from '../market/refusal.js'
import { type Hop, simulatePath } from '../market/router.js'
import type { Coin } from '../market/token.js'
import type { PathQuery } from '../routing/query.js'
import { finishRoute, type Route } from '../routing/route.js'

/** One router message of a sequence, as it was executed. */
export type ExecutedMessage = {
  /** The router as the message found it. */
  readonly router: Router
  readonly fills: readonly Fill[]
  /** Whether nothing was executed before it. */
  readonly isFirst: boolean
}

/**
 * A message of a sequence as a route. Prices and depth are those of the untouched books, fills and
 * amounts those of the sequence; `simulated` is what `simulate` answers for the message alone.
 */
export function executedRoute(
  { graph: { market }, limits }: Pick<PathQuery, 'graph' | 'limits'>,
  books: readonly Book[],
  input: Coin,
  { router, fills, isFirst }: ExecutedMessage,
  slippageBps: number,
): Route {
  const hops = books.map((book, i): Hop => {
    const fill = fills[i]!
    const { pair } = book.state
    return {
      book,
      offer: { denom: offerDenom(pair, fill.side), amount: fill.sold + fill.unsold },
      output: { denom: askDenom(pair, fill.side), amount: fill.bought },
      fill,
    }
  })
  const route = finishRoute({ ...market, router }, input, hops, { limits, slippageBps })
  if (isFirst) return route
  const simulated = simulatePath(market.router, books, input)
  return { ...route, simulated: isRefusal(simulated) ? undefined : simulated.returned }
}
