import type { Evidence } from '../../chain/tx/outcome.js'

/**
 * The state of a transaction.
 *
 * | state       | meaning                                                         | next                       |
 * |-------------|-----------------------------------------------------------------|----------------------------|
 * | `signed`    | on this machine only                                            | `sent`, `abandoned`        |
 * | `sent`      | a node may have the bytes                                       | any but `abandoned`        |
 * | `accepted`  | a node took the bytes                                           | any final but `abandoned`  |
 * | `refused`   | every node that answered refused the bytes; one may have kept them | any final               |
 * | `included`  | final: in a block; `code` 0 is success                          |                            |
 * | `expired`   | final: the timeout height passed with the sequence unused       |                            |
 * | `replaced`  | final: another transaction used the sequence                    |                            |
 * | `abandoned` | final: no node has the bytes, and none will get them            |                            |
 *
 * A transaction that was refused and then expired keeps the code of the refusal.
 */
export type TxState =
  | 'signed'
  | 'sent'
  | 'accepted'
  | 'refused'
  | 'included'
  | 'expired'
  | 'replaced'
  | 'abandoned'

const FINAL: ReadonlySet<TxState> = new Set(['abandoned', 'included', 'expired', 'replaced'])

export const isFinal = ({ state }: Pick<TxRecord, 'state'>): boolean => FINAL.has(state)

/** A transaction that was signed. Numbers of the chain that may exceed 2^53 are digits. */
export type TxRecord = {
  readonly state: TxState
  /** Upper-case hex, computed from the bytes. */
  readonly hash: string
  /** The bytes that are sent, base64. They are never built a second time. */
  readonly bytes: string
  /** Base64; identifies a transaction of the same account that used the sequence. */
  readonly public_key: string
  readonly account_number: string
  readonly sequence: string
  readonly timeout_height: number
  /** The height at which the sequence was read: no earlier block can hold the transaction. */
  readonly signed_height: number
  /** Which legs or orders of the intent it executes. */
  readonly legs: readonly number[]
  readonly height: number | null
  readonly code: number | null
  readonly codespace: string | null
  /** Text of the chain or the node. */
  readonly log: string | null
  /** Absent where it is signed in SIGN_MODE_DIRECT; what is left of the intent is signed likewise. */
  readonly sign_mode?: 'amino'
  /** The evidence of a final state; absent before. */
  readonly evidence?: Evidence
  /** Coins moved; absent if it is in no block. */
  readonly fill?: FillRecord
}

/** A coin as the journal stores it: atomics in digits. */
export type CoinRecord = { readonly denom: string; readonly amount: string }

/** A `Fill` as the journal stores it. */
export type FillRecord = {
  readonly spent: readonly CoinRecord[]
  readonly returned: readonly CoinRecord[]
  /** Message by message; empty for orders. */
  readonly received: readonly string[]
  /** Of orders: what each message paid the account. */
  readonly paid?: readonly (readonly CoinRecord[])[]
  readonly fee: readonly CoinRecord[]
  readonly left_behind: readonly CoinRecord[]
  readonly router_grew: readonly CoinRecord[] | null
  readonly verified: {
    readonly events: boolean
    readonly balances: boolean | null
    readonly router: boolean | null
  }
  readonly gas_used: string
  readonly gas_limit: string
}

/** One leg as it was confirmed: amounts in atomics. */
export type LegRecord = {
  readonly funds: CoinRecord
  readonly output: string
  readonly expected: string
  readonly min_return: string
  /** `null` for bytes signed elsewhere, whose quote is unknown. */
  readonly quoted: string | null
  /** Pairs in order of execution. */
  readonly pairs: readonly string[]
}

