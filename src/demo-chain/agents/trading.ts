import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Agent } from '../genesis/known-accounts.js'
import { drawBetween, drawOne, type Random } from '../market/random.js'
import { type Coin, wireCoin } from '../modules/contract.js'
import { executeMessage } from '../tx/sign.js'
import {
  type Action,
  type AgentContext,
  affordableCoin,
  ask,
  type KnownPair,
  randomBoolean,
} from './context.js'

/** One hop of a route: the pair, and the denoms in and out. */
type Hop = { readonly pair: KnownPair; readonly offered: string; readonly received: string }

const other = (pair: KnownPair, denom: string): string =>
  denom === pair.base ? pair.quote : pair.base

/** A route of up to `hops` pairs from a denom, no pair and no denom twice. */
function randomWalk({ pairsOf, random }: AgentContext, from: string, hops: number): readonly Hop[] {
  const route: Hop[] = []
  const seen = new Set([from])
  for (let at = from; route.length < hops; ) {
    const next = (pairsOf.get(at) ?? []).filter((pair) => !seen.has(other(pair, at)))
    const pair = drawOne(random, next)
    if (!pair) break
    const received = other(pair, at)
    route.push({ pair, offered: at, received })
    seen.add(received)
    at = received
  }
  return route
}

/** A cycle over three pairs, or an empty route. */
function cycle(context: AgentContext, from: string): readonly Hop[] {
  const [first, second] = randomWalk(context, from, 2)
  if (!first || !second) return []
  const back = (context.pairsOf.get(second.received) ?? []).find(
    (pair) => other(pair, second.received) === from && pair !== first.pair,
  )
  return back ? [first, second, { pair: back, offered: second.received, received: from }] : []
}

/** A route as the router's stages, by dialect. */
const stagesOf = (dialect: string, route: readonly Hop[]) =>
  dialect === 'stack'
    ? route.map(({ pair, offered }) => ({ address: pair.address, denom: offered })).reverse()
    : route.map(({ pair, received }) => ({ address: pair.address, denom: received }))

/** The router's simulated output for a coin, or 0. */
function simulateRoute(context: AgentContext, route: readonly Hop[], coin: Coin): bigint {
  const { router, dialect } = context.notes
  const answer = ask<{ readonly returned: string }>(context, router, {
    simulate: {
      coin: wireCoin(coin),
      stages: stagesOf(dialect, route),
    },
  })
  return BigInt(answer?.returned ?? 0)
}

/** Times that an amount is quartered before the trade is skipped. */
const CUTS = 4

/** Accepted loss for the fees, in thousandths. */
const FEES = 2n
/** Accepted loss for each pair of the route, in thousandths. */
const HOP = 6n

/** The coin, quartered until the loss of the swap is acceptable. */
function acceptableSize(context: AgentContext, route: readonly Hop[], most: Coin) {
  const { worth } = context
  const received = route.at(-1)?.received ?? most.denom
  const least = 1000n - FEES - HOP * BigInt(route.length)
  let coin = most
  for (let cut = 0; cut <= CUTS; cut++) {
    const returned = simulateRoute(context, route, coin)
    const isFair = returned * worth(received) >= permille(coin.amount * worth(coin.denom), least)
    if (isFair) return { coin, returned }
    coin = { ...coin, amount: coin.amount / 4n }
  }
  return { coin, returned: 0n }
}

/** A router swap's message. */
const swapText = (
  context: AgentContext,
  route: readonly Hop[],
  minimum: Coin,
  more: object,
): string =>
  JSON.stringify({
    swap: {
      min_return: wireCoin(minimum),
      stages: stagesOf(context.notes.dialect, route),
      ...more,
    },
  })

/** Thousandths of an amount, rounded down. */
const permille = (amount: bigint, parts: bigint): bigint => (amount * parts) / 1000n

/** One or two swaps, mostly through the router. */
export function trade(context: AgentContext, agent: Agent): Action | undefined {
  const { random } = context
  const messages: Any[] = []
  const legs = randomBoolean(random, 120n) ? 2 : 1
  for (let leg = 0; leg < legs; leg++) {
    const message = swap(context, agent)
    if (message) messages.push(message)
  }
  return messages.length === 0 ? undefined : { agent, messages }
}

/** A random amount of dollars from 20 to 20,000; small amounts are more frequent. */
function drawDollars(random: Random): bigint {
  const scale = drawOne(random, [20n, 200n, 2000n])
  return (scale * drawBetween(random, [100n, 1000n])) / 100n
}

function swap(context: AgentContext, agent: Agent): Any | undefined {
  const { random } = context
  const route = randomBoolean(random, 500n) ? busyPair(context) : randomRoute(context)
  const [first, last] = [route[0], route.at(-1)]
  const most = first && affordableCoin(context, agent, first.offered, drawDollars(random))
  if (!most || !last || most.amount === 0n) return undefined
  const { coin, returned } = acceptableSize(context, route, most)
  if (returned < 100n) return undefined
  // Some minimums exceed the market: these transactions fail.
  const share = randomBoolean(random, 40n) ? 1050n : 970n
  const minimum = { denom: last.received, amount: permille(returned, share) }
  if (route.length === 1 && randomBoolean(random, 250n))
    return executeMessage(agent.address, last.pair.address, '{"swap":{}}', [coin])
  const code = randomBoolean(random, 150n) ? drawOne(random, context.notes.affiliates) : undefined
  const more = code === undefined ? {} : { affiliate_code: code }
  return randomBoolean(random, 60n)
    ? throughCaller(context, agent, route, minimum, coin)
    : executeMessage(agent.address, context.notes.router, swapText(context, route, minimum, more), [
        coin,
      ])
}

/** A random route over up to three pairs. */
function randomRoute(context: AgentContext): readonly Hop[] {
  const { pairsOf, random } = context
  const from = drawOne(random, [...pairsOf.keys()]) ?? ''
  return randomWalk(context, from, Number(drawBetween(random, [1n, 3n])))
}

/** One of the busiest pairs, in either direction. */
function busyPair({ busy, random }: AgentContext): readonly Hop[] {
  const pair = drawOne(random, busy)
  if (!pair) return []
  const { base, quote } = pair
  return randomBoolean(random, 500n)
    ? [{ pair, offered: base, received: quote }]
    : [{ pair, offered: quote, received: base }]
}

/** The router called by a third-party contract, with the agent as the recipient. */
function throughCaller(
  context: AgentContext,
  agent: Agent,
  route: readonly Hop[],
  minimum: Coin,
  coin: Coin,
): Any {
  const inner = swapText(context, route, minimum, { recipient: agent.address })
  const forward = { contract: context.notes.router, msg: Buffer.from(inner).toString('base64') }
  return executeMessage(agent.address, context.caller, JSON.stringify({ forward }), [coin])
}

/** Cycles that an arbitrageur tries in one block. */
const TRIED_CYCLES = 6

/** A cycle that returns more than it takes, if one is found. */
export function arbitrage(context: AgentContext, agent: Agent): Action | undefined {
  const { random, notes } = context
  for (let tried = 0; tried < TRIED_CYCLES; tried++) {
    const fixed = drawOne(random, notes.arbs)
    const route = fixed ? cycle(context, fixed.denom) : []
    if (!fixed || route.length === 0) continue
    const coin = { denom: fixed.denom, amount: BigInt(fixed.amount) }
    if (simulateRoute(context, route, coin) <= coin.amount) continue
    const text = swapText(context, route, coin, {})
    return { agent, messages: [executeMessage(agent.address, notes.router, text, [coin])] }
  }
  return undefined
}
