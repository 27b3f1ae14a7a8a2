import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, type SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { attempt } from '../../platform/attempt.js'
import { invalidAddress } from '../modules/addresses.js'
import { ChainFailure, failures } from '../modules/chain-failure.js'
import type { Coin } from '../modules/contract.js'
import type { ContractCall } from '../modules/dispatch.js'
import { invalidCoins, readCoins } from './coins.js'

/** How one signer has signed. */
export type Signer = {
  /** Compressed secp256k1 key; `undefined` if none was sent. */
  readonly publicKey: Uint8Array | undefined
  /** The type of an unsupported key. */
  readonly foreignKey: string | undefined
  /** `other` is every unsupported mode. */
  readonly mode: 'direct' | 'amino' | 'other'
  readonly sequence: bigint
}

export type Fee = {
  readonly coins: readonly Coin[]
  readonly gasLimit: bigint
  /** Empty: the first signer pays. */
  readonly payer: string
  readonly granter: string
}

/** A decoded transaction. */
export type Tx = {
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
  readonly signatures: readonly Uint8Array[]
  readonly messages: readonly TxMessage[]
  readonly memo: string
  /** The last height that may include it; 0 for no limit. */
  readonly timeoutHeight: bigint
  /** Whether it is unordered or has a timeout timestamp, which this chain does not support. */
  readonly isTimed: boolean
  /** Whether it has options that a chain has to know; other options are ignored. */
  readonly isExtended: boolean
  readonly signers: readonly Signer[]
  readonly fee: Fee | undefined
}

/**
 * A transaction from its bytes.
 *
 * @throws ChainFailure code 2
 */
export function decodeTx(bytes: Uint8Array): Tx {
  try {
    return decodeRaw(bytes)
  } catch (error) {
    // The decoders throw errors of several types; the codec and the application each append the text.
    if (error instanceof Error)
      throw failures.txDecode(`${error.message}: tx parse error: tx parse error`)
    throw error
  }
}

function decodeRaw(bytes: Uint8Array): Tx {
  const raw = TxRaw.decode(bytes)
  // A transaction has one encoding, and so one hash.
  if (!Buffer.from(TxRaw.encode(raw).finish()).equals(bytes))
    throw new Error('txRaw must follow ADR-027')
  const { bodyBytes, authInfoBytes, signatures } = raw
  const body = TxBody.decode(bodyBytes)
  const { signerInfos, fee } = AuthInfo.decode(authInfoBytes)
  return {
    bodyBytes,
    authInfoBytes,
    signatures,
    messages: body.messages.map(({ typeUrl, value }) => {
      const message = readMessage(typeUrl, value)
      if (!message) throw new Error(`unable to resolve type URL ${typeUrl}`)
      return message
    }),
    memo: body.memo,
    timeoutHeight: body.timeoutHeight,
    isTimed: body.unordered || body.timeoutTimestamp !== undefined,
    isExtended: body.extensionOptions.length > 0,
    signers: signerInfos.map(readSigner),
    fee: fee && {
      coins: readCoins(fee.amount),
      gasLimit: fee.gasLimit,
      payer: fee.payer,
      granter: fee.granter,
    },
  }
}

function readSigner({ publicKey, modeInfo, sequence }: SignerInfo): Signer {
  const known = publicKey?.typeUrl === PubKey.typeUrl
  return {
    publicKey: known ? PubKey.decode(publicKey.value).key : undefined,
    foreignKey: known ? undefined : publicKey?.typeUrl,
    mode: modeOf(modeInfo?.single?.mode),
    sequence,
  }
}

function modeOf(mode: SignMode | undefined): Signer['mode'] {
  if (mode === SignMode.SIGN_MODE_DIRECT) return 'direct'
  return mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON ? 'amino' : 'other'
}

export type SendMessage = {
  readonly kind: 'send'
  readonly from: string
  readonly to: string
  readonly coins: readonly Coin[]
}
export type ExecuteMessage = { readonly kind: 'execute' } & ContractCall
/** A supported message. Valid addresses are converted to lower case. */
export type TxMessage = SendMessage | ExecuteMessage

/** The type URLs of the messages, and of their answers without `Response`. */
export const typeUrls: { readonly [kind in TxMessage['kind']]: string } = {
  send: MsgSend.typeUrl,
  execute: MsgExecuteContract.typeUrl,
}

/** The modules that serve the messages, as their `message` events name them. */
export const modules: { readonly [kind in TxMessage['kind']]: string } = {
  send: 'bank',
  execute: 'wasm',
}

/** Bytes as text, a byte order mark kept: the contract receives the text as sent. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** A message from its bytes, or `undefined` for a type that is not served. @throws RangeError */
function readMessage(typeUrl: string, value: Uint8Array): TxMessage | undefined {
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

/** An error without a number of the SDK. */
const unnumbered = (text: string): ChainFailure => new ChainFailure('undefined', 1, text)

/**
 * Checks a message independently of the state.
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
  if (attempt(() => JSON.parse(message.message)) === undefined)
    throw new ChainFailure('wasm', 14, 'payload msg: invalid')
}
