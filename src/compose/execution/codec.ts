import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { decodeSignDoc } from '../../chain/tx/decode.js'
import { signDocOf, txBytesOf } from '../../chain/tx/draft.js'
import { signHashOf, txHashOf } from '../../chain/tx/hash.js'
import type { Codec } from '../../execution/ports.js'
import { toHex } from '../../platform/encoding.js'
import { addressOf } from '../../wallet/derive.js'

/** The codec of the transactions of a chain. */
export const codecOf = (prefix: string): Codec => ({
  encode: signDocOf,
  decode: decodeSignDoc,
  fingerprint: signHashOf,
  seal(signDoc, signature) {
    const bytes = txBytesOf(signDoc, signature)
    return { bytes, hash: txHashOf(bytes) }
  },
  addressOf: (publicKey) => addressOf(publicKey, prefix),
  verifies: signatureFits,
})

/** Whether 64 bytes are a signature of a sign document, with a low s as chains ask for. */
export function signatureFits(
  publicKey: Uint8Array,
  signDoc: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.length !== 64) return false
  const parts = Secp256k1Signature.fromFixedLength(signature)
  return Secp256k1.verifySignature(parts, sha256(signDoc), publicKey) && hasLowS(signature)
}

/** Half the order of the curve. */
const HALF = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const hasLowS = (signature: Uint8Array): boolean =>
  BigInt(`0x${toHex(signature.subarray(32))}`) <= HALF
