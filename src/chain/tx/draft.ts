import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import {
  encodePubkey,
  makeAuthInfoBytes,
  makeSignBytes,
  makeSignDoc,
  Registry,
} from '@cosmjs/proto-signing'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { invalidRequest, type SwapError } from '../../engine/errors.js'
import { wireCoin } from '../queries/wire.js'
import type { Content, Draft, SignedTx, Unsigned } from './unsigned-tx.js'

/** The only message type that is encoded. */
const registry = new Registry([[MsgExecuteContract.typeUrl, MsgExecuteContract]])

/** The messages of a transaction, for cosmjs. */
const encodeObjects = ({ sender, calls }: Pick<Unsigned, 'sender' | 'calls'>) =>
  calls.map(({ contract, message, funds }) => ({
    typeUrl: MsgExecuteContract.typeUrl,
    value: MsgExecuteContract.fromPartial({
      sender,
      contract,
      msg: Buffer.from(message),
      funds: funds.map(wireCoin),
    }),
  }))

/** The body of a transaction: its calls, memo and timeout. */
export const bodyBytesOf = (tx: Unsigned): Uint8Array =>
  registry.encodeTxBody({
    messages: encodeObjects(tx),
    memo: tx.memo,
    timeoutHeight: tx.timeoutHeight,
  })

/** The key, the sequence and the sign mode of the signer, and the fee. */
export const authInfoBytesOf = ({
  publicKey,
  sequence,
  fee,
  gasLimit,
  isAmino,
}: Content): Uint8Array =>
  makeAuthInfoBytes(
    [
      {
        pubkey: encodePubkey(encodeSecp256k1Pubkey(publicKey)),
        sequence: exactNumber('sequence', sequence),
      },
    ],
    fee.map(wireCoin),
    exactNumber('gas limit', gasLimit),
    undefined,
    undefined,
    isAmino ? SignMode.SIGN_MODE_LEGACY_AMINO_JSON : SignMode.SIGN_MODE_DIRECT,
  )

/**
 * The sign bytes of SIGN_MODE_DIRECT; a signature is over their SHA-256. Members that are zero or empty are omitted, as
 * in protobuf.
 *
 * @throws SwapError INVALID_REQUEST for a number from 2^53 on
 */
export const signDocOf = (draft: Draft): Uint8Array =>
  makeSignBytes(
    makeSignDoc(
      bodyBytesOf(draft),
      authInfoBytesOf(draft),
      draft.chainId,
      exactNumber('account number', draft.accountNumber),
    ),
  )

/** The bytes of a signed transaction, in either mode. */
export const signedBytesOf = (tx: SignedTx): Uint8Array =>
  TxRaw.encode({
    bodyBytes: bodyBytesOf(tx),
    authInfoBytes: authInfoBytesOf(tx),
    signatures: [tx.signature],
  }).finish()

/** cosmjs takes these as numbers, which are exact below 2^53. */
export function exactNumber(name: string, value: bigint): number {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value)
  throw invalidTx(`its ${name} is ${value}, and has to be below 2^53`)
}

export const invalidTx = (why: string): SwapError =>
  invalidRequest('this transaction cannot be encoded', '', {
    why,
    hint: 'make a new one: swap execute <quote> --generate-only',
  })
