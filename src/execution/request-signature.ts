import { Secp256k1, Secp256k1Signature } from '@cosmjs/crypto'
import { toBase64 } from '@cosmjs/encoding'
import { type Draft, type SignedTx, signHashOf } from '../chain/tx/unsigned-tx.js'
import { invalidRequest } from '../engine/errors.js'
import { coinDocument } from '../operations/document-parts.js'
import { sha256, toHex } from '../platform/encoding.js'
import { printable } from '../platform/printable.js'
import { addressOf } from '../wallet/address.js'
import { type Signer, SignerFailed, type SignRequest } from '../wallet/signing/protocol.js'

/** A transaction without a signature, with its sign bytes. */
type Unsealed = { readonly signDoc: Uint8Array; readonly decoded: Draft }

/**
 * Requests a signature and checks the answer: the key has to be that of the account, and the signature valid for
 * exactly these bytes. The transaction to send is built from the decoded bytes; only the signature is the signer's.
 *
 * @param prefix of the chain's addresses
 * @throws SwapError SIGNER_FAILED; INVALID_REQUEST if the bytes lack the public key of the account
 */
export async function requestSignature(
  prefix: string,
  signer: Signer,
  { signDoc, decoded }: Unsealed,
  interrupt: AbortSignal,
): Promise<Draft & SignedTx> {
  const isKnown = addressOf(decoded.publicKey, prefix) === decoded.sender
  if (!isKnown && !decoded.isAmino)
    throw invalidRequest(`the public key of ${decoded.sender} is not known`, '/public_key', {
      why: 'the bytes of SIGN_MODE_DIRECT hold it, and the chain has not seen it yet',
      hint: 'keep it with the signer: swap keys add-external <name> --public-key <key>; or sign with --amino',
    })
  const request = signRequestOf({ signDoc, decoded }, isKnown)
  const { publicKey, signature } = await signer.sign(request, interrupt)
  const refuse = (why: string) => new SignerFailed(signer.name, why)
  const signs = addressOf(publicKey, prefix)
  if (signs !== decoded.sender)
    throw refuse(`its key is that of ${signs}, and ${decoded.sender} has to sign`)
  if (!signatureFits(publicKey, signDoc, signature))
    throw refuse(
      hasLowS(signature)
        ? 'its signature is not valid for these bytes'
        : 'its signature has a high s, which chains refuse: s has to be at most half of the order',
    )
  return { ...decoded, publicKey, signature }
}

/** Whether 64 bytes are a signature of a sign document, with a low s as chains require. */
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
    // Not a point of the curve, or numbers outside its order.
    return false
  }
}

/** Half of the curve's order. */
const HALF = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const hasLowS = (signature: Uint8Array): boolean =>
  BigInt(`0x${toHex(signature.subarray(32))}`) <= HALF

/** @param isKnown whether the decoded public key is that of the account */
function signRequestOf({ signDoc, decoded }: Unsealed, isKnown: boolean): SignRequest {
  return {
    format: 'swap.sign/1',
    chain_id: decoded.chainId,
    address: decoded.sender,
    public_key: isKnown ? toBase64(decoded.publicKey) : null,
    sign_mode: decoded.isAmino ? 'amino' : 'direct',
    account_number: `${decoded.accountNumber}`,
    sequence: `${decoded.sequence}`,
    sign_bytes: toBase64(signDoc),
    sign_bytes_sha256: signHashOf(signDoc),
    content: contentDocument(decoded),
    text: contentLines(decoded),
  }
}

/** The messages, fee, memo and timeout height of a transaction, as JSON. */
export const contentDocument = (decoded: Draft) => ({
  messages: decoded.calls.map(({ contract, message, funds }) => ({
    contract,
    msg: JSON.parse(message) as unknown,
    funds: funds.map(coinDocument),
  })),
  memo: decoded.memo,
  timeout_height: `${decoded.timeoutHeight}`,
  fee: decoded.fee.map(coinDocument),
  gas_limit: `${decoded.gasLimit}`,
})

/** The same as readable lines, with control characters escaped. */
function contentLines(decoded: Draft): readonly string[] {
  const { calls, fee, memo, timeoutHeight } = decoded
  const coins = (all: Draft['fee']) =>
    all.map(({ denom, amount }) => `${amount} ${denom}`).join(', ') || 'nothing'
  return [
    `${decoded.chainId}: account ${decoded.accountNumber}, sequence ${decoded.sequence}`,
    `from ${decoded.sender}`,
    ...calls.flatMap(({ contract, message, funds }, at) => [
      `message ${at + 1} of ${calls.length} calls ${contract} and sends ${coins(funds)}`,
      message,
    ]),
    `fee ${coins(fee)}, gas limit ${decoded.gasLimit}`,
    timeoutHeight === 0n ? 'valid without end' : `valid until block ${timeoutHeight}`,
    ...(memo === '' ? [] : [`memo ${JSON.stringify(memo)}`]),
  ].map(printable)
}
