import { type Decimal, decimal, formatDecimal, ONE } from '../../engine/math/decimal.js'
import { truncateCeil, truncateFloor } from '../../engine/math/tick.js'
import { lpDenom } from '../contracts/bow/bow-contract.js'
import type { Agent } from '../genesis/known-accounts.js'
import type { DemoMaker } from '../market/document.js'
import { movedBy, shiftedBy, TICK } from '../market/draw.js'
import { drawBetween, drawOne } from '../market/random.js'
import { balanceOf, byDenom } from '../modules/bank.js'
import { executeMessage } from '../tx/sign.js'
import {
  type Action,
  type AgentContext,
  affordableCoin,
  ask,
  decimalOf,
  type KnownPair,
  ownOrders,
  type RestingOrder,
  randomBoolean,
} from './context.js'
import { referenceOf } from './prices.js'

/**
 * The price of a pair's base in its quote, drift included. Dislocated pairs remain dislocated, so that a profitable
 * arbitrage loop always exists.
 */
export function fairPrice({ worth }: AgentContext, pair: KnownPair): Decimal {
  const fair = decimal((worth(pair.base) * ONE) / worth(pair.quote))
  return shiftedBy(fair, referenceOf(pair)?.shift ?? 0n)
}

/** Orders that one agent keeps on a pair. */
const KEPT_ORDERS = 6

/** Places an order on each side of a pair around its fair price, and removes surplus ones. */
export function quote(context: AgentContext, agent: Agent): Action | undefined {
  const { random } = context
  const pair = drawOne(random, context.pairs)
  if (!pair) return undefined
  const fair = fairPrice(context, pair)
  const spread = () => drawBetween(random, [1_500n, 15_000n])
  const bid = truncateFloor(movedBy(fair, -spread()), TICK)
  const offered = truncateCeil(movedBy(fair, spread()), TICK)
  const coinOf = (denom: string) =>
    affordableCoin(context, agent, denom, drawBetween(random, [300n, 4000n]))
  const gives = coinOf(pair.base)
  const pays = coinOf(pair.quote)
  if (gives.amount === 0n || pays.amount === 0n || bid === 0n) return undefined
  const placed = [
    ['base', { fixed: formatDecimal(offered) }, `${gives.amount}`],
    ['quote', { fixed: formatDecimal(bid) }, `${pays.amount}`],
  ]
  const old = stale(context, agent, pair, fair)
  const text = JSON.stringify({ order: [[...old, ...placed], null] })
  const funds = [gives, pays].sort(byDenom)
  return { agent, messages: [executeMessage(agent.address, pair.address, text, funds)] }
}

/** Claims filled orders, and cancels the ones furthest from the price beyond the limit. */
function stale(context: AgentContext, agent: Agent, pair: KnownPair, fair: Decimal) {
  const distance = ({ price }: RestingOrder): bigint => {
    const off = decimalOf(price.fixed) - fair
    return off < 0n ? -off : off
  }
  const orders = [...ownOrders(context, agent, pair)].sort((a, b) =>
    distance(a) < distance(b) ? 1 : -1,
  )
  const cancelled = orders.slice(0, Math.max(0, orders.length - KEPT_ORDERS))
  const claimed = orders.filter((each) => each.filled !== '0' && !cancelled.includes(each))
  return [
    ...cancelled.map(({ side, price }) => [side, price, '0']),
    ...claimed.map(({ side, price }) => [side, price, null]),
  ]
}

/** Deposits a small amount into a constant-product maker, or withdraws half of the agent's share. */
export function provideLiquidity(context: AgentContext, agent: Agent): Action | undefined {
  const { random, state } = context
  const maker = drawOne(
    random,
    context.pairs.flatMap((pair) => pair.makers),
  )
  const strategy = maker && ask<DemoMaker['strategy']>(context, maker, { strategy: {} })
  if (!maker || !strategy) return undefined
  const [{ x, y }, reserves] = strategy.xyk
  const held = (denom: string): bigint => balanceOf(state, agent.address, denom)
  const shares = lpDenom({ x, y })
  const call = (message: object, funds: { denom: string; amount: bigint }[]): Action => ({
    agent,
    messages: [executeMessage(agent.address, maker, JSON.stringify(message), funds)],
  })
  if (held(shares) > 1n && randomBoolean(random, 500n))
    return call({ withdraw: {} }, [{ denom: shares, amount: held(shares) / 2n }])
  const parts = drawBetween(random, [1n, 10n])
  const funds = [
    { denom: x, amount: (BigInt(reserves.x) * parts) / 1000n },
    { denom: y, amount: (BigInt(reserves.y) * parts) / 1000n },
  ].sort(byDenom)
  const affordable = funds.every(({ denom, amount }) => amount > 0n && held(denom) > 2n * amount)
  return affordable ? call({ deposit: {} }, funds) : undefined
}
