import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, type SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Coin } from '../modules/contract.js'
import { type ChainFailure, failures } from '../modules/failure.js'
import { readCoins } from './coins.js'
import { readMessage, type TxMessage } from './messages.js'
import {
  authInfo,
  BYTES,
  checkShape,
  readTag,
  readVarint,
  txBody,
  txRaw,
  valueSize,
  varintSize,
  WireError,
} from './wire.js'

/** How one signer has signed. */
export type Signer = {
  /** Compressed secp256k1 key; `undefined` if none was sent. */
  readonly publicKey: Uint8Array | undefined
  /** The type of a key that this chain takes no signatures of. */
  readonly foreignKey: string | undefined
  /** `other` includes every way to sign that this chain does not know. */
  readonly mode: 'direct' | 'amino' | 'other'
  readonly sequence: bigint
}

export type Fee = {
  readonly coins: readonly Coin[]
  readonly gasLimit: bigint
  /** Empty: the first signer pays. */
  readonly payer: string
  readonly granter: string
}

/** A transaction as it was sent. */
export type Tx = {
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
  readonly signatures: readonly Uint8Array[]
  readonly messages: readonly TxMessage[]
  readonly memo: string
  /** The last height that may include it; 0 is none. */
  readonly timeoutHeight: bigint
  /** Nanoseconds since 1970 after which no block may include it, if given. */
  readonly timeoutTime: bigint | undefined
  readonly unordered: boolean
  /** Whether it has unknown fields that are not critical. */
  readonly unknownFields: boolean
  readonly signers: readonly Signer[]
  readonly fee: Fee | undefined
}

/** The codec and the application each append the text. */
const parseError = (text: string): ChainFailure =>
  failures.txDecode(`${text}: tx parse error: tx parse error`)

/**
 * A transaction from its bytes. Strict as ADR-027 asks: one encoding only of the outer message, no
 * unknown fields.
 *
 * @throws ChainFailure code 2
 */
export function decodeTx(bytes: Uint8Array): Tx {
  try {
    return decoded(bytes)
  } catch (error) {
    // The library's reader throws plain errors of many kinds: all mean that these bytes are none.
    if (error instanceof Error) throw parseError(error.message)
    throw error
  }
}

function decoded(bytes: Uint8Array): Tx {
  checkOuter(bytes)
  checkShape(bytes, txRaw, false)
  const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(bytes)
  const unknownFields = checkShape(bodyBytes, txBody, true)
  checkShape(authInfoBytes, authInfo, false)
  const body = TxBody.decode(bodyBytes)
  const { signerInfos, fee } = AuthInfo.decode(authInfoBytes)
  return {
    bodyBytes,
    authInfoBytes,
    signatures,
    messages: body.messages.map(({ typeUrl, value }) => {
      const message = readMessage(typeUrl, value)
      if (!message) throw new WireError(`unable to resolve type URL ${typeUrl}`)
      return message
    }),
    memo: body.memo,
    timeoutHeight: body.timeoutHeight,
    timeoutTime: body.timeoutTimestamp && nanoseconds(body.timeoutTimestamp),
    unordered: body.unordered,
    unknownFields,
    signers: signerInfos.map(readSigner),
    fee: fee && {
      coins: readCoins(fee.amount),
      gasLimit: fee.gasLimit,
      payer: fee.payer,
      granter: fee.granter,
    },
  }
}

const nanoseconds = ({ seconds, nanos }: { seconds: bigint; nanos: number }): bigint =>
  seconds * 1_000_000_000n + BigInt(nanos)

const SECP256K1 = '/cosmos.crypto.secp256k1.PubKey'

function readSigner({ publicKey, modeInfo, sequence }: SignerInfo): Signer {
  const mode = modeInfo?.single?.mode
  const known = publicKey?.typeUrl === SECP256K1
  return {
    publicKey: known ? PubKey.decode(publicKey.value).key : undefined,
    foreignKey: known ? undefined : publicKey?.typeUrl,
    mode:
      mode === SignMode.SIGN_MODE_DIRECT
        ? 'direct'
        : mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON
          ? 'amino'
          : 'other',
    sequence,
  }
}

/** Fields in order, lengths as short as they can be: so that a transaction has one hash. */
function checkOuter(bytes: Uint8Array): void {
  let last = 0
  for (let at = 0; at < bytes.length; ) {
    const tag = orInvalidLength(() => readTag(bytes, at))
    if (tag.wire !== BYTES) throw new WireError(`expected 2 wire type, got ${tag.wire}`)
    if (tag.number < last)
      throw new WireError(
        `txRaw must follow ADR-027, got tagNum ${tag.number} after tagNum ${last}`,
      )
    last = tag.number
    at += tag.size
    const length = orInvalidLength(() => readVarint(bytes, at))
    const needed = varintSize(length.value)
    if (length.size !== needed)
      throw new WireError(
        `length prefix varint for tagNum ${tag.number} is not as short as possible, read ${length.size}, only need ${needed}`,
      )
    at += orInvalidLength(() => valueSize(bytes, at, BYTES))
  }
}

function orInvalidLength<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    throw new WireError(`invalid length; ${error.message}`)
  }
}
