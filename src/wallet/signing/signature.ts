import { Secp256k1 } from '@cosmjs/crypto'
import { SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { invalidRequest } from '../../engine/errors.js'
import { sha256 } from '../../platform/encoding.js'

/**
 * r and s of the SHA-256 of a sign document, an encoded `SignDoc` or Amino JSON, 32 bytes each, low s, the
 * same for the same document (RFC 6979).
 *
 * @throws SwapError INVALID_REQUEST for a document of another chain
 */
export function signatureOf(
  signDoc: Uint8Array,
  privateKey: Uint8Array,
  chainId: string,
): Uint8Array {
  const meant = chainOf(signDoc)
  if (meant !== chainId) throw otherChain(meant, chainId)
  const made = Secp256k1.createSignature(sha256(signDoc), privateKey)
  return Uint8Array.from([...made.r(32), ...made.s(32)])
}

/** The chain that a sign document is for: JSON begins with a brace, and no `SignDoc` does. */
function chainOf(signDoc: Uint8Array): string {
  if (signDoc[0] !== 0x7b) return SignDoc.decode(signDoc).chainId
  const { chain_id } = JSON.parse(new TextDecoder().decode(signDoc)) as { chain_id?: unknown }
  return String(chain_id)
}

const otherChain = (meant: string, chainId: string) =>
  invalidRequest(`this transaction is for the chain ${meant.slice(0, 64)}`, '', {
    why: `the key was opened for ${chainId}`,
    hint: 'build the transaction for the chain that it is signed for',
  })
