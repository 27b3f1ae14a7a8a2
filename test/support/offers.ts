import fc from 'fast-check'
import { offerDenom, type PairState, type Side } from '../../src/engine/market/pair.js'
import { priceLevels } from '../../src/engine/market/price-levels.js'
import { ArithmeticAbort, ceilDiv, ONE } from '../../src/engine/math/decimal.js'

export type OfferDraw = { readonly at: number; readonly delta: bigint; readonly share: bigint }

/** An offer drawn for a book: near one of its level boundaries, or anywhere up to past its end. */
export const anyOffer: fc.Arbitrary<OfferDraw> = fc.record({
  at: fc.nat(200),
  delta: fc.bigInt(-2n, 2n),
  share: fc.oneof(fc.constant(0n), fc.bigInt(1n, 1200n)),
})

/** The amount of a draw on one side of a book, in atomics of the denom offered. */
export function offerOf(state: PairState, side: Side, { at, delta, share }: OfferDraw): bigint {
  const edges = edgesOf(state, side)
  const amount = share > 0n ? (edges.at(-1)! * share) / 1000n : edges[at % edges.length]!
  return amount + delta > 0n ? amount + delta : 0n
}

/** Offers at which a result changes: per part of the first groups, its drain and its abort window. */
function edgesOf(state: PairState, side: Side): readonly bigint[] {
  const edges = [0n, 1n]
  let sold = 0n
  try {
    for (const group of priceLevels(state, side)) {
      const parts = [...group.pools, ...group.levels].filter((part) => part.factor * part.size > 0n)
      const total = parts.reduce((sum, part) => sum + part.size, 0n)
      for (const { factor, size } of parts)
        for (const wanted of [size - 1n, size])
          edges.push(sold + (ceilDiv(wanted * ONE, factor) * total) / size)
      sold += parts.reduce((sum, { factor, size }) => sum + (size * ONE) / factor, 0n)
      edges.push(sold)
      if (edges.length > 200) break
    }
  } catch (error) {
    // A side that cannot be read to its end has the edges found so far.
    if (!(error instanceof ArithmeticAbort)) throw error
  }
  return edges
}

/** An amount of the denom that a taker of this side pays. */
export const offered = (state: PairState, side: Side, amount: bigint) => ({
  denom: offerDenom(state.pair, side),
  amount,
})
