import type { Coin } from './contract.js'

export type Attribute = { readonly key: string; readonly value: string }
/** An event as a node prints it, `msg_index` not yet added. */
export type ChainEvent = { readonly type: string; readonly attributes: readonly Attribute[] }

/** An event of these attributes, in this order. */
export const eventOf = (
  type: string,
  ...attributes: readonly (readonly [string, string])[]
): ChainEvent => ({ type, attributes: attributes.map(([key, value]) => ({ key, value })) })

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

const byKey = (a: Attribute, b: Attribute): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

/** As wasmd leaves what was emitted inside a wasm sub-message: attributes in the order of their keys. */
export const sortedByKey = (event: ChainEvent): ChainEvent => ({
  type: event.type,
  attributes: [...event.attributes].sort(byKey),
})

/** As baseapp hands out what message `index` of a transaction emitted. */
export const withIndex = (event: ChainEvent, index: number): ChainEvent => ({
  type: event.type,
  attributes: [...event.attributes, { key: 'msg_index', value: String(index) }],
})
