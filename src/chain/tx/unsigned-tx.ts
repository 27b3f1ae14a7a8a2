import type { Coin } from '../../engine/market/token.js'
import { sha256, toHex, toUpperHex } from '../../platform/encoding.js'

export type Call = {
  readonly contract: string
  /** JSON, exactly as it is signed. */
  readonly message: string
  /** The attached coins, sorted by denom. */
  readonly funds: readonly Coin[]
}

/** Most bytes of a memo: the default of the SDK's `max_memo_characters`, which counts bytes. */
export const MAX_MEMO_BYTES = 256

/** An unsigned transaction of contract calls. */
export type Unsigned = {
  /** The account that signs, pays the fee and sends every call. */
  readonly sender: string
  readonly calls: readonly Call[]
  readonly memo: string
  /** The last height that may include the transaction; 0 for no limit. */
  readonly timeoutHeight: bigint
  /** A coin of amount 0 is encoded as such; an empty list is no fee. */
  readonly fee: readonly Coin[]
  readonly gasLimit: bigint
}

/** An unsigned transaction with the data of its signer. */
export type Content = Unsigned & {
  /** Compressed secp256k1, 33 bytes. */
  readonly publicKey: Uint8Array
  readonly sequence: bigint
  /** Whether the signature is over Amino JSON (hardware wallets) instead of a `SignDoc`. */
  readonly isAmino?: boolean
}

/** Everything that a signature covers. */
export type Draft = Content & {
  readonly chainId: string
  readonly accountNumber: bigint
}

/** A transaction with its signature. Its bytes do not contain the chain id and the account number. */
export type SignedTx = Content & {
  /** r and s, 64 bytes. */
  readonly signature: Uint8Array
}

/** The hash of a transaction: the SHA-256 of its bytes, upper-case hex. */
export const txHashOf = (txBytes: Uint8Array): string => toUpperHex(sha256(txBytes))

/** The SHA-256 of a sign document, lower-case hex: what a signature is over. */
export const signHashOf = (signDoc: Uint8Array): string => toHex(sha256(signDoc))
