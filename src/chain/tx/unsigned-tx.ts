import { createHash } from 'node:crypto'
import type { Coin } from '../../engine/market/token.js'

/** One contract that is called. */
export type Call = {
  readonly contract: string
  /** JSON, byte for byte as it is signed. */
  readonly message: string
  /** Coins that go with it, sorted by denom. */
  readonly funds: readonly Coin[]
}

/** Bytes of a memo at most: the default of the SDK's `max_memo_characters`, which counts bytes. */
export const MAX_MEMO_BYTES = 256

/** An unsigned transaction of contract calls. */
export type Unsigned = {
  /** Who signs, pays and sends every call. */
  readonly sender: string
  readonly calls: readonly Call[]
  readonly memo: string
  /** The last height that may hold the transaction; 0 is none. */
  readonly timeoutHeight: bigint
  /** A coin of amount 0 is written as such; an empty list is no coin at all. */
  readonly fee: readonly Coin[]
  readonly gasLimit: bigint
}

/** The same with its signer. */
export type Content = Unsigned & {
  /** Compressed secp256k1, 33 bytes. */
  readonly publicKey: Uint8Array
  readonly sequence: bigint
  /** Whether the signature is over Amino JSON, as hardware wallets sign, not over the bytes. */
  readonly isAmino?: boolean
}

/** Everything that a signature covers. */
export type Draft = Content & {
  readonly chainId: string
  readonly accountNumber: bigint
}

/** A transaction with its signature. The chain and the account's number are not in its bytes. */
export type Signed = Content & {
  /** r and s, 64 bytes. */
  readonly signature: Uint8Array
}

/** A transaction's name on the chain: the SHA-256 of its bytes, upper-case hex. */
export const txHashOf = (txBytes: Uint8Array): string =>
  createHash('sha256').update(txBytes).digest('hex').toUpperCase()

/** The SHA-256 of a sign document, lower-case hex: what a signature is over. */
export const signHashOf = (signDoc: Uint8Array): string =>
  createHash('sha256').update(signDoc).digest('hex')
