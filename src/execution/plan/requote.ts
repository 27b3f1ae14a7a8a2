import { SwapError } from '../../engine/errors.js'
import type { Book, Fill } from '../../engine/market/book.js'
import type { Affiliate, Market } from '../../engine/market/market.js'
import { offerDenom } from '../../engine/market/pair.js'
import { isRefusal, type Refusal } from '../../engine/market/refusal.js'
import { executePath, type RouterState } from '../../engine/market/router.js'
import type { Denom } from '../../engine/market/token.js'
import type { Graph } from '../../engine/routing/graph.js'
import { openLimits } from '../../engine/routing/query.js'
import type { Route } from '../../engine/routing/route.js'
import { executedRoute } from '../../engine/splits/execute-legs.js'
import { formatCoin, formatToken, refusalText } from '../../operations/amount.js'
import type { RequestedLeg } from '../task.js'

/**
 * Executes legs on a market in order, each on the books that the previous legs leave. Refuses a leg that leaves a part
 * of its coins in the router, where any caller can take it.
 *
 * @throws SwapError INSUFFICIENT_LIQUIDITY, MARKET_HALTED, NO_ROUTE
 */
export function requote(
  { market, graph }: { readonly market: Market; readonly graph: Graph },
  legs: readonly RequestedLeg[],
  terms: { readonly slippageBps: number; readonly affiliate: Affiliate | undefined },
): readonly Route[] {
  let world: RouterState = market
  const limits = openLimits(6, terms.affiliate)
  return legs.map(({ funds, pairs, output }, i) => {
    const done = executePath(world, pairs, funds, {
      minReturn: { denom: output, amount: 0n },
      affiliate: terms.affiliate,
    })
    if (isRefusal(done)) throw refusedLeg(market, i, legs.length, done)
    const left = done.after.router.balances
    const short = done.hops.findIndex(
      ({ side, unsold, after }) => unsold > 0n && left.has(offerDenom(after.state.pair, side)),
    )
    if (short >= 0) {
      const { unsold, side } = done.hops[short]!
      throw beyondDepth(market, i, pairs[short]!, { side, unsold })
    }
    const message = { router: world.router, fills: done.hops, isFirst: i === 0 }
    world = done.after
    const books = pairs.map((address): Book => market.books.get(address)!)
    return executedRoute({ graph, limits }, books, funds, message, terms.slippageBps)
  })
}

function beyondDepth(
  market: Market,
  leg: number,
  address: string,
  { side, unsold }: Pick<Fill, 'side' | 'unsold'>,
): SwapError {
  const { pair } = market.books.get(address)!.state
  const name = `${formatToken(market, pair.base)}/${formatToken(market, pair.quote)}`
  return new SwapError('INSUFFICIENT_LIQUIDITY', 'a book does not hold enough any more', {
    why: `leg ${leg + 1} would leave ${formatCoin(market, offerDenom(pair, side), unsold)} unsold at ${name} (block ${market.height}), and they would be lost`,
    hint: 'quote again, or sell less',
    members: { pair: address, unsold: `${unsold}`, height: market.height },
  })
}

function refusedLeg(
  market: Market,
  leg: number,
  count: number,
  { refused: reason, why }: Refusal,
): SwapError {
  const which = count === 1 ? 'the route' : `leg ${leg + 1} of ${count}`
  const isHalted = reason === 'quarantined'
  return new SwapError(
    isHalted ? 'MARKET_HALTED' : 'NO_ROUTE',
    `${which} cannot be executed any more`,
    {
      why: `${isHalted ? why : refusalText(why)} (block ${market.height})`,
      hint: 'quote again',
      members: isHalted
        ? { pair: why.split(' ')[0] ?? '' }
        : { rejected: [{ reason, detail: why }] },
    },
  )
}

/** Refuses legs whose current output is below their minimum. */
export function requireLeast(
  market: Market,
  legs: readonly { readonly output: string; readonly least: bigint }[],
  routes: readonly Pick<Route, 'expected'>[],
): void {
  const at = legs.findIndex(({ least }, i) => routes[i]!.expected < least)
  if (at < 0) return
  const { output, least } = legs[at]!
  const { expected } = routes[at]!
  const [asked, now] = [least, expected].map((amount) => formatCoin(market, output, amount))
  const why = `${legs.length > 1 ? `leg ${at + 1} demands` : 'you requested'} at least ${asked}; the same swap now gives ${now} at block ${market.height}`
  throw priceMoved(why, { limit: least, actual: expected, denom: output }, market)
}

/** What is requoted or simulated before the signature pays less than the minimum. */
export const priceMoved = (
  why: string,
  { limit, actual, denom }: { limit: bigint; actual: bigint; denom: Denom },
  { height }: Market,
): SwapError =>
  new SwapError('SLIPPAGE_EXCEEDED', 'the price moved past your limit, so nothing was sent', {
    why,
    hint: QUOTE_AGAIN,
    members: { limit: `${limit}`, actual: `${actual}`, denom, height },
  })

export const QUOTE_AGAIN = 'quote again, or accept it: --slippage with a greater number'
