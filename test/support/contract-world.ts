import { balanceOf, balancesOf } from '../../src/demo-chain/modules/bank.js'
import type { ChainEvent, Coin, Contract } from '../../src/demo-chain/modules/contract.js'
import {
  executeContract,
  type Machine,
  queryContract,
} from '../../src/demo-chain/modules/dispatch.js'
import { Gas } from '../../src/demo-chain/modules/gas.js'
import { type Change, Overlay, type Reader, type Writer } from '../../src/demo-chain/store/state.js'
import { Store } from '../../src/demo-chain/store/store.js'

/** A few times what the longest walk of the recorded cases needs. */
const GAS_LIMIT = 2_000_000_000n

/** A contract of a world, with its initial state. */
export type Placed = {
  readonly contract: Contract
  readonly storage?: Iterable<readonly [key: string, value: unknown]>
  readonly balances?: readonly Coin[]
}

/** Contracts with their state. Every address is valid except those that begin with `!`. */
export type World = {
  readonly machine: Machine
  /** The initial state. Never written to. */
  readonly start: Reader
}

/** A world of these contracts by address; `oracles` holds prices by `CHAIN.SYMBOL`. */
export function worldOf(
  placed: ReadonlyMap<string, Placed>,
  oracles: ReadonlyMap<string, bigint> = new Map(),
): World {
  const changes: Change[] = []
  for (const [address, { storage = [], balances = [] }] of placed) {
    for (const [key, value] of storage) changes.push([`wasm/${address}`, key, value])
    for (const { denom, amount } of balances)
      if (amount > 0n) changes.push([`bank/${address}`, denom, amount])
  }
  const store = new Store(1, 1)
  store.commit(1, changes)
  return {
    start: store.at(1),
    machine: {
      chainId: 'test-1',
      height: 1,
      time: 1_777_593_600_000_000_000n,
      contractAt: (_state, address) => placed.get(address)?.contract,
      invalid: (address) => (address.startsWith('!') ? 'decoding bech32 failed' : undefined),
      oracle: (_state, chain, symbol) => oracles.get(`${chain}.${symbol}`),
    },
  }
}

/** Executes one message on a copy of the state, which is the new state unless it throws. */
export function execute(
  world: World,
  state: Reader,
  contract: string,
  message: unknown,
  funds: readonly Coin[],
  sender = 'sender',
): { readonly state: Writer; readonly events: readonly ChainEvent[] } {
  const overlay = new Overlay(state)
  for (const { denom, amount } of funds)
    overlay.set(`bank/${sender}`, denom, balanceOf(overlay, sender, denom) + amount)
  const events = executeContract(world.machine, overlay, new Gas(GAS_LIMIT), {
    sender,
    contract,
    message: JSON.stringify(message),
    funds,
  })
  return { state: overlay, events }
}

/** A contract's answer to a query, parsed. */
export const smartQuery = (
  world: World,
  contract: string,
  message: unknown,
  state: Reader = world.start,
): unknown =>
  JSON.parse(
    queryContract(world.machine, state, new Gas(GAS_LIMIT), contract, JSON.stringify(message)),
  )

/** The balances of an address, by denom, as texts. */
export const holdings = (state: Reader, address: string): Record<string, string> =>
  Object.fromEntries([...balancesOf(state, address)].map((coin) => [coin.denom, `${coin.amount}`]))

/** The values of an attribute, in the order of the event. */
export const valuesOf = (event: ChainEvent, key: string): readonly string[] =>
  event.attributes.filter((attribute) => attribute.key === key).map(({ value }) => value)
