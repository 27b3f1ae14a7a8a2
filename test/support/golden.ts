import type { Market } from '../../src/engine/market/market.js'
import type { VectorCoin } from './cases.js'
import { marketOf } from './small-market.js'

type Level = { readonly price: string; readonly total: string }

/** A pair of a real node with the 30 levels a side that the node's query gas allowed. */
type GoldenPair = {
  readonly pair: {
    readonly address: string
    readonly base: string
    readonly quote: string
    readonly version: string
  }
  readonly config?: {
    readonly tick: number
    readonly fee_taker: string
    readonly fee_maker: string
  }
  readonly book: { readonly base: readonly Level[]; readonly quote: readonly Level[] }
  readonly strategy: object | null
}

type Amounts = { readonly returned: string; readonly fee: string } | { readonly error: string }

/** The content of `golden_simulate.json`. */
export type Golden = {
  readonly pairs: readonly (GoldenPair & {
    readonly cases: readonly { readonly offer: VectorCoin; readonly result: Amounts }[]
  })[]
  readonly routes: readonly {
    readonly coin: VectorCoin
    readonly stages: readonly { readonly address: string }[]
    readonly router: Amounts
  }[]
}

/** An entry of `golden_swaps.json`. */
export type GoldenSwap = GoldenPair & {
  readonly offer: VectorCoin
  readonly simulate: Amounts
  readonly trades: readonly {
    readonly rate: string
    readonly offer: string
    readonly bid: string
    readonly [attribute: string]: string
  }[]
  readonly received: readonly string[]
  readonly fees: readonly string[]
  readonly strategyAfter: {
    readonly xyk: readonly [object, { readonly x: string; readonly y: string }]
  } | null
}

/** The address of a recorded pair's maker. */
export const makerOf = (pair: string): string => `bow ${pair}`

const READ = 30

/** The market of recorded pairs. */
export const goldenMarket = (recorded: readonly GoldenPair[]): Market =>
  marketOf(
    recorded.map(({ pair, config, book, strategy }) => ({
      address: pair.address,
      base: pair.base,
      quote: pair.quote,
      tick: config?.tick ?? 6,
      fee_taker: config?.fee_taker ?? '0.0015',
      fee_maker: config?.fee_maker ?? '0.00075',
      fin_version: pair.version,
      book: {
        ...book,
        truncated: { base: book.base.length >= READ, quote: book.quote.length >= READ },
      },
      makers: strategy ? [{ address: makerOf(pair.address), strategy }] : [],
      status: 'open',
    })),
    recorded.flatMap(({ pair }) => [pair.base, pair.quote]),
  )
