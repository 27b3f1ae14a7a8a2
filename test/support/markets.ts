import { drawBetween, type Random, seededRandom } from '../../src/demo-chain/market/random.js'
import type { Book } from '../../src/engine/market/book.js'
import { groupAt } from '../../src/engine/market/compiled-side.js'
import type { Market } from '../../src/engine/market/market.js'
import type { PairState, Side } from '../../src/engine/market/pair.js'
import { visibleBook } from '../../src/engine/market/resting-orders.js'
import type { Denom } from '../../src/engine/market/token.js'
import { ArithmeticAbort, formatDecimal, ONE } from '../../src/engine/math/decimal.js'
import { type Graph, graphOf } from '../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../src/engine/snapshot/decode.js'

import { TIMES } from './books.js'

export type PairDocument = { readonly address: string } & Record<string, unknown>
export type MarketDocument = { readonly pairs: readonly PairDocument[] } & Record<string, unknown>

/** A market for queries. `random` is its own stream. */
export type Drawn = {
  readonly seed: number
  readonly document: MarketDocument
  readonly market: Market
  readonly graph: Graph
  readonly random: Random
}

/** Seeds of a property: enough to find a planted fault, and `TIMES` as many with SWAP_LONG=1. */
export const seeds = (count: number): readonly number[] =>
  Array.from({ length: count * TIMES }, (_, i) => i + 1)

export const between = (random: Random, low: number, high: number): number =>
  Number(drawBetween(random, [BigInt(low), BigInt(high)]))

/** True once in `n` times. */
export const once = (random: Random, n: number): boolean => between(random, 1, n) === 1

export const anyOf = <T>(random: Random, items: readonly T[]): T =>
  items[between(random, 0, items.length - 1)]!

export const shuffled = <T>(random: Random, items: readonly T[]): readonly T[] =>
  items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item)

/** A document with these pairs; its tokens are those that the pairs trade. */
export function documentOf(pairs: readonly PairDocument[], router: object = {}): MarketDocument {
  const denoms = new Set(pairs.flatMap(({ base, quote }) => [`${base}`, `${quote}`]))
  const swaps = { decimals: 8, chain: 'DRAWN', kind: 'native', contract: null, logo_uri: null }
  return {
    format: 'swap.snapshot/1',
    network: 'drawn-1',
    chain_id: 'drawn-1',
    height: 7,
    time: '2026-05-01T00:00:00Z',
    usd: null,
    arbs: [],
    tokens: [...denoms].map((denom) => ({ denom, symbol: denom, name: denom, ...swaps })),
    router: {
      address: 'router',
      dialect: 'forward',
      fee_bps: 0,
      affiliate_rounding: 'down',
      ...router,
    },
    pairs,
  }
}

type Orders = readonly (readonly [price: string, total: string])[]

/** A pair of limit orders without fees: `asks` give base for quote, `bids` quote for base. */
export function pairOf(
  [address, base, quote]: readonly [address: string, base: Denom, quote: Denom],
  { asks = [], bids = [] }: { readonly asks?: Orders; readonly bids?: Orders },
  more: object = {},
): PairDocument {
  const [gives, takes] = [asks, bids].map((side) =>
    side.map(([price, total]) => ({ price, total })),
  )
  return {
    address,
    base,
    quote,
    tick: 6,
    fee_taker: '0',
    fee_maker: '0',
    fin_version: '1.1.0',
    oracles: null,
    pools: { base: gives, quote: takes },
    makers: [],
    status: 'open',
    ...more,
  }
}

export function marketOf(document: MarketDocument, seed = 0): Drawn {
  const market = decodeSnapshot(document, `seed ${seed}`)
  return { seed, document, market, graph: graphOf(market), random: seededRandom(`ask ${seed}`) }
}

/** The readable part of a side; empty where the contract itself aborts. */
export function seen<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof ArithmeticAbort) return undefined
    throw error
  }
}

/** The book of a pair as its own query returns it, cut after this many levels. */
export function encodeBook(state: PairState, limit: number) {
  const visible = (['ask', 'bid'] as const).map((side) => visibleBook(state, side, limit))
  const [base, quote] = visible.map(({ levels }) =>
    levels.map(({ rate, total }) => ({ price: formatDecimal(rate), total: `${total}` })),
  )
  const [asks, bids] = visible.map(({ truncated }) => truncated)
  return { base, quote, truncated: { base: asks, quote: bids } }
}

/** The cost of draining each of the first groups of a side with all before it, as far as it can be read. */
export function costsOf(book: Book, side: Side, groups: number): readonly bigint[] {
  const costs: bigint[] = []
  for (let i = 0; i < groups; i += 1) {
    const group = seen(() => groupAt(book.executedSide(side), i))
    if (group === undefined) break
    const parts = [...group.pools, ...group.levels].filter(({ factor }) => factor > 0n)
    const cost = parts.reduce((sum, { factor, size }) => sum + (size * ONE) / factor, 0n)
    costs.push((costs.at(-1) ?? 0n) + cost)
  }
  return costs
}
