import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type Decimal, decimal, ONE, parseDecimal } from '../../engine/math/decimal.js'
import { attempt } from '../../platform/attempt.js'
import type { Agent, agentsOf } from '../genesis/known-accounts.js'
import type { MarketNotes } from '../genesis/market-snapshot.js'
import { drawBetween, type Random } from '../market/random.js'
import { balanceOf } from '../modules/bank.js'
import { ChainFailure } from '../modules/chain-failure.js'
import type { Coin } from '../modules/contract.js'
import { askContract, type Machine } from '../modules/dispatch.js'
import type { Reader } from '../store/state.js'

/** True with a probability of `times` in a thousand. */
export const randomBoolean = (random: Random, times: bigint): boolean =>
  drawBetween(random, [1n, 1000n]) <= times

/** A working pair. */
export type KnownPair = {
  readonly address: string
  readonly base: string
  readonly quote: string
  readonly makers: readonly string[]
}

/** Market facts that do not change during the life of a chain. */
export type MarketContext = {
  readonly notes: MarketNotes
  readonly pairs: readonly KnownPair[]
  /** The pairs with the most trades. */
  readonly busy: readonly KnownPair[]
  /** Pairs that trade a denom. */
  readonly pairsOf: ReadonlyMap<string, readonly KnownPair[]>
  readonly agents: ReturnType<typeof agentsOf>
  /** A third party's contract that calls the router. */
  readonly caller: string
}

/** The view of an agent before a block: the state, and the random numbers of the block. */
export type AgentContext = MarketContext & {
  readonly state: Reader
  readonly machine: Machine
  readonly random: Random
  /** Blocks since the chain began. */
  readonly age: number
  /** Dollars per atomic of a denom, drift included, as an 18-digit decimal. */
  readonly worth: (denom: string) => Decimal
}

/** The action of an agent in a block: one transaction. */
export type Action = { readonly agent: Agent; readonly messages: readonly Any[] }

/** The answer of a contract; `undefined` if the query fails. */
export const ask = <T>(
  { machine, state }: AgentContext,
  contract: string,
  message: object,
): T | undefined => attempt(() => askContract(machine, state, contract, message) as T, ChainFailure)

/** A resting order in a pair's answer. */
export type RestingOrder = {
  readonly side: 'base' | 'quote'
  readonly price: { readonly fixed: string }
  readonly remaining: string
  readonly filled: string
}

/** Most orders of one owner in a pair's answer. */
const ORDERS = 31

/** The agent's orders on a pair. */
export const ownOrders = (context: AgentContext, agent: Agent, pair: KnownPair) =>
  ask<{ readonly orders: readonly RestingOrder[] }>(context, pair.address, {
    orders: { owner: agent.address, limit: ORDERS },
  })?.orders ?? []

/** A coin worth an amount of dollars, rounded down; at most half of the agent's balance. */
export function affordableCoin(
  context: AgentContext,
  agent: Agent,
  denom: string,
  dollars: bigint,
): Coin {
  const worth = context.worth(denom)
  const wanted = worth === 0n ? 0n : (dollars * ONE) / worth
  const half = balanceOf(context.state, agent.address, denom) / 2n
  return { denom, amount: wanted < half ? wanted : half }
}

/** A decimal of an answer. */
export const decimalOf = (text: string): Decimal => parseDecimal(text) ?? decimal(0n)
