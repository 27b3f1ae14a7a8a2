import { type Decimal, mulCeil, ONE, uint128 } from '../math/decimal.js'
import { type Group, type LiveGroup, liveGroup, takeGroup } from './group.js'
import type { Pair, PairState, Side } from './pair.js'
import { priceLevels } from './price-levels.js'
import { ContractFailure } from './refusal.js'

/** One group as a swap used it: the figures of the contract's trade event, for each part. */
export type Trade = {
  readonly rate: Decimal
  /** Offer atomics taken by the group. */
  readonly sold: bigint
  /** Atomics bought, before the fee. */
  readonly bought: bigint
  readonly live: LiveGroup
}

/** The matching of one offer (docs/venues.md#matching), in atomics. `offer = sold + unsold`. */
export type Walk = {
  readonly sold: bigint
  readonly unsold: bigint
  readonly gross: bigint
  readonly trades: readonly Trade[]
  /** False when a group that was used is not completely known. */
  readonly certain: boolean
}

/**
 * Walks one side level by level, as the contract does. The offer may be zero: the contract then
 * still visits the first group. `limit` (offer per received) stops before the first group whose own
 * average, rounded down, is worse; that group is left untouched.
 *
 * Throws `ContractFailure` or `ArithmeticAbort` where the contract fails.
 */
export function walk(
  state: PairState,
  side: Side,
  offer: bigint,
  limit?: Decimal,
  groups = priceLevels(state, side),
): Walk {
  const trades: Trade[] = []
  let unsold = offer
  let gross = 0n
  let certain = true
  for (let next = groups.next(); ; next = groups.next()) {
    if (next.done) {
      certain &&= next.value
      break
    }
    const trade = takeFrom(state.pair, next.value, unsold)
    certain &&= isCertain(state.pair, trade.live)
    if (limit !== undefined && isWorse(trade, limit)) break
    trades.push(trade)
    unsold = remainder(unsold, trade.sold)
    gross += trade.bought
    if (unsold === 0n) break
  }
  return { sold: offer - unsold, unsold, gross, trades, certain }
}

function takeFrom(pair: Pair, group: Group, offer: bigint): Trade {
  const live = liveGroup(group)
  const { sold, bought } = takeGroup(pair.rules, live, offer)
  return { rate: group.rate, sold, bought, live }
}

const isWorse = ({ sold, bought }: Trade, limit: Decimal): boolean =>
  bought > 0n && (sold * ONE) / bought > limit

/** The rest of the offer. A group may need more than that: the contract then aborts. */
export function remainder(unsold: bigint, sold: bigint): bigint {
  if (sold > unsold)
    throw new ContractFailure(
      'abort_window',
      `draining the level costs ${sold} where ${unsold} is left of the offer`,
      sold - unsold,
    )
  return unsold - sold
}

/** Whether what a used group did follows from complete knowledge of it and of the version's rules. */
export function isCertain(pair: Pair, live: LiveGroup): boolean {
  const { rules } = pair
  if (!live.group.certain) return false
  if (rules.drainKnown && rules.makerDrainKnown && rules.tolerance !== 'unknown') return true
  const poolKnown = live.pools.every(
    (part) => (rules.drainKnown && part.left === 0n) || part.left > 1n,
  )
  return poolKnown && (rules.makerDrainKnown || live.levels.every((part) => part.left > 0n))
}

/** The venue's fee on a gross output: rounded up, charged once per swap. */
export const takerFee = (pair: Pair, gross: bigint): bigint => {
  uint128(gross * ONE)
  return mulCeil(gross, pair.takerFee)
}
