import { type AminoMsg, makeSignDoc, type StdFee, serializeSignDoc } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature } from '@cosmjs/crypto'
import { SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { attempt } from '../../platform/attempt.js'
import { sha256, toBase64, toHex } from '../../platform/encoding.js'
import { wireCoin } from '../modules/contract.js'
import type { Fee, Signer, Tx, TxMessage } from './decode.js'

function messageJson(message: TxMessage): AminoMsg {
  if (message.kind === 'send')
    return {
      type: 'cosmos-sdk/MsgSend',
      value: {
        from_address: message.from,
        to_address: message.to,
        amount: message.coins.map(wireCoin),
      },
    }
  return {
    type: 'wasm/MsgExecuteContract',
    value: {
      sender: message.sender,
      contract: message.contract,
      msg: JSON.parse(message.message) as unknown,
      funds: message.funds.map(wireCoin),
    },
  }
}

const feeJson = ({ coins, gasLimit, payer, granter }: Fee): StdFee => ({
  amount: coins.map(wireCoin),
  gas: String(gasLimit),
  ...(payer && { payer }),
  ...(granter && { granter }),
})

/**
 * The sign bytes of SIGN_MODE_LEGACY_AMINO_JSON, as cosmjs writes them, but for the two line separators of
 * Unicode, which Go escapes.
 */
export function aminoSignBytes(
  { messages, memo, timeoutHeight }: Tx,
  fee: Fee,
  chainId: string,
  accountNumber: bigint,
  sequence: bigint,
): Uint8Array {
  const document = makeSignDoc(
    messages.map(messageJson),
    feeJson(fee),
    chainId,
    memo,
    String(accountNumber),
    String(sequence),
    timeoutHeight,
  )
  const text = new TextDecoder().decode(serializeSignDoc(document))
  return new TextEncoder().encode(text.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029'))
}

const KEY_BYTES = 33
const SIGNATURE_BYTES = 64
/** Half of the curve's order: a signature with a greater `s` is malleable and is refused. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Most cached signatures: each is verified on arrival and in its block. */
const REMEMBERED = 10_000
const verified = new Set<string>()

/** Whether `signature` (r and s, 32 bytes each, low s) is the key's of these bytes' SHA-256. */
export function isValidSignature(
  publicKey: Uint8Array,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (publicKey.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false
  if (verified.has(nameOf(publicKey, bytes, signature))) return true
  if (!verifies(publicKey, bytes, signature)) return false
  rememberVerified(publicKey, bytes, signature)
  return true
}

/** Caches a valid signature: agents sign in this process, and verifying costs as much as signing. */
export function rememberVerified(
  publicKey: Uint8Array,
  bytes: Uint8Array,
  signature: Uint8Array,
): void {
  if (verified.size >= REMEMBERED) verified.clear()
  verified.add(nameOf(publicKey, bytes, signature))
}

const nameOf = (publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): string =>
  toBase64(sha256(publicKey, signature, bytes))

function verifies(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (BigInt(`0x${toHex(signature.subarray(32))}`) > HALF_ORDER) return false
  const hash = sha256(bytes)
  const isSigned = attempt(() =>
    Secp256k1.verifySignature(Secp256k1Signature.fromFixedLength(signature), hash, publicKey),
  )
  // The key may be no point of the curve, or the signature malformed.
  return isSigned ?? false
}

/** The sign bytes of SIGN_MODE_DIRECT. */
export const directSignBytes = (
  bodyBytes: Uint8Array,
  authInfoBytes: Uint8Array,
  chainId: string,
  accountNumber: bigint,
): Uint8Array => SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber }).finish()

/** The sign bytes of a signer of this transaction; `undefined` for an unsupported mode. */
export function signBytes(
  tx: Tx,
  { mode, sequence }: Signer,
  chainId: string,
  accountNumber: bigint,
): Uint8Array | undefined {
  if (mode === 'direct')
    return directSignBytes(tx.bodyBytes, tx.authInfoBytes, chainId, accountNumber)
  const { fee } = tx
  if (mode !== 'amino' || !fee) return undefined
  return attempt(() => aminoSignBytes(tx, fee, chainId, accountNumber, sequence))
}
