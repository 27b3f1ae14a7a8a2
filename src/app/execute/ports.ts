import type { Market } from '../../market/market.js'
import type { Coin, Denom } from '../../market/token.js'
import type { Decimal } from '../../math/decimal.js'
import type { Trial, TrialMessage } from '../chain/port.js'

/** Whoever signs. Private keys stay on the other side of it. */
export type Signer = {
  readonly address: string
  /** r and s over the SHA-256 of an encoded sign document: 64 bytes. */
  sign(signDoc: Uint8Array): Uint8Array
  /** Wipes the key. */
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

/** One contract that is called; the message is JSON, byte for byte as it is signed. */
export type Call = {
  readonly contract: string
  readonly message: string
  readonly funds: readonly Coin[]
}

/** Everything that a signature covers. */
export type Draft = {
  readonly chainId: string
  readonly accountNumber: bigint
  readonly sequence: bigint
  readonly sender: string
  readonly publicKey: Uint8Array
  readonly calls: readonly Call[]
  readonly memo: string
  readonly timeoutHeight: bigint
  readonly fee: readonly Coin[]
  readonly gasLimit: bigint
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

/** Why a chain refuses a transaction, as far as a program has to tell reasons apart. */
export type Reason =
  | 'price'
  | 'funds'
  | 'fee'
  | 'gas'
  | 'sequence'
  | 'timeout'
  | 'halted'
  | 'signature'
  | 'known'
  | 'busy'
  | 'other'

/** A refusal, in the chain's own terms and in ours. */
export type Refusal = {
  readonly reason: Reason
  readonly codespace: string
  readonly code: number
  readonly log: string
}

/** What is known after bytes were handed to nodes. `unsent`: certainly nobody has them. */
export type Sent =
  | { readonly kind: 'accepted'; readonly by: string }
  | ({ readonly kind: 'refused'; readonly by: string } & Refusal)
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string }

/** Coins that went out of an account or into one; `message` is `undefined` for the fee. */
export type Movement = {
  readonly kind: 'spent' | 'received'
  readonly account: string
  readonly coins: readonly Coin[]
  readonly message: number | undefined
}

/** A transaction that is in a block. */
export type Included = {
  readonly height: number
  readonly code: number
  readonly codespace: string
  readonly log: string
  /** Where `code` is not 0. */
  readonly reason: Reason
  readonly gasWanted: bigint
  readonly gasUsed: bigint
  /** Whether it has used its sequence; else the same bytes may come again, whatever the code. */
  readonly usedSequence: boolean
  readonly movements: readonly Movement[]
}

/** What blocks say of a transaction that is looked for. */
export type Scan =
  | { readonly kind: 'found'; readonly included: Included }
  | { readonly kind: 'replaced'; readonly hash: string; readonly height: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'incomplete'; readonly why: string }

/** An account as one node sees it, and the height that it sees it at. */
export type Standing = {
  readonly node: string
  readonly height: number
  readonly accountNumber: bigint
  readonly sequence: bigint
  readonly publicKey: Uint8Array | undefined
}

/** A transaction that is looked for. */
export type Wanted = {
  readonly hash: string
  readonly address: string
  readonly publicKey: Uint8Array
  readonly sequence: bigint
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
   * The account as every node that answers sees it at its own newest height; none where no node
   * knows the account.
   */
  standings(address: string): Promise<readonly Standing[]>
  /** Asks the nodes the same of the market's height and gives what they disagree about. */
  disagreements(height: number, questions: readonly Question[]): Promise<readonly string[]>
  broadcast(txBytes: Uint8Array): Promise<Sent>
  /** Looks in the nodes' indexes. That nothing is found there says nothing. */
  find(hash: string): Promise<Included | undefined>
  /** Looks in the blocks themselves, both heights included. */
  scan(wanted: Wanted, from: number, to: number): Promise<Scan>
}

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
