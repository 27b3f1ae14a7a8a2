import type { StdSignDoc } from '@cosmjs/amino'
import { AuthInfo, SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { utf8Text } from '../../platform/bytes.js'
import { aminoSignBytes } from './amino.js'
import { coinOf, contentOf, UnsupportedTx, withCodecErrors } from './decode-tx.js'
import { signDocOf } from './draft.js'
import type { Draft } from './unsigned-tx.js'

/** The sign document of a draft, in its mode. */
export const signBytesOf = (draft: Draft): Uint8Array =>
  draft.isAmino ? aminoSignBytes(draft) : signDocOf(draft)

/** The first byte of a JSON object, with which no `SignDoc` begins. */
const BRACE = 0x7b

/**
 * Decodes a sign document of either mode.
 *
 * @param publicKey of the signer, which Amino JSON does not contain
 * @throws SwapError INVALID_REQUEST for bytes with content that a draft does not have
 */
export const decodeSignBytes = (signBytes: Uint8Array, publicKey: Uint8Array): Draft =>
  signBytes[0] === BRACE ? decodeAminoSignBytes(signBytes, publicKey) : decodeSignDoc(signBytes)

/**
 * Decodes a sign document completely: bytes with any content that this program does not encode itself are refused, so
 * that everything that is signed has been shown.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function decodeSignDoc(signDoc: Uint8Array): Draft {
  return withCodecErrors('the sign document', () => {
    const { bodyBytes, authInfoBytes, chainId, accountNumber } = SignDoc.decode(signDoc)
    const content = contentOf(TxBody.decode(bodyBytes), AuthInfo.decode(authInfoBytes))
    if (content.isAmino) throw new UnsupportedTx('it is not signed in SIGN_MODE_DIRECT')
    const draft = { ...content, chainId, accountNumber }
    if (!Buffer.from(signDocOf(draft)).equals(signDoc))
      throw new UnsupportedTx('it holds more than contract calls, a memo, a fee and a key')
    return draft
  })
}

/**
 * Decodes the sign bytes of SIGN_MODE_LEGACY_AMINO_JSON in the same way.
 *
 * @param publicKey of the signer, which these bytes do not contain
 * @throws SwapError INVALID_REQUEST
 */
export function decodeAminoSignBytes(signBytes: Uint8Array, publicKey: Uint8Array): Draft {
  return withCodecErrors('the sign document', () => {
    const document = JSON.parse(utf8Text(signBytes)) as StdSignDoc
    const values = document.msgs.map(({ value }) => value as AminoCall)
    const draft: Draft = {
      sender: values[0]!.sender,
      publicKey,
      calls: values.map(({ contract, msg, funds }) => ({
        contract,
        message: JSON.stringify(msg),
        funds: funds.map(coinOf),
      })),
      memo: document.memo,
      timeoutHeight: BigInt(document.timeout_height ?? '0'),
      sequence: BigInt(document.sequence),
      fee: document.fee.amount.map(coinOf),
      gasLimit: BigInt(document.fee.gas),
      isAmino: true,
      chainId: document.chain_id,
      accountNumber: BigInt(document.account_number),
    }
    if (!Buffer.from(aminoSignBytes(draft)).equals(signBytes))
      throw new UnsupportedTx('it holds more than contract calls, a memo and a fee')
    return draft
  })
}

type AminoCall = {
  readonly sender: string
  readonly contract: string
  readonly msg: unknown
  readonly funds: readonly { readonly denom: string; readonly amount: string }[]
}
