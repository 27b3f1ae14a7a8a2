import { type Book, simulateBook } from '../../engine/market/book.js'
import type { Dialect, Market, Router } from '../../engine/market/market.js'
import { askDenom, opposite, sideOf } from '../../engine/market/pair.js'
import { isRefusal } from '../../engine/market/refusal.js'
import type { Coin } from '../../engine/market/token.js'
import { type StageHop, stagesIn } from '../../engine/routing/message.js'
import type { Ask } from '../queries/query-batch.js'
import { routeSimulation } from '../queries/router.js'
import { InvalidChain, unlessFaulty } from '../rpc/faults.js'
import type { RouterContract } from './pair-config.js'
import type { Reading } from './reader-cache.js'

/** Heights between attempts to detect an unknown rounding: a node may take long to fail each of them. */
const PAUSE = 100

/**
 * The router of a market, with its dialect and its rounding of the affiliate fee detected where the configuration and
 * the table of builds lack them (docs/chain.md#dialect-detection). Both are detected once for each code; an unknown
 * rounding is tried again later, and a failure to detect it does not fail the read.
 *
 * @throws InvalidChain if the dialect cannot be detected
 */
export async function detectedRouter(
  { network, source, cache, ask }: Reading,
  market: Market,
  { codeId }: RouterContract,
): Promise<Router> {
  const key = `${market.router.address}/${codeId}`
  let { router } = market
  if (network.router.dialect === 'auto') {
    const dialect = cache.dialects.get(key) ?? (await detectDialect(ask, market))
    cache.dialects.set(key, dialect)
    router = { ...router, dialect }
  }
  if (router.affiliateRounding !== undefined) return router
  const cached = cache.roundings.get(key)
  if (
    cached !== undefined &&
    (cached.rounding !== undefined || market.height < cached.retryAtHeight)
  )
    return { ...router, affiliateRounding: cached.rounding }
  const { detectAffiliateRounding } = await import('./affiliate-rounding.js')
  const rounding = await unlessFaulty(() => detectAffiliateRounding(source, { ...market, router }))
  cache.roundings.set(key, { rounding, retryAtHeight: market.height + PAUSE })
  return { ...router, affiliateRounding: rounding }
}

/** A route of two stages whose first and last denoms differ. */
type ProbeRoute = {
  readonly coin: Coin
  readonly stages: readonly StageHop[]
}

/** Routes to try before the router is rejected as unreadable. */
const TRIALS = 3

/**
 * Asks a router to simulate a route of two stages in both dialects. Only one can succeed: in the other one the first
 * pair is offered a denom that it does not trade.
 *
 * @throws InvalidChain when both or none answer
 */
export async function detectDialect(ask: Ask, market: Market): Promise<Dialect> {
  const hint = 'set router.dialect to forward or stack'
  const trials = trialsOf(market)
  if (trials.length === 0)
    throw new InvalidChain(
      market.network,
      "no two pairs make a route to learn the router's dialect from",
      hint,
    )
  for (const trial of trials) {
    const [forward, stack] = await Promise.all([
      understands(ask, market, trial, 'forward'),
      understands(ask, market, trial, 'stack'),
    ])
    if (forward && stack)
      throw new InvalidChain(market.network, 'the router answers both dialects', hint)
    if (forward || stack) return forward ? 'forward' : 'stack'
  }
  throw new InvalidChain(market.network, 'the router answers neither dialect', hint)
}

async function understands(
  ask: Ask,
  { router }: Market,
  { coin, stages }: ProbeRoute,
  dialect: Dialect,
): Promise<boolean> {
  const reply = await ask(routeSimulation(router.address, coin, stagesIn(dialect, stages)))
  return reply.kind === 'answered'
}

/** The offer is the depth of the first hop divided by this: enough for an output on both hops. */
const SHARE = 1000n

/** At most `TRIALS` routes over two pairs. */
function trialsOf({ books }: Market): readonly ProbeRoute[] {
  const trials: ProbeRoute[] = []
  const candidates = [...books.values()]
  for (const first of candidates) {
    const { base, quote } = first.state.pair
    for (const offered of [base, quote]) {
      const route = routeFrom(first, offered, candidates)
      if (route !== undefined) trials.push(route)
      if (trials.length === TRIALS) return trials
    }
  }
  return trials
}

/** A small amount of a denom, sold through a book and the first of the others that takes its output. */
function routeFrom(
  first: Book,
  offered: string,
  candidates: readonly Book[],
): ProbeRoute | undefined {
  const { pair } = first.state
  const side = sideOf(pair, offered)
  if (side === undefined) return undefined
  const coin = { denom: offered, amount: first.depth(opposite(side)) / SHARE }
  const amount = boughtFrom(first, coin)
  if (amount === 0n) return undefined
  const middle = { denom: askDenom(pair, side), amount }
  for (const second of candidates) {
    const next = sideOf(second.state.pair, middle.denom)
    if (second === first || next === undefined) continue
    const produced = askDenom(second.state.pair, next)
    if (produced === offered || boughtFrom(second, middle) === 0n) continue
    const { address } = second.state.pair
    return {
      coin,
      stages: [
        { address: pair.address, offered, produced: middle.denom },
        { address, offered: middle.denom, produced },
      ],
    }
  }
  return undefined
}

/** What a book pays for a coin; 0 where it refuses it. */
function boughtFrom(book: Book, coin: Coin): bigint {
  const fill = coin.amount > 0n ? simulateBook(book, coin) : undefined
  return fill === undefined || isRefusal(fill) ? 0n : fill.bought
}
