import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { invalidRequest, SwapError } from '../../engine/errors.js'
import type { Coin } from '../../engine/market/token.js'
import { parseUint128 } from '../../engine/math/decimal.js'
import { utf8Text } from '../../platform/bytes.js'
import type { Call, Content, SignedTx } from './unsigned-tx.js'

/** Decodes the bytes of a signed transaction. @throws SwapError INVALID_REQUEST */
export function decodeTx(txBytes: Uint8Array): SignedTx {
  return withCodecErrors('the transaction', () => {
    const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(txBytes)
    const [signature, ...more] = signatures
    if (signature === undefined || signature.length !== 64 || more.length > 0)
      throw new UnsupportedTx('it does not have exactly one signature of 64 bytes')
    return { ...contentOf(TxBody.decode(bodyBytes), AuthInfo.decode(authInfoBytes)), signature }
  })
}

/**
 * The content of a transaction without its signature.
 *
 * @throws UnsupportedTx if this program encodes no such transaction
 */
export function contentOf(
  { messages, memo, timeoutHeight }: TxBody,
  { signerInfos, fee }: AuthInfo,
): Content {
  const calls = messages.map(({ typeUrl, value }) => {
    if (typeUrl !== MsgExecuteContract.typeUrl) throw new UnsupportedTx(`it holds a ${typeUrl}`)
    return callOf(MsgExecuteContract.decode(value))
  })
  const senders = new Set(calls.map(({ sender }) => sender))
  const [sender] = senders
  if (sender === undefined || senders.size > 1)
    throw new UnsupportedTx('it does not have one sender')
  const [signer, ...others] = signerInfos
  if (signer === undefined || others.length > 0)
    throw new UnsupportedTx('it does not have one signer')
  const mode = signer.modeInfo?.single?.mode
  const isAmino = mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON
  if (!isAmino && mode !== SignMode.SIGN_MODE_DIRECT)
    throw new UnsupportedTx(
      'it is signed neither in SIGN_MODE_DIRECT nor in SIGN_MODE_LEGACY_AMINO_JSON',
    )
  if (signer.publicKey?.typeUrl !== PubKey.typeUrl)
    throw new UnsupportedTx('its key is not secp256k1')
  if (fee === undefined) throw new UnsupportedTx('it has no fee')
  return {
    sender,
    publicKey: PubKey.decode(signer.publicKey.value).key,
    calls: calls.map(({ sender: _, ...call }) => call),
    memo,
    timeoutHeight,
    sequence: signer.sequence,
    fee: fee.amount.map(coinOf),
    gasLimit: fee.gasLimit,
    ...(isAmino && { isAmino }),
  }
}

function callOf({
  sender,
  contract,
  msg,
  funds,
}: MsgExecuteContract): Call & { readonly sender: string } {
  const message = utf8Text(msg)
  return { sender, contract, message, funds: funds.map(coinOf) }
}

/** @throws UnsupportedTx for an invalid amount */
export function coinOf({ denom, amount }: { denom: string; amount: string }): Coin {
  const value = parseUint128(amount)
  if (value === undefined) throw new UnsupportedTx(`${amount.slice(0, 60)} is not an amount`)
  return { denom, amount: value }
}

/** A valid transaction of a kind that this program does not encode; the message is the reason. */
export class UnsupportedTx extends Error {}

/** Converts `UnsupportedTx` and all errors of the codec, which have many types, to INVALID_REQUEST. */
export function withCodecErrors<T>(subject: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof SwapError) throw error
    throw invalid(
      subject,
      error instanceof UnsupportedTx ? error.message : 'its bytes cannot be decoded',
    )
  }
}

const invalid = (what: string, why: string): SwapError =>
  invalidRequest(`${what} is not one that this program signs or sends`, '', {
    why,
    hint: 'make a new one: swap execute <quote> --generate-only',
  })
