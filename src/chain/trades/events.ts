import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Coin } from '../../engine/market/token.js'
import { parseUint128 } from '../../engine/math/decimal.js'
import { append } from '../../engine/math/grouped.js'
import { items, type JsonCursor, member, refuse, text } from '../../engine/snapshot/json-cursor.js'
import { attributesOf, attributeText, type Encoding } from '../queries/event-encoding.js'
import { fromJson, fromWire } from '../queries/wire.js'

/** An event as a node reports it, its attributes by name. */
export type ChainEvent = {
  /** Its index among all events of the transaction, including those that are skipped. */
  readonly index: number
  readonly type: string
  /** Values of each name, in order. */
  readonly attributes: ReadonlyMap<string, readonly string[]>
  /** The message that emitted it; `undefined` before the messages ran. */
  readonly message: number | undefined
  /** As in the node's answer. */
  readonly raw: unknown
}

/** @throws MalformedDocument */
export const typeOf = (event: JsonCursor): string => {
  const { value } = member(event, 'type')
  return typeof value === 'string' ? value : refuse(member(event, 'type'), 'must be text')
}

/**
 * Reads an event. Attributes that are not text are left out, so their readers report them as missing.
 *
 * @throws MalformedDocument
 */
export function decodeEvent(node: JsonCursor, index: number, encoding: Encoding): ChainEvent {
  const attributes = new Map<string, string[]>()
  for (const item of attributesOf(node)) {
    const name = attributeText(member(item, 'key'), encoding)
    const value = attributeText(member(item, 'value'), encoding)
    if (name !== undefined && value !== undefined) append(attributes, name, value)
  }
  // The node's own comes last; a contract may write one before it.
  const message = attributes.get('msg_index')?.at(-1)
  return {
    index,
    type: typeOf(node),
    attributes,
    message: message !== undefined && /^\d{1,6}$/.test(message) ? Number(message) : undefined,
    raw: node.value,
  }
}

/** An event lacks an attribute of its type, or has an invalid one. */
export class MalformedEvent extends Error {
  override readonly name = 'MalformedEvent'
}

/** The value of an attribute. @throws MalformedEvent if it is missing, or occurs more than once */
export function attribute(event: ChainEvent, name: string): string {
  const values = event.attributes.get(name) ?? []
  const [value] = values
  if (value === undefined) throw new MalformedEvent(`${event.type} has no ${name}`)
  if (values.length > 1) throw new MalformedEvent(`${event.type} has ${name} more than once`)
  return value
}

/** Whether a contract emitted an event. The node writes the address as the first attribute. */
export const isOf = (event: ChainEvent, contract: string): boolean =>
  event.attributes.get('_contract_address')?.[0] === contract

/** The index of the first item from `start` on for which `isMeant` holds; the length of the list if there is none. */
export function indexFrom<T>(
  list: readonly T[],
  start: number,
  isMeant: (item: T) => boolean,
): number {
  let at = start
  while (at < list.length && !isMeant(list[at]!)) at += 1
  return at
}

/** A denom that the bank module accepts. */
const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/

export const isDenom = (text: string): boolean => DENOM.test(text)

/**
 * Coins as events and messages write them, in their order: `12rune,5btc-btc`; `undefined` for any
 * other text.
 */
export function parseCoins(text: string): readonly Coin[] | undefined {
  if (text === '') return []
  const coins: Coin[] = []
  for (const each of text.split(',')) {
    const [, digits = '', denom = ''] = /^(\d+)(\D.*)$/.exec(each) ?? []
    const amount = parseUint128(digits)
    if (amount === undefined || !isDenom(denom)) return undefined
    coins.push({ denom, amount })
  }
  return coins
}

/** A `swap` message to the router, sent by a transaction. */
export type RouterCall = {
  /** The signer. */
  readonly sender: string
  /** All attached coins, sorted by denom. */
  readonly funds: readonly Coin[]
  /** The pairs of its stages, in the order of the message. */
  readonly pairs: readonly string[]
  /** Empty if the message has no affiliate. */
  readonly affiliate: string
  /** `undefined` means the sender. */
  readonly recipient: string | undefined
}

/** A message of a transaction: a decoded call of the router, another contract call, or another type. */
export type TxMessage =
  | { readonly kind: 'router'; readonly call: RouterCall }
  | {
      readonly kind: 'execute'
      readonly sender: string
      readonly contract: string
      /** JSON, not read. */
      readonly msg: Uint8Array
    }
  | { readonly kind: 'other' }

/**
 * The messages of a transaction in their order.
 *
 * @throws MalformedDocument for invalid bytes, and for a call that the router would have refused
 */
export function decodeMessages(bytes: Uint8Array, router: string): readonly TxMessage[] {
  const { bodyBytes } = fromWire(TxRaw, bytes)
  const { messages } = fromWire(TxBody, bodyBytes)
  return messages.map(({ typeUrl, value }) => {
    if (typeUrl !== MsgExecuteContract.typeUrl) return { kind: 'other' }
    const execute = fromWire(MsgExecuteContract, value)
    // The chain accepts addresses in upper case and reports them in lower case.
    const sender = execute.sender.toLowerCase()
    const contract = execute.contract.toLowerCase()
    if (contract !== router) return { kind: 'execute', sender, contract, msg: execute.msg }
    return {
      kind: 'router',
      call: {
        sender,
        funds: execute.funds.flatMap(({ denom, amount }) => parseCoins(`${amount}${denom}`) ?? []),
        ...swapOf(member(fromJson(execute.msg), 'swap')),
      },
    }
  })
}

const swapOf = (swap: JsonCursor): Pick<RouterCall, 'pairs' | 'affiliate' | 'recipient'> => ({
  pairs: items(member(swap, 'stages')).map((stage) => text(member(stage, 'address')).toLowerCase()),
  affiliate: optionalText(member(swap, 'affiliate_code')) ?? '',
  recipient: optionalText(member(swap, 'recipient')),
})

const optionalText = ({ value }: JsonCursor): string | undefined =>
  typeof value === 'string' ? value : undefined
