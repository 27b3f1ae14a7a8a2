import type { PairState, RestingPool, RestingSide, Side } from '../../src/engine/market/pair.js'
import { finRules } from '../../src/engine/market/venues/fin-rules.js'
import { type Decimal, decimal, ONE, parseDecimal, ratio } from '../../src/engine/math/decimal.js'
import { SCALED_ONE, SCALED_ZERO } from '../../src/engine/math/scaled.js'

/** The input of one case of matching.json. */
export type MatchingInput = {
  readonly tick: number
  readonly fee?: string
  readonly oracle: string
  readonly side: 'base' | 'quote'
  readonly mode: 'swap' | 'book' | 'arb'
  readonly limit?: number
  readonly req?: {
    readonly price?: string
    readonly min_return?: string
    readonly exact_return?: string
  } | null
  readonly base_pools: readonly MatchingPool[]
  readonly quote_pools: readonly MatchingPool[]
  readonly mms: readonly {
    readonly addr: string
    readonly x: string
    readonly y: string
    readonly step: string
    readonly min_quote: string
    readonly fee: string
    readonly bx: string
    readonly by: string
  }[]
  readonly offer?: string
}

type MatchingPool = {
  readonly price: { readonly fixed: string } | { readonly oracle: number }
  readonly total: string
}

export const must = (text: string): Decimal => {
  const value = parseDecimal(text)
  if (value === undefined) throw new Error(`not a decimal: ${text}`)
  return value
}

/** The rate of an order at a distance in bps from the oracle price (docs/venues.md#oracle-prices). */
function oracleRate(oracle: Decimal, bps: number): Decimal {
  const share = ratio(10_000n + BigInt(bps), 10_000n)
  return bps === 0 ? oracle : decimal((oracle * share) / ONE)
}

export function stateOf(input: MatchingInput): PairState {
  return {
    pair: {
      address: 'pair',
      base: 'base',
      quote: 'quote',
      tick: input.tick,
      takerFee: must(input.fee ?? '0'),
      makerFee: must('0'),
      version: '1.1.0',
      rules: finRules('1.1.0'),
      oracles: null,
      ranges: [],
    },
    asks: restingOf(input, input.base_pools, 'ask'),
    bids: restingOf(input, input.quote_pools, 'bid'),
    makers: input.mms.map((mm) => ({
      kind: 'xyk',
      address: mm.addr,
      x: mm.x,
      y: mm.y,
      step: must(mm.step),
      minQuote: BigInt(mm.min_quote),
      fee: must(mm.fee),
      reserveX: BigInt(mm.bx),
      reserveY: BigInt(mm.by),
    })),
    balances: undefined,
    exact: true,
  }
}

function restingOf(input: MatchingInput, pools: readonly MatchingPool[], side: Side): RestingSide {
  const all = pools
    .map(({ price, total }): RestingPool => {
      const shared = { total: BigInt(total), sum: SCALED_ZERO, product: SCALED_ONE, certain: true }
      return 'fixed' in price
        ? { ...shared, rate: must(price.fixed), origin: 'fixed' }
        : {
            ...shared,
            rate: oracleRate(must(input.oracle), price.oracle),
            origin: 'oracle',
            bps: price.oracle,
          }
    })
    .filter((pool) => pool.total > 0n)
    .sort((a, b) => (a.rate === b.rate ? 0 : a.rate < b.rate === (side === 'ask') ? -1 : 1))
  return {
    fixed: all.filter((pool) => pool.origin === 'fixed'),
    oracle: all.filter((pool) => pool.origin === 'oracle'),
    knownTo: undefined,
  }
}
