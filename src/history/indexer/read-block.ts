import { type PlacedLeg, tradesOf, undecodedEvent } from '../../chain/trades/decode.js'
import type { LegHop } from '../../chain/trades/hop.js'
import type { View } from '../../chain/trades/view.js'
import type { Json } from '../../engine/errors.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import { type Decimal, decimal, ONE } from '../../engine/math/decimal.js'
import type { Rational } from '../../engine/math/rational.js'
import type { IndexedBlock, IndexedSwap, SwapAffiliate } from '../store/swap-row.js'
import type { HistoryChain } from './chain.js'

/**
 * What a swap moved, in dollars rounded down to 18 digits: what was put in at its price, or what came out
 * before the router's fees where only that has one. `undefined` where neither has.
 *
 * @param prices dollars per atomic
 */
export function volumeOf(
  input: Coin,
  gross: Coin,
  prices: ReadonlyMap<Denom, Rational>,
): Decimal | undefined {
  for (const { denom, amount } of [input, gross]) {
    const price = prices.get(denom)
    if (price !== undefined) return decimal((amount * price.numerator * ONE) / price.denominator)
  }
  return undefined
}

type Prices = ReadonlyMap<Denom, Rational>

/** The prices that were kept for a height, if any were. */
export type KeptPrices = (height: number) => Promise<Prices | undefined>

/**
 * What one block holds for the history. A block without a swap costs nothing but itself; for another one
 * the market after it is read, unless the prices of that height are kept.
 *
 * @throws NodeFault
 */
export async function readIndexed(
  chain: HistoryChain,
  kept: KeptPrices,
  height: number,
): Promise<IndexedBlock> {
  const block = await chain.block(height)
  const { time, hash, parentHash } = block
  const { legs, undecoded } = tradesOf(block, chain.router)
  const bare = { height, time, hash, parentHash }
  if (legs.length === 0) return { ...bare, swaps: [], quarantined: undecoded, prices: new Map() }
  const known = await kept(height)
  const view = await chain.viewer.at(height, legs, known === undefined)
  const strange = legs.filter((leg) => unknownPair(leg, view) !== undefined)
  const counted = legs.filter((leg) => !strange.includes(leg))
  const prices = known ?? view.prices
  return {
    ...bare,
    swaps: counted.map((leg) => storedSwapOf(leg, view, prices)),
    quarantined: [
      ...undecoded,
      ...strange.map((leg) =>
        undecodedEvent(leg, `${unknownPair(leg, view)} is no pair of the market`),
      ),
    ],
    prices,
  }
}

const unknownPair = ({ hops }: PlacedLeg, { isPair }: View): string | undefined =>
  hops.find(({ pair }) => !isPair(pair))?.pair

function storedSwapOf(leg: PlacedLeg, view: View, prices: Prices): IndexedSwap {
  const { txIndex, msgIndex, eventIndex, txHash, sender, recipient, path, fees } = leg
  const { input, output } = leg
  const gross = output.amount + fees.protocol + fees.affiliate
  return {
    ...{ txIndex, msgIndex, eventIndex, txHash, sender, recipient, input, output, path, fees },
    type: input.denom === output.denom ? 'arbitrage' : 'swap',
    affiliate: affiliateOf(leg, view),
    hops: leg.hops.map(hopDocument),
    volumeUsd: volumeOf(input, { denom: output.denom, amount: gross }, prices),
  }
}

/** Anyone can print a code: it counts where it was registered, or else where it was paid. */
function affiliateOf(
  { code, affiliatePaid }: PlacedLeg,
  { affiliates }: View,
): SwapAffiliate | undefined {
  const address = affiliates === undefined ? affiliatePaid : affiliates.get(code)
  return code === '' || address === undefined ? undefined : { code, address }
}

const coin = ({ denom, amount }: Coin) => ({ denom, amount: `${amount}` })

/** A hop as the answer shows it. */
const hopDocument = ({ pair, input, unsold, output, fee, trades }: LegHop): Json => ({
  address: pair,
  input: coin(input),
  output: coin(output),
  fee: coin({ denom: output.denom, amount: fee }),
  unsold: coin({ denom: input.denom, amount: unsold }),
  trades,
})
