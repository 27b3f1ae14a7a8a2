import type { Coin } from '../../engine/market/token.js'
import type { Reason, Refusal, TxStatusCode } from './refusal.js'

/** The result of broadcasting a transaction. */
export type BroadcastResult =
  /** A node has the bytes, in its mempool or in a block. */
  | { readonly kind: 'accepted'; readonly by: string }
  /** Every node that answered refused the bytes. */
  | ({ readonly kind: 'refused'; readonly by: string } & Refusal)
  /** No connection was established: no node can have the bytes. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** A node may have the bytes, and may pass them on. */
  | { readonly kind: 'unknown'; readonly why: string }

/** A movement of coins out of or into an account, by the bank's events. */
export type Movement = {
  readonly kind: 'spent' | 'received'
  readonly account: string
  readonly coins: readonly Coin[]
  /** Index of the message that moved them; `undefined` for the fee. */
  readonly message: number | undefined
}

/** An included transaction with its result: code 0 is success. */
export type IncludedTx = TxStatusCode & {
  readonly height: number
  /** The meaning of the code; irrelevant for code 0. */
  readonly reason: Reason
  readonly gasWanted: bigint
  /** May exceed the gas limit: the last charge is added before the comparison. */
  readonly gasUsed: bigint
  /**
   * Whether it has used its sequence. A transaction that failed before its messages ran has not, although it is in a
   * block: the same bytes may be included again.
   */
  readonly usedSequence: boolean
  /** The signers with their sequences, by its events: `address/sequence`. */
  readonly sequences: readonly string[]
  /** Every movement of coins, in order. */
  readonly movements: readonly Movement[]
}

/** The evidence of an outcome. */
export type Evidence =
  /** The answer of one node alone. */
  | 'one_node'
  /**
   * The block data of one node are consistent: the transaction is under the `data_hash` of a header that hashes to the
   * block's id, and the next header commits to its result. Validator signatures are not checked.
   */
  | 'block'
  /** At least two nodes agree, and none contradicts them. */
  | 'agreed'

/** The state of a transaction at one height, by all nodes. */
export type Inspection =
  | {
      readonly kind: 'included'
      readonly included: IncludedTx
      readonly evidence: Evidence
      /** Whether the only node has no next block yet, whose header commits to the result. */
      readonly isProvisional?: boolean
    }
  /** The block does not hold it. */
  | { readonly kind: 'absent'; readonly why: string }
  /** Two nodes contradict one another; `why` names both. */
  | { readonly kind: 'disputed'; readonly why: string }
  /** The evidence is insufficient so far; `height` is the newest of any node, 0 if none answers. */
  | { readonly kind: 'unsupported'; readonly why: string; readonly height: number }

/** A transaction to look for: its hash, and the account and sequence that it uses. */
export type TxIdentity = {
  readonly hash: string
  readonly address: string
  readonly publicKey: Uint8Array
  readonly sequence: bigint
}

/** The result of a search for a transaction in blocks. */
export type Scan =
  | { readonly kind: 'found'; readonly included: IncludedTx }
  /** Another transaction has used the sequence, so this one can never be included. */
  | {
      readonly kind: 'replaced'
      readonly hash: string
      readonly height: number
      /** Whether it has no key of a signer, so that only its events say whose sequence it has used. */
      readonly isUnnamed?: boolean
    }
  /** It is in none of the blocks. */
  | { readonly kind: 'absent' }
  /** Not every block could be read; `passes`: a retry may succeed. */
  | { readonly kind: 'incomplete'; readonly why: string; readonly passes: boolean }
