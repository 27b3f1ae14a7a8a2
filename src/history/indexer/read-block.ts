import type { ChainBlock } from '../../chain/trades/block.js'
import { type PlacedLeg, tradesOf } from '../../chain/trades/block-trades.js'
import { MalformedEvent } from '../../chain/trades/events.js'
import type { LegHop } from '../../chain/trades/leg.js'
import { netChanges } from '../../chain/trades/order-changes.js'
import { type OrderRun, orderRunsOf } from '../../chain/trades/order-runs.js'
import { undecodedEvent } from '../../chain/trades/read-events.js'
import type { View } from '../../chain/trades/view.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import { type Decimal, decimal, ONE } from '../../engine/math/decimal.js'
import type { Rational } from '../../engine/math/rational.js'
import { coinDocument } from '../../operations/document-parts.js'
import type { ExecutedHop } from '../../operations/history/history-port.js'
import type {
  IndexedBlock,
  IndexedOrder,
  IndexedSwap,
  SwapAffiliate,
} from '../store/history-store.js'
import type { HistoryChain } from './indexing.js'

/** Dollars per atomic. */
type Prices = ReadonlyMap<Denom, Rational>

/**
 * The volume of a swap in dollars, rounded down to 18 decimals: the input at its price, or else the output
 * before the router's fees at its price. `undefined` if neither has a price.
 */
export function volumeOf(input: Coin, gross: Coin, prices: Prices): Decimal | undefined {
  for (const { denom, amount } of [input, gross]) {
    const price = prices.get(denom)
    if (price !== undefined) return decimal((amount * price.numerator * ONE) / price.denominator)
  }
  return undefined
}

/** The stored prices of a height, if any. */
export type KeptPrices = (height: number) => Promise<Prices | undefined>

/**
 * The content of one block for the history. The market is read only for blocks with swaps or orders, and its
 * prices only for swaps, if those of that height are not stored yet.
 *
 * @throws NodeFault
 */
export async function contentOf(
  chain: Pick<HistoryChain, 'router' | 'viewer'>,
  readPrices: KeptPrices,
  block: ChainBlock,
): Promise<IndexedBlock> {
  const { height, time, hash, parentHash, results, parentResults } = block
  const { legs, undecoded } = tradesOf(block, chain.router)
  const { runs, undecoded: undecodedOrders } = orderRunsOf(block, chain.router)
  const bare = { height, time, hash, parentHash, results, parentResults }
  const quarantined = [...undecoded, ...undecodedOrders]
  if (legs.length + runs.length === 0)
    return { ...bare, swaps: [], orders: [], quarantined, prices: new Map() }
  const storedPrices = legs.length === 0 ? new Map() : await readPrices(height)
  const orderPairs = runs.map(({ pair }) => pair)
  const view = await chain.viewer.at(height, legs, storedPrices === undefined, orderPairs)
  const unknownLegs = legs.filter((leg) => unknownPair(leg, view) !== undefined)
  const knownLegs = legs.filter((leg) => !unknownLegs.includes(leg))
  const prices = storedPrices ?? view.prices
  const orders = await Promise.all(runs.map((run) => ordersOf(run, view)))
  return {
    ...bare,
    swaps: knownLegs.map((leg) => indexedSwapOf(leg, view, prices)),
    orders: orders.flatMap((order) => (typeof order === 'string' ? [] : order)),
    quarantined: [
      ...quarantined,
      ...unknownLegs.map((leg) => undecodedEvent(leg, notPair(unknownPair(leg, view)!))),
      ...runs.flatMap((run, at) => {
        const reason = orders[at]
        const { eventIndex } = run.changes[0]!
        return typeof reason === 'string' ? [undecodedEvent({ ...run, eventIndex }, reason)] : []
      }),
    ],
    prices,
  }
}

/** The changes of an order message, or the reason why they cannot be determined. */
async function ordersOf(run: OrderRun, view: View): Promise<readonly IndexedOrder[] | string> {
  const { txIndex, msgIndex, txHash, pair, owner } = run
  const denoms = view.denomsOf(pair)
  if (denoms === undefined)
    return view.isPair(pair) ? `the denoms of ${pair} cannot be read` : notPair(pair)
  const { base, quote } = denoms
  try {
    const changes = await netChanges(run, denoms, () => view.feesOf(pair))
    return changes.map((change) => ({
      txIndex,
      msgIndex,
      txHash,
      pair,
      owner,
      ...change,
      offerDenom: change.side === 'ask' ? base : quote,
      receiveDenom: change.side === 'ask' ? quote : base,
    }))
  } catch (error) {
    if (error instanceof MalformedEvent) return error.message
    throw error
  }
}

const notPair = (address: string): string => `${address} is not a pair of the market`

const unknownPair = ({ hops }: PlacedLeg, { isPair }: View): string | undefined =>
  hops.find(({ pair }) => !isPair(pair))?.pair

function indexedSwapOf(leg: PlacedLeg, view: View, prices: Prices): IndexedSwap {
  const { txIndex, msgIndex, eventIndex, txHash, sender, recipient, path, fees } = leg
  const { input, output } = leg
  const gross = output.amount + fees.protocol + fees.affiliate
  return {
    txIndex,
    msgIndex,
    eventIndex,
    txHash,
    sender,
    recipient,
    input,
    output,
    path,
    fees,
    type: input.denom === output.denom ? 'arbitrage' : 'swap',
    affiliate: affiliateOf(leg, view),
    hops: leg.hops.map(hopDocument),
    volumeUsd: volumeOf(input, { denom: output.denom, amount: gross }, prices),
  }
}

/**
 * The affiliate of a leg. Any contract can emit a code, so only registered ones count. If that height's state is
 * pruned, a paid code counts as registered; for a swap too small for a fee the current registration decides.
 */
function affiliateOf(
  { code, affiliatePaid }: PlacedLeg,
  { affiliates, areOfToday }: View,
): SwapAffiliate | undefined {
  const registered = affiliates.get(code)
  const address = areOfToday ? (affiliatePaid ?? registered) : registered
  return code === '' || address === undefined ? undefined : { code, address }
}

/** A hop as a member of the answer. */
const hopDocument = ({ pair, input, unsold, output, fee, trades }: LegHop): ExecutedHop => ({
  address: pair,
  input: coinDocument(input),
  output: coinDocument(output),
  fee: coinDocument({ denom: output.denom, amount: fee }),
  unsold: coinDocument({ denom: input.denom, amount: unsold }),
  trades,
})
