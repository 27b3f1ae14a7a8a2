import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { invalidAddress } from '../modules/addresses.js'
import type { Coin } from '../modules/contract.js'
import { ChainFailure, failures } from '../modules/failure.js'
import { invalidCoins, readCoins } from './coins.js'

export type SendMessage = {
  readonly kind: 'send'
  readonly from: string
  readonly to: string
  readonly coins: readonly Coin[]
}
export type ExecuteMessage = {
  readonly kind: 'execute'
  readonly sender: string
  readonly contract: string
  /** JSON text. */
  readonly message: string
  readonly funds: readonly Coin[]
}
/** A message that this chain serves. Addresses are lower case once they are known to be valid. */
export type TxMessage = SendMessage | ExecuteMessage

/** The type URLs of the messages, and of their answers without `Response`. */
export const typeUrls: { readonly [kind in TxMessage['kind']]: string } = {
  send: '/cosmos.bank.v1beta1.MsgSend',
  execute: '/cosmwasm.wasm.v1.MsgExecuteContract',
}

/** The module that serves a message, as its `message` event names it. */
export const moduleOf = (message: TxMessage): string =>
  message.kind === 'execute' ? 'wasm' : 'bank'

/** Bytes as text, a byte order mark kept: the contract receives the text as sent. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** A message from its bytes, or `undefined` for a type that is not served. @throws RangeError */
export function readMessage(typeUrl: string, value: Uint8Array): TxMessage | undefined {
  if (typeUrl === typeUrls.send) {
    const { fromAddress, toAddress, amount } = MsgSend.decode(value)
    return { kind: 'send', from: fromAddress, to: toAddress, coins: readCoins(amount) }
  }
  if (typeUrl === typeUrls.execute) {
    const { sender, contract, msg, funds } = MsgExecuteContract.decode(value)
    return { kind: 'execute', sender, contract, message: utf8.decode(msg), funds: readCoins(funds) }
  }
  return undefined
}

/** The address that must sign a message. */
export const signerOf = (message: TxMessage): string =>
  message.kind === 'send' ? message.from : message.sender

/** An error that the SDK gives no number. */
const unnumbered = (text: string): ChainFailure => new ChainFailure('undefined', 1, text)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Refuses a message that no state could make good.
 *
 * @throws ChainFailure
 */
export function checkMessage(prefix: string, message: TxMessage): void {
  if (message.kind !== 'execute') {
    const reason = invalidAddress(prefix, message.from)
    if (reason) throw failures.invalidAddress(`invalid from address: ${reason}`)
    return
  }
  const sender = invalidAddress(prefix, message.sender)
  if (sender) throw unnumbered(`sender: ${sender}`)
  const contract = invalidAddress(prefix, message.contract)
  if (contract) throw unnumbered(`contract: ${contract}`)
  const funds = invalidCoins(message.funds)
  if (funds) throw unnumbered(`funds: ${funds}`)
  if (!isJson(message.message)) throw new ChainFailure('wasm', 14, 'payload msg: invalid')
}
