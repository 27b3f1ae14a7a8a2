import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { aminoSignBytes } from '../../chain/tx/amino.js'
import { decodeAminoSignBytes, decodeSignDoc } from '../../chain/tx/decode.js'
import { signDocOf, signedBytesOf } from '../../chain/tx/draft.js'
import { signHashOf, txHashOf } from '../../chain/tx/hash.js'
import type { Codec } from '../../execution/ports.js'
import { toHex } from '../../platform/encoding.js'
import { addressOf } from '../../wallet/address.js'

/** The codec of the transactions of a chain. */
export const codecOf = (prefix: string): Codec => ({
  encode: (draft) => (draft.isAmino ? aminoSignBytes(draft) : signDocOf(draft)),
  decode: (signDoc, publicKey) =>
    signDoc[0] === BRACE ? decodeAminoSignBytes(signDoc, publicKey) : decodeSignDoc(signDoc),
  fingerprint: signHashOf,
  seal(signed) {
    const bytes = signedBytesOf(signed)
    return { bytes, hash: txHashOf(bytes) }
  },
  addressOf: (publicKey) => addressOf(publicKey, prefix),
  verifies: signatureFits,
  hasLowS,
})

/** How JSON begins, and no `SignDoc`. */
const BRACE = 0x7b

/** Whether 64 bytes are a signature of a sign document, with a low s as chains ask for. */
export function signatureFits(
  publicKey: Uint8Array,
  signDoc: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.length !== 64) return false
  try {
    const parts = Secp256k1Signature.fromFixedLength(signature)
    return hasLowS(signature) && Secp256k1.verifySignature(parts, sha256(signDoc), publicKey)
  } catch {
    // A point that is not on the curve, or numbers outside of its order.
    return false
  }
}

/** Half the order of the curve. */
const HALF = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const hasLowS = (signature: Uint8Array): boolean =>
  BigInt(`0x${toHex(signature.subarray(32))}`) <= HALF
