import type { Included, Inspection, Scan, Sent, Wanted } from '../chain/tx/outcome.js'
import type { Draft } from '../chain/tx/unsigned-tx.js'
import type { Market } from '../engine/market/market.js'
import type { Coin, Denom } from '../engine/market/token.js'
import type { Decimal } from '../engine/math/decimal.js'
import type { Trial, TrialMessage } from '../operations/chain-port.js'

/** Whoever signs. Private keys stay on the other side of it. */
export type Signer = {
  readonly address: string
  /** r and s over the SHA-256 of an encoded sign document: 64 bytes. Once. */
  sign(signDoc: Uint8Array): Promise<Uint8Array>
  /** Ends what knows the key. */
  forget(): void
}

/** An account to execute with. Unlocking may ask somebody for a password. */
export type Account = {
  /** The key's name; `null` where only an address is known. */
  readonly name: string | null
  readonly address: string
  /** Compressed secp256k1; `undefined` where only an address is known. */
  readonly publicKey: Uint8Array | undefined
  /** `undefined` where there is no key to sign with. */
  readonly unlock: (() => Promise<Signer>) | undefined
}

/** The bytes of transactions: made, read back, put together with a signature. */
export type Codec = {
  /** The sign document of a draft. */
  encode(draft: Draft): Uint8Array
  /** What a sign document says; refuses bytes that say anything else. */
  decode(signDoc: Uint8Array): Draft
  /** The SHA-256 of a sign document, hex. */
  fingerprint(signDoc: Uint8Array): string
  /** The transaction that is sent, and its hash. */
  seal(
    signDoc: Uint8Array,
    signature: Uint8Array,
  ): { readonly bytes: Uint8Array; readonly hash: string }
  /** The address of a public key on this chain. */
  addressOf(publicKey: Uint8Array): string
  /** Whether a signature is the key's over the document. */
  verifies(publicKey: Uint8Array, signDoc: Uint8Array, signature: Uint8Array): boolean
}

/** An account as one node sees it, and the height that it sees it at. */
export type AccountState = {
  readonly node: string
  readonly height: number
  readonly accountNumber: bigint
  readonly sequence: bigint
  readonly publicKey: Uint8Array | undefined
}

/** What executing asks of a chain. The rim fills it with nodes. */
export type Chain = {
  readonly network: string
  readonly chainId: string
  readonly feeDenom: Denom
  /** Atomics of the fee's denom for a unit of gas. */
  readonly gasPrice: Decimal
  /** Whether money is at stake. */
  readonly real: boolean
  readonly endpoints: readonly string[]
  readonly codec: Codec
  /** The market as of now. Every call reads it anew. */
  market(): Promise<Market>
  balances(address: string, height: number): Promise<readonly Coin[]>
  trial(from: string, messages: readonly TrialMessage[]): Promise<Trial>
  /**
   * The account as every node that answers sees it: at its own newest height, or at the one that is
   * asked for; none where no node knows the account.
   */
  accountStates(address: string, height?: number): Promise<readonly AccountState[]>
  /** Asks every node the same as of one height. */
  compare(height: number, questions: readonly Question[]): Promise<Comparison>
  broadcast(txBytes: Uint8Array): Promise<Sent>
  /**
   * Whether this program runs the only node itself, as it does for the demo chain. What such a node
   * refuses is in no other node's mempool.
   */
  readonly isOwn: boolean
  /** Looks in the nodes' indexes. That nothing is found there says nothing. */
  find(hash: string): Promise<Included | undefined>
  /** Asks every node for the block of a height, and whether it holds a transaction. */
  inspect(hash: string, height: number): Promise<Inspection>
  /** Looks in the blocks themselves, both heights included. */
  scan(wanted: Wanted, from: number, to: number): Promise<Scan>
}

/** How many nodes answered, and what they disagree about. */
export type Comparison = { readonly nodes: number; readonly differences: readonly string[] }

/** What two nodes are asked about one leg. */
export type Question = {
  readonly contract: string
  readonly funds: Coin
  readonly stages: readonly { readonly address: string; readonly denom: string }[]
}

/** Time, as far as waiting needs it. */
export type Clock = {
  /** Milliseconds that never go back. */
  now(): number
  /** Over after so long, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** The wall clock, RFC 3339 UTC: for the record, never for decisions about the chain. */
  time(): string
}
