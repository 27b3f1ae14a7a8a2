import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Coin } from '../../engine/market/token.js'
import type { Draft } from './unsigned-tx.js'

const wireCoin = ({ denom, amount }: Coin) => ({ denom, amount: `${amount}` })

/** The body of a transaction: its calls, memo and timeout. */
export const bodyBytesOf = ({ sender, calls, memo, timeoutHeight }: Draft): Uint8Array =>
  TxBody.encode(
    TxBody.fromPartial({
      messages: calls.map(({ contract, message, funds }) => ({
        typeUrl: MsgExecuteContract.typeUrl,
        value: MsgExecuteContract.encode({
          sender,
          contract,
          msg: Buffer.from(message),
          funds: funds.map(wireCoin),
        }).finish(),
      })),
      memo,
      timeoutHeight,
    }),
  ).finish()

/** Who signs with which sequence, and what is paid for gas. */
export const authInfoBytesOf = ({ publicKey, sequence, fee, gasLimit }: Draft): Uint8Array =>
  AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [
        {
          publicKey: { typeUrl: PubKey.typeUrl, value: PubKey.encode({ key: publicKey }).finish() },
          modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
          sequence,
        },
      ],
      fee: { amount: fee.map(wireCoin), gasLimit },
    }),
  ).finish()

/**
 * The bytes that are signed in SIGN_MODE_DIRECT; a signature is over their SHA-256. Members that are
 * zero or empty are left out, as every encoder of the chain does.
 */
export const signDocOf = (draft: Draft): Uint8Array =>
  SignDoc.encode({
    bodyBytes: bodyBytesOf(draft),
    authInfoBytes: authInfoBytesOf(draft),
    chainId: draft.chainId,
    accountNumber: draft.accountNumber,
  }).finish()

/** The transaction of a sign document: what is sent. The signature has 64 bytes. */
export function txBytesOf(signDoc: Uint8Array, signature: Uint8Array): Uint8Array {
  const { bodyBytes, authInfoBytes } = SignDoc.decode(signDoc)
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish()
}
