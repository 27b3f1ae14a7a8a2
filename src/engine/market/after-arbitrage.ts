import { ArithmeticAbort } from '../math/decimal.js'
import {
  balanceChange,
  fillMakers,
  type MakerOrder,
  makerOrders,
  moveBalances,
  restAfter,
} from './commit.js'
import { copyLive, type LiveGroup, leftIn, liveGroup, takeGroup } from './group.js'
import type { PairState } from './pair.js'
import { priceLevels } from './price-levels.js'
import { ContractFailure, type Refusal, refusal } from './refusal.js'
import { isCertain } from './walk.js'

/** The arbitrage step of a pair and the state after it (docs/venues.md#the-arbitrage-step). */
export type AfterArbitrage = {
  /** The pair as the swap itself finds it. */
  readonly state: PairState
  /** Whether the step changed anything. */
  readonly changed: boolean
  /** The profit, which goes to the fee address. */
  readonly profit: { readonly base: bigint; readonly quote: bigint }
  /** The minimum balances that the step's payments need, including the taker's coin. */
  readonly capital: { readonly base: bigint; readonly quote: bigint }
  /** Payments to the makers in the order of their messages: ask side first. */
  readonly orders: { readonly asks: readonly MakerOrder[]; readonly bids: readonly MakerOrder[] }
  /** The groups that the step took from, in their final state. */
  readonly groups: { readonly asks: readonly LiveGroup[]; readonly bids: readonly LiveGroup[] }
  readonly certain: boolean
}

/** Maximum number of rounds: the step would have run out of gas long before. */
const MAX_ROUNDS = 50_000

/**
 * Matches the two sides of a pair against each other until they no longer meet, as the contract does
 * before every swap. Floors make it act on books that show no cross as well, so it is never gated on
 * displayed prices. It does not depend on the taker's offer, except for the capital it needs.
 */
export function afterArbitrage(state: PairState): AfterArbitrage | Refusal {
  try {
    return matchSides(state)
  } catch (error) {
    if (error instanceof ContractFailure)
      return refusal(error.reason, `arbitrage step: ${error.message}`)
    if (error instanceof ArithmeticAbort)
      return refusal('overflow', `arbitrage step: ${error.message}`)
    throw error
  }
}

function matchSides(state: PairState): AfterArbitrage {
  const cross = matchRounds(state)
  const asks = makerOrders(state.pair.rules, cross.asks)
  const bids = makerOrders(state.pair.rules, cross.bids)
  const { profit } = cross
  const groups = { asks: cross.asks, bids: cross.bids }
  const certain =
    cross.trialCertain &&
    [...cross.asks, ...cross.bids].every((live) => isCertain(state.pair, live))
  const changed = cross.asks.length > 0 || cross.bids.length > 0
  const { capital, moved } = payments(asks, bids, profit)
  const afterAsks = { ...state, makers: fillMakers(state, 'ask', asks) }
  return {
    state: changed
      ? {
          ...state,
          asks: restAfter(state, 'ask', cross.asks),
          bids: restAfter(state, 'bid', cross.bids),
          makers: fillMakers(afterAsks, 'bid', bids),
          balances: moveBalances(state, moved),
          exact: state.exact && certain,
        }
      : state,
    changed,
    profit,
    capital,
    orders: { asks, bids },
    groups,
    certain,
  }
}

type Cross = {
  readonly asks: readonly LiveGroup[]
  readonly bids: readonly LiveGroup[]
  readonly profit: { readonly base: bigint; readonly quote: bigint }
  /** Whether the groups of the last, discarded round are completely known. */
  readonly trialCertain: boolean
}

/** The rounds of the step. A round that would lose is discarded and ends it. */
function matchRounds(state: PairState): Cross {
  const { rules } = state.pair
  const [askGroups, bidGroups] = [priceLevels(state, 'ask'), priceLevels(state, 'bid')]
  const liveGroups = { asks: [] as LiveGroup[], bids: [] as LiveGroup[] }
  let ask = nextLive(askGroups)
  let bid = nextLive(bidGroups)
  let base = 0n
  let quote = 0n
  let trialCertain = true
  for (let round = 0; ask && bid; round += 1) {
    const [triedAsk, triedBid] = [copyLive(ask), copyLive(bid)]
    const sale = takeGroup(rules, triedBid, leftIn(ask))
    const purchase = takeGroup(rules, triedAsk, sale.bought)
    if (purchase.bought < sale.sold || sale.bought < purchase.sold) {
      trialCertain = ask.group.certain && bid.group.certain
      break
    }
    base += purchase.bought - sale.sold
    quote += sale.bought - purchase.sold
    recordGroup(liveGroups.asks, triedAsk)
    recordGroup(liveGroups.bids, triedBid)
    const askDone = leftIn(triedAsk) === 0n
    const bidDone = leftIn(triedBid) === 0n
    if ((!askDone && !bidDone && sale.sold + sale.bought === 0n) || round === MAX_ROUNDS)
      throw new ContractFailure('arb_endless', 'the pair matches its two sides without end')
    ask = askDone ? nextLive(askGroups) : triedAsk
    bid = bidDone ? nextLive(bidGroups) : triedBid
  }
  return { profit: { base, quote }, trialCertain, ...liveGroups }
}

function nextLive(groups: ReturnType<typeof priceLevels>): LiveGroup | undefined {
  const next = groups.next()
  return next.done ? undefined : liveGroup(next.value)
}

/** A group taken from in several rounds is one entry, as of its last round. */
function recordGroup(list: LiveGroup[], live: LiveGroup): void {
  const last = list.at(-1)
  if (last?.group === live.group) list[list.length - 1] = live
  else list.push(live)
}

/**
 * The step's messages in their order: makers of the ask side are paid in quote, then those of the
 * bid side in base, then the profit leaves. `capital` is the deepest that each balance is drawn.
 */
function payments(
  asks: readonly MakerOrder[],
  bids: readonly MakerOrder[],
  profit: { readonly base: bigint; readonly quote: bigint },
) {
  const balance = { base: 0n, quote: 0n }
  const capital = { base: 0n, quote: 0n }
  const pay = (delta: { readonly base: bigint; readonly quote: bigint }) => {
    for (const denom of ['base', 'quote'] as const) {
      balance[denom] += delta[denom]
      if (-balance[denom] > capital[denom]) capital[denom] = -balance[denom]
    }
  }
  for (const { sold, asked } of asks) {
    pay(balanceChange('ask', -sold, 0n))
    pay(balanceChange('ask', 0n, asked))
  }
  for (const { sold, asked } of bids) {
    pay(balanceChange('bid', -sold, 0n))
    pay(balanceChange('bid', 0n, asked))
  }
  pay({ base: -profit.base, quote: -profit.quote })
  return { capital, moved: balance }
}
