import type { Coin } from '../../engine/market/token.js'
import type { Reason, Refusal, TxStatusCode } from './refusal.js'

/** What is known after the bytes of a transaction were handed to nodes. */
export type Sent =
  /** A node has them: they wait for a block, or are in one. */
  | { readonly kind: 'accepted'; readonly by: string }
  /** Every node that could be asked has looked at them and does not want them. */
  | ({ readonly kind: 'refused'; readonly by: string } & Refusal)
  /** No connection was established: no node can have them. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** Some node may have them, and may pass them on. */
  | { readonly kind: 'unknown'; readonly why: string }

/** Coins that left an account or entered one, by the bank's events. */
export type Movement = {
  readonly kind: 'spent' | 'received'
  readonly account: string
  readonly coins: readonly Coin[]
  /** Which message moved them; `undefined` for the fee. */
  readonly message: number | undefined
}

/** An included transaction with its result: code 0 is success. */
export type Included = TxStatusCode & {
  readonly height: number
  /** What the code means; says nothing where it is 0. */
  readonly reason: Reason
  readonly gasWanted: bigint
  /** May be above what was wanted: the last charge is made before it is compared. */
  readonly gasUsed: bigint
  /**
   * Whether it has used its sequence. What fails the checks before its messages may be in a block
   * and has used nothing: the same bytes may come again.
   */
  readonly usedSequence: boolean
  /** Every movement of coins, in order. */
  readonly movements: readonly Movement[]
}

/** What an outcome rests on. */
export type Evidence =
  /** One node says so, and nothing else was seen. */
  | 'one_node'
  /**
   * The block data of one node fit together: the transaction is under the `data_hash` of a header that
   * hashes to the block's id, and the next header commits to its result. Signatures of validators are
   * not checked.
   */
  | 'block'
  /** Two nodes say the same, or more, and none says anything else. */
  | 'agreed'

/** What the nodes say of a transaction at one height. */
export type Inspection =
  | { readonly kind: 'included'; readonly included: Included; readonly evidence: Evidence }
  /** The block does not hold it. */
  | { readonly kind: 'absent'; readonly why: string }
  /** Two nodes contradict one another; `why` names both. */
  | { readonly kind: 'disputed'; readonly why: string }
  /** Too little to rely on, so far. */
  | { readonly kind: 'unsupported'; readonly why: string }

/** A transaction that is looked for: its name, and what it would use up. */
export type Wanted = {
  readonly hash: string
  readonly address: string
  readonly publicKey: Uint8Array
  readonly sequence: bigint
}

/** What the blocks themselves say of a transaction. */
export type Scan =
  | { readonly kind: 'found'; readonly included: Included }
  /** Another transaction has used the sequence: ours can never come. */
  | { readonly kind: 'replaced'; readonly hash: string; readonly height: number }
  /** It is in none of the blocks. */
  | { readonly kind: 'absent' }
  /** Not every block could be read; `passes` where asking again may help. */
  | { readonly kind: 'incomplete'; readonly why: string; readonly passes: boolean }