/** One order message as it was confirmed: amounts in atomics. */
export type OrderRecord = {
  readonly pair: string
  /**
   * In sequence. `target`: what should rest, `null` for a claim; `rests`: what should by the preview,
   * `null` for bytes signed elsewhere.
   */
  readonly entries: readonly {
    readonly id: string
    readonly target: string | null
    readonly rests: string | null
  }[]
  readonly funds: readonly CoinRecord[]
  /** What the message should pay the account, by the preview; `null` for bytes signed elsewhere. */
  readonly expected: readonly CoinRecord[] | null
}

/** What an account confirmed, and all transactions signed for it. */
export type Intent = {
  readonly format: 'swap.intent/1'
  readonly id: string
  readonly network: string
  readonly chain_id: string
  readonly address: string
  /** The name of the key; `null` where only an address was given. */
  readonly key: string | null
  readonly once: string | null
  /** What was asked for under the key `once`; absent where that is not known. */
  readonly request?: string
  /** Whether it was signed without a confirmation. */
  readonly unattended: boolean
  /** `bytes`: signed elsewhere; `handed`: signed here and printed, never sent by this program. */
  readonly mode: 'batch' | 'legs' | 'bytes' | 'handed'
  readonly quote_id: string | null
  /** RFC 3339, by this machine's clock. */
  readonly created: string
  /** Millionths of a dollar, rounded up; `null` if no book gives a price. */
  readonly worth_micro_usd: string | null
  /** The router; of orders the first pair. */
  readonly contract: string
  readonly recipient: string
  readonly affiliate: string | null
  readonly slippage_bps: number | null
  /** Of mode `legs`: minimum total output of all legs, in atomics; absent if none was requested. */
  readonly min_out?: string
  /** Decimals of the tokens sold and bought, if known. */
  readonly decimals?: readonly [input: number, output: number]
  /** Empty for orders. */
  readonly legs: readonly LegRecord[]
  /** Absent for a swap. */
  readonly orders?: readonly OrderRecord[]
  readonly txs: readonly TxRecord[]
}

/** One transaction of an intent. Every recorded change replaces the intent. */
export type Entry = {
  intent: Intent
  readonly at: number
  /** Why a change could not be written after the bytes may have been sent. */
  unwritten?: Error
}

export const txOf = ({ intent, at }: Entry): TxRecord => intent.txs[at]!

/** Whether a transaction was included and succeeded. */
export const isDone = ({ state, code }: Pick<TxRecord, 'state' | 'code'>): boolean =>
  state === 'included' && code === 0

/** Whether a transaction of an intent may still be included. */
export const isOpen = ({ txs }: Intent): boolean => txs.some((tx) => !isFinal(tx))

/** Indexes of the legs, or orders, that no transaction has executed. */
export const legsLeft = ({ legs, orders, txs }: Intent): readonly number[] => {
  const done = new Set(txs.filter(isDone).flatMap((tx) => tx.legs))
  return [...(orders ?? legs).keys()].filter((i) => !done.has(i))
}

/** An account on a chain. */
export type Owner = { readonly chainId: string; readonly address: string }

/**
 * Everything that this machine has signed. `put` returns once the intent is on disk. Write failures
 * are NOT_READY, unreadable files OUTCOME_UNKNOWN; the search for a hash and `recent` pass over those
 * whose transactions are final.
 */
export type Journal = {
  put(intent: Intent): void
  /** The intent of an id, or of the hash of one of its transactions. */
  find(idOrHash: string): Intent | undefined
  /** Intents with this idempotency key, newest first. */
  once(owner: Owner, key: string): readonly Intent[]
  /** Intents of this quote, newest first. */
  ofQuote(owner: Owner, quoteId: string): readonly Intent[]
  /** Open intents, oldest first. */
  open(owner?: Owner): readonly Intent[]
  /** Newest first; not older than `since` (RFC 3339) if given. */
  recent(most: number, since?: string): RecentIntents
}

export type RecentIntents = {
  readonly intents: readonly Intent[]
  /** Entries that cannot be read, although their transactions are final. */
  readonly unread: readonly UnreadEntry[]
}

export type UnreadEntry = { readonly path: string; readonly reason: string }
