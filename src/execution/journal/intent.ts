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
  /** The bytes that are sent, base64. They are never made anew. */
  readonly bytes: string
  /** Base64; what takes the transaction's place in a block is known by it. */
  readonly public_key: string
  readonly account_number: string
  readonly sequence: string
  readonly timeout_height: number
  /** The height at which the sequence was read: no earlier block can hold the transaction. */
  readonly signed_height: number
  /** Which legs of the intent it executes. */
  readonly legs: readonly number[]
  readonly height: number | null
  readonly code: number | null
  readonly codespace: string | null
  /** The chain's or the node's own words. */
  readonly log: string | null
  /** What a final state rests on; absent while there is none. */
  readonly evidence?: Evidence
  /** What it moved; absent where it is in no block. */
  readonly fill?: FillRecord
}

/** A coin on paper: digits of atomics. */
export type CoinRecord = { readonly denom: string; readonly amount: string }

/** What a transaction in a block moved, as the journal keeps it: see `Fill`. */
export type FillRecord = {
  readonly spent: readonly CoinRecord[]
  readonly returned: readonly CoinRecord[]
  /** Message by message. */
  readonly received: readonly string[]
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
  readonly quoted: string
  /** Pairs in order of execution. */
  readonly pairs: readonly string[]
}

/** Something that somebody decided to do with an account, and everything that followed from it. */
export type Intent = {
  readonly format: 'swap.intent/1'
  readonly id: string
  readonly network: string
  readonly chain_id: string
  readonly address: string
  /** The name of the key; `null` where only an address was given. */
  readonly key: string | null
  readonly once: string | null
  /** Whether nobody was asked. */
  readonly unattended: boolean
  /** `bytes`: signed elsewhere; `handed`: signed here for somebody else to send, never sent by us. */
  readonly mode: 'batch' | 'legs' | 'bytes' | 'handed'
  readonly quote_id: string | null
  /** RFC 3339, by this machine's clock. */
  readonly created: string
  /** Millionths of a dollar, rounded up; `null` where no book tells. */
  readonly worth_micro_usd: string | null
  readonly contract: string
  readonly recipient: string
  readonly affiliate: string | null
  readonly slippage_bps: number | null
  /** Decimal places of what is sold and of what is bought, where they were known. */
  readonly decimals?: readonly [input: number, output: number]
  readonly legs: readonly LegRecord[]
  readonly txs: readonly TxRecord[]
}

/** One transaction of an intent. The intent is replaced with every change that was written. */
export type Entry = {
  intent: Intent
  readonly at: number
  /** Why the disk lacks something that was learned after the bytes may have left. */
  unwritten?: Error
}

export const txOf = ({ intent, at }: Entry): TxRecord => intent.txs[at]!

/** Whether a transaction did what it should. */
export const isDone = ({ state, code }: Pick<TxRecord, 'state' | 'code'>): boolean =>
  state === 'included' && code === 0

/** Whether something of an intent may still happen on the chain. */
export const isOpen = ({ txs }: Intent): boolean => txs.some((tx) => !isFinal(tx))

/** Legs that no transaction has executed. */
export const legsLeft = ({ legs, txs }: Intent): readonly number[] => {
  const done = new Set(txs.filter(isDone).flatMap((tx) => tx.legs))
  return legs.map((_, i) => i).filter((i) => !done.has(i))
}

/** Whose intents are meant. */
export type Owner = { readonly chainId: string; readonly address: string }

/**
 * Everything that this machine has signed. What is put is on the disk when the call returns.
 * What cannot be written is NOT_READY, what cannot be read OUTCOME_UNKNOWN.
 */
export type Journal = {
  put(intent: Intent): void
  /** The intent of an id, or of the hash of one of its transactions. */
  find(idOrHash: string): Intent | undefined
  /** Intents that were given this key, the newest first. */
  once(owner: Owner, key: string): readonly Intent[]
  /** Intents that execute this quote, the newest first. */
  ofQuote(owner: Owner, quoteId: string): readonly Intent[]
  /** Intents of which something may still happen, the oldest first. */
  open(owner?: Owner): readonly Intent[]
  /** The newest first; of a time since when `since` is given (RFC 3339). */
  recent(most: number, since?: string): readonly Intent[]
}
