import { makeSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { createWasmAminoConverters } from '@cosmjs/cosmwasm-stargate'
import { AminoTypes } from '@cosmjs/stargate'
import { coinText, encodeObjects } from './draft.js'
import type { Draft } from './unsigned-tx.js'

/**
 * The bytes that are signed in SIGN_MODE_LEGACY_AMINO_JSON, as hardware wallets do; a signature is over
 * their SHA-256.
 */
export function aminoSignBytes(draft: Draft): Uint8Array {
  const types = new AminoTypes(createWasmAminoConverters())
  return serializeSignDoc(
    makeSignDoc(
      encodeObjects(draft).map((message) => types.toAmino(message)),
      { amount: draft.fee.map(coinText), gas: `${draft.gasLimit}` },
      draft.chainId,
      draft.memo,
      `${draft.accountNumber}`,
      `${draft.sequence}`,
      draft.timeoutHeight,
    ),
  )
}
