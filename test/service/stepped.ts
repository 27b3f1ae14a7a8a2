import { compileBook } from '../../src/engine/market/book.js'
import type { PairState, RestingSide } from '../../src/engine/market/pair.js'
import { graphOf } from '../../src/engine/routing/graph.js'
import type { MarketView } from '../../src/operations/context.js'
import {
  type MarketFeed,
  type ServedMarket,
  servedMarket,
} from '../../src/service/feed/market-feed.js'
import { demoMarket } from './stage.js'

/** A feed whose heights a test sets. */
export function steppedFeed(first: number, venueOf: (height: number) => MarketView) {
  let age = 0
  let current: ServedMarket = servedMarket(venueOf(first))
  const listeners = new Set<(next: ServedMarket) => void>()
  const feed: MarketFeed = {
    current: () => current,
    age: () => age,
    maxAge: 1_000,
    nodeHeight: () => current.height,
    disputed: () => undefined,
    shortage: () => undefined,
    unready: () => [],
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => Promise.resolve(),
  }
  const step = (height: number) => {
    current = servedMarket(venueOf(height))
    age = 0
    for (const listener of listeners) listener(current)
  }
  /** Lets the market become too old. */
  const stall = () => {
    age = feed.maxAge + 1
    for (const listener of listeners) listener(current)
  }
  return { feed, step, stall, listeners }
}

/** The number of heights after which the sizes repeat. */
const MARKS = 97

/**
 * The demo market with its height encoded in every book: orders are larger by an amount that depends on the
 * height, so the numbers of an answer show its height.
 */
export function markedMarket(height: number): MarketView {
  const books = new Map(
    [...demoMarket.books].map(([address, { state }]) => [
      address,
      compileBook(marked(state, height)),
    ]),
  )
  const market = { ...demoMarket, height, books }
  return { market, graph: graphOf(market) }
}

function marked(state: PairState, height: number): PairState {
  const by = BigInt(1_000 + (height % MARKS))
  const larger = (total: bigint) => (total * by) / 1_000n
  const side = ({ fixed, oracle, ...rest }: RestingSide): RestingSide => ({
    ...rest,
    fixed: fixed.map((pool) => ({ ...pool, total: larger(pool.total) })),
    oracle: oracle.map((pool) => ({ ...pool, total: larger(pool.total) })),
  })
  return {
    ...state,
    asks: side(state.asks),
    bids: side(state.bids),
    makers: state.makers.map((maker) =>
      maker.kind === 'xyk'
        ? { ...maker, reserveX: larger(maker.reserveX), reserveY: larger(maker.reserveY) }
        : maker,
    ),
    balances: state.balances && {
      base: larger(state.balances.base),
      quote: larger(state.balances.quote),
    },
  }
}
