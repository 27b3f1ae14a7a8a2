import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Coin } from '../../engine/market/token.js'
import { items, type JsonCursor, member, text } from '../../engine/snapshot/json-cursor.js'
import { fromJson, fromWire } from '../queries/wire.js'
import { parseCoins } from './events.js'

/** What a wallet itself asked the router for. */
export type RouterCall = {
  /** Who signed. */
  readonly sender: string
  /** Everything attached, in the order of denoms. */
  readonly funds: readonly Coin[]
  /** The pairs of its stages, in the order of the message. */
  readonly pairs: readonly string[]
  /** Empty without one. */
  readonly affiliate: string
  /** `undefined` where the message names none: then it is the sender. */
  readonly recipient: string | undefined
}

/** The messages of a transaction: calls of the router, decoded, and others, known by their events only. */
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
 * @throws MalformedDocument for bytes that are none, or a call of the router that it cannot have taken
 */
export function decodeMessages(bytes: Uint8Array, router: string): readonly TxMessage[] {
  const { bodyBytes } = fromWire(TxRaw, bytes)
  const { messages } = fromWire(TxBody, bodyBytes)
  return messages.map(({ typeUrl, value }) => {
    if (typeUrl !== MsgExecuteContract.typeUrl) return { kind: 'other' }
    const execute = fromWire(MsgExecuteContract, value)
    // The chain takes addresses in capitals too, and reports them in small letters.
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
  affiliate: wordOf(member(swap, 'affiliate_code')) ?? '',
  recipient: wordOf(member(swap, 'recipient')),
})

const wordOf = ({ value }: JsonCursor): string | undefined =>
  typeof value === 'string' ? value : undefined
