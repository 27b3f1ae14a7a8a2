import { toBase64 } from '@cosmjs/encoding'
import type { Draft, SignedTx } from '../chain/tx/unsigned-tx.js'
import { invalidRequest } from '../engine/errors.js'
import { coinDocument } from '../operations/document-parts.js'
import { printable } from '../platform/printable.js'
import { type Signer, SignerFailed, type SignRequest } from '../wallet/signing/protocol.js'
import type { Codec } from './ports.js'

/** A transaction without a signature, with its sign bytes. */
type Unsealed = { readonly signDoc: Uint8Array; readonly decoded: Draft }

/**
 * Requests a signature and checks the answer: the key has to be that of the account, and the signature valid for
 * exactly these bytes. The transaction to send is built from the decoded bytes; only the signature is the signer's.
 *
 * @throws SwapError SIGNER_FAILED; INVALID_REQUEST if the bytes lack the public key of the account
 */
export async function requestSignature(
  codec: Codec,
  signer: Signer,
  { signDoc, decoded }: Unsealed,
  interrupt: AbortSignal,
): Promise<Draft & SignedTx> {
  const isKnown = codec.addressOf(decoded.publicKey) === decoded.sender
  if (!isKnown && !decoded.isAmino)
    throw invalidRequest(`the public key of ${decoded.sender} is not known`, '/public_key', {
      why: 'the bytes of SIGN_MODE_DIRECT hold it, and the chain has not seen it yet',
      hint: 'keep it with the signer: swap keys add-external <name> --public-key <key>; or sign with --amino',
    })
  const request = signRequestOf(codec, { signDoc, decoded }, isKnown)
  const { publicKey, signature } = await signer.sign(request, interrupt)
  const refuse = (why: string) => new SignerFailed(signer.name, why)
  const signs = codec.addressOf(publicKey)
  if (signs !== decoded.sender)
    throw refuse(`its key is that of ${signs}, and ${decoded.sender} has to sign`)
  if (!codec.verifies(publicKey, signDoc, signature))
    throw refuse(
      codec.hasLowS(signature)
        ? 'its signature is not valid for these bytes'
        : 'its signature has a high s, which chains refuse: s has to be at most half of the order',
    )
  return { ...decoded, publicKey, signature }
}

/** @param isKnown whether the decoded public key is that of the account */
function signRequestOf(
  codec: Codec,
  { signDoc, decoded }: Unsealed,
  isKnown: boolean,
): SignRequest {
  return {
    format: 'swap.sign/1',
    chain_id: decoded.chainId,
    address: decoded.sender,
    public_key: isKnown ? toBase64(decoded.publicKey) : null,
    sign_mode: decoded.isAmino ? 'amino' : 'direct',
    account_number: `${decoded.accountNumber}`,
    sequence: `${decoded.sequence}`,
    sign_bytes: toBase64(signDoc),
    sign_bytes_sha256: codec.fingerprint(signDoc),
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
