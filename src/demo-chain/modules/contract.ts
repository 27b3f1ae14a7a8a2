import type { Gas } from './gas.js'

/** An amount of one denom, in atomics. */
export type Coin = { readonly denom: string; readonly amount: bigint }

/** One contract's own storage. Keys are byte strings, values immutable; `undefined` removes. */
export type ReadStorage = {
  get<T>(key: string): T | undefined
  /** Keys that start with `prefix`, in byte order. */
  keys(prefix: string): Iterable<string>
}
export type Storage = ReadStorage & { set(key: string, value: unknown): void }

/** The entry of a contract's storage with its name and version, in the format of cw2. */
export const versionEntry = (contract: string, version: string) =>
  ['contract_info', { contract, version }] as const

/** Queries of a contract, answered from the state at this moment of the transaction. */
export type Querier = {
  /** Atomics of one denom that an address holds. */
  balance(address: string, denom: string): bigint
  /**
   * Another contract's answer, parsed.
   *
   * @throws ContractError `Generic error: Querier contract error: <its text>` as cosmwasm-std words it, or
   * `Querier system error` where there is no such contract.
   */
  smart(contract: string, message: unknown): unknown
  /** The oracle's price of an asset in dollars, an 18-digit decimal; `undefined` if it has none. */
  oracle(chain: string, symbol: string): bigint | undefined
  /** Whether this is an address of the chain; the reason if not. */
  invalid(address: string): string | undefined
}

/** The environment of a contract call. */
type Env = {
  /** The contract's own address. */
  readonly contract: string
  /** Block time in nanoseconds since 1970. */
  readonly time: bigint
}

export type QueryCall = {
  readonly env: Env
  readonly storage: ReadStorage
  readonly querier: Querier
  readonly gas: Gas
}
export type ExecuteCall = QueryCall & {
  readonly storage: Storage
  readonly sender: string
  /** Sorted by denom, none of zero; already in the contract's account. */
  readonly funds: readonly Coin[]
}

/** A message that the chain runs after the contract has returned, in order, all or nothing. */
export type Message =
  | { readonly kind: 'send'; readonly to: string; readonly coins: readonly Coin[] }
  | {
      readonly kind: 'execute'
      readonly contract: string
      /** JSON text. */
      readonly message: string
      readonly funds: readonly Coin[]
    }

/** `type` without the `wasm-` that the chain puts before it; the address is added by the chain too. */
export type ContractEvent = {
  readonly type: string
  readonly attributes: readonly (readonly [key: string, value: string])[]
}

export type Response = {
  readonly messages: readonly Message[]
  readonly events: readonly ContractEvent[]
}

/**
 * The code of a contract. Its only inputs are its storage, the message and answers of the chain; its only effects are
 * its storage and the messages that it returns.
 */
export type Contract = {
  /** `message` is the JSON text as it was sent. @throws ContractError, Abort */
  execute(call: ExecuteCall, message: string): Response
  /** The answer's JSON text. @throws ContractError, Abort */
  query(call: QueryCall, message: string): string
  /** A stored value in the encoding of the real contract; default: its JSON text. */
  raw?(key: string, value: unknown): Uint8Array
}

/** An error of a contract; the message is its display text. */
export class ContractError extends Error {
  override name = 'ContractError'
}

/** A contract panicked; the message is the panic's. An `ArithmeticAbort` of the engine is a panic too. */
export class Abort extends Error {
  override name = 'Abort'
}

type Attribute = { readonly key: string; readonly value: string }
/** An event as a node prints it, `msg_index` not yet added. */
export type ChainEvent = { readonly type: string; readonly attributes: readonly Attribute[] }

/** An event of these attributes, in this order. */
export const eventOf = (
  type: string,
  ...attributes: readonly (readonly [string, string])[]
): ChainEvent => ({ type, attributes: attributes.map(([key, value]) => ({ key, value })) })

/** A coin in messages and answers. */
export const wireCoin = ({ denom, amount }: Coin) => ({ denom, amount: `${amount}` })

/** `12btc-btc,5rune`: coins as the SDK prints them, in the order given. */
export const coinsText = (coins: readonly Coin[]): string =>
  coins.map(({ denom, amount }) => `${amount}${denom}`).join(',')

/** The three events of a transfer between two accounts. */
export const transferEvents = (from: string, to: string, coins: readonly Coin[]): ChainEvent[] => {
  const amount = coinsText(coins)
  return [
    eventOf('coin_spent', ['spender', from], ['amount', amount]),
    eventOf('coin_received', ['receiver', to], ['amount', amount]),
    eventOf('transfer', ['recipient', to], ['sender', from], ['amount', amount]),
  ]
}

function byKey(a: Attribute, b: Attribute): number {
  // Repeated keys stay in their order.
  if (a.key === b.key) return 0
  return a.key < b.key ? -1 : 1
}

/** Sorts attributes by key, as wasmd does for events of sub-messages. */
export const sortedByKey = (event: ChainEvent): ChainEvent => ({
  type: event.type,
  attributes: [...event.attributes].sort(byKey),
})

/** Adds the `msg_index` of baseapp to an event of message `index`. */
export const withIndex = (event: ChainEvent, index: number): ChainEvent => ({
  type: event.type,
  attributes: [...event.attributes, { key: 'msg_index', value: String(index) }],
})
