import { type Group, type LiveGroup, precisionOf } from './group.js'
import {
  type Maker,
  offerDenom,
  type PairState,
  type RestingPool,
  type RestingSide,
  restingOf,
  type Side,
} from './pair.js'
import { ContractFailure } from './refusal.js'
import type { FinRules } from './venues/fin-rules.js'
import { fillXyk } from './venues/xyk.js'

/** Payment to one maker and its obligation in one commit, in atomics. */
export type MakerOrder = { readonly maker: number; readonly sold: bigint; readonly asked: bigint }

/**
 * The message to each maker of the groups that a commit touched: offers and bids are summed over the
 * groups, in the makers' order (docs/venues.md#maker-messages). Throws `ContractFailure` where a touched
 * maker would receive or pay nothing: the transaction fails, unless the version skips that maker and
 * keeps its offer.
 */
export function makerOrders(rules: FinRules, groups: Iterable<LiveGroup>): readonly MakerOrder[] {
  const orders = new Map<number, { sold: bigint; asked: bigint }>()
  for (const group of groups)
    for (const { part, sold, bought } of group.levels) {
      const order = orders.get(part.maker) ?? { sold: 0n, asked: 0n }
      orders.set(part.maker, { sold: order.sold + sold, asked: order.asked + bought })
    }
  return [...orders]
    .map(([maker, order]) => ({ maker, ...order }))
    .filter((order) => isSent(rules, order))
    .sort((a, b) => a.maker - b.maker)
}

/** Whether a maker gets a message. Throws `ContractFailure` if it moves nothing in one direction. */
export function isSent(rules: FinRules, { maker, sold, asked }: MakerOrder): boolean {
  if (asked === 0n && rules.idleMakers === 'left alone') return false
  if (sold === 0n || asked === 0n)
    throw new ContractFailure(
      'empty_maker_message',
      `market maker ${maker + 1} of the pair would be sent ${sold} and asked for ${asked}; a message without coins fails`,
    )
  return true
}

/** The makers after these orders of takers of `side`. A quoted maker's new levels are unknown. */
export function fillMakers(
  state: PairState,
  side: Side,
  orders: readonly MakerOrder[],
): readonly Maker[] {
  if (orders.length === 0) return state.makers
  const makers = [...state.makers]
  for (const { maker, sold, asked } of orders) {
    const existing = makers[maker]
    if (existing?.kind === 'xyk')
      makers[maker] = fillXyk(existing, offerDenom(state.pair, side), sold, asked)
    else if (existing?.kind === 'quoted') makers[maker] = { ...existing, stale: true }
  }
  return makers
}

/** One side's resting orders after groups were taken from and others drained. Drained pools disappear. */
export function restAfter(
  state: PairState,
  side: Side,
  groups: Iterable<LiveGroup>,
  drained: Iterable<Group | bigint> = [],
): RestingSide {
  const resting = restingOf(state, side)
  const remaining = new Map<RestingPool, RestingPool | undefined>()
  for (const group of drained)
    if (typeof group === 'object')
      for (const { pool } of group.pools) remaining.set(pool, undefined)
  for (const group of groups)
    for (const live of group.pools) {
      const { pool } = live.part
      remaining.set(
        pool,
        live.left === 0n ? undefined : { ...pool, total: live.left, ...precisionOf(live) },
      )
    }
  if (remaining.size === 0) return resting
  const remainingPools = (pools: readonly RestingPool[]): RestingPool[] => {
    const list: RestingPool[] = []
    for (const pool of pools) {
      const current = remaining.has(pool) ? remaining.get(pool) : pool
      if (current !== undefined) list.push(current)
    }
    return list
  }
  return {
    ...resting,
    fixed: remainingPools(resting.fixed),
    oracle: remainingPools(resting.oracle),
  }
}

/** The pair's bank balances after coins came in and went out, where they are known. */
export function moveBalances(
  state: PairState,
  change: { readonly base: bigint; readonly quote: bigint },
): PairState['balances'] {
  const { balances } = state
  return balances && { base: balances.base + change.base, quote: balances.quote + change.quote }
}

/** The changes of both balances, from the movements of the offered and the received denom. */
export const balanceChange = (side: Side, offered: bigint, asked: bigint) =>
  side === 'ask' ? { base: asked, quote: offered } : { base: offered, quote: asked }
