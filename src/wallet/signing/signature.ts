import { createHash } from 'node:crypto'
import { Secp256k1 } from '@cosmjs/crypto'
import { SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { misuse } from '../errors.js'

/**
 * r and s of the SHA-256 of an encoded `SignDoc`, 32 bytes each, low s, the same for the same
 * document (RFC 6979).
 *
 * @throws SwapError INVALID_REQUEST for a document of another chain
 */
export function signatureOf(
  signDoc: Uint8Array,
  privateKey: Uint8Array,
  chainId: string,
): Uint8Array {
  const meant = SignDoc.decode(signDoc).chainId
  if (meant !== chainId) throw otherChain(meant, chainId)
  const digest = createHash('sha256').update(signDoc).digest()
  const made = Secp256k1.createSignature(digest, privateKey)
  return Uint8Array.from([...made.r(32), ...made.s(32)])
}

const otherChain = (meant: string, chainId: string) =>
  misuse(`this transaction is for the chain ${meant.slice(0, 64)}`, {
    why: `the key was opened for ${chainId}`,
    hint: 'build the transaction for the chain that it is signed for',
  })
