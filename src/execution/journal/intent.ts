/** What became of one transaction, as far as it is known. */
export type TxState =
  /** It exists on this machine; nobody has been asked to take it. */
  | 'signed'
  /** It is being handed over, or was when the process ended. */
  | 'broadcasting'
  /** A node has taken it. */
  | 'accepted'
  /** Some node may have it. */
  | 'unknown'
  /** Every node that was asked has refused it. */
  | 'refused'
  /** It never left this machine, and never will. */
  | 'abandoned'
  /** It is in a block; `code` says whether it did what it should. */
  | 'included'
  /** Its timeout height has passed and its sequence is unused: it can never come. */
  | 'expired'
  /** Another transaction has used its sequence: it can never come. */
  | 'replaced'

/** States after which nothing about a transaction can change. */
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
  /** Whether some node may have the bytes, whatever was said afterwards. */
  readonly maybe_sent: boolean
  readonly height: number | null
  readonly code: number | null
  readonly codespace: string | null
  /** The chain's or the node's own words. */
  readonly log: string | null
}

/** A coin on paper: digits of atomics. */
export type CoinRecord = { readonly denom: string; readonly amount: string }

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
  /** The report that was given, once everything is settled. */
  readonly report: unknown
}

/** Whether something of an intent may still happen on the chain. */
export const isOpen = ({ txs }: Intent): boolean => txs.some((tx) => !isFinal(tx))

/** Legs that no transaction has executed. */
export const legsLeft = ({ legs, txs }: Intent): readonly number[] => {
  const done = new Set(
    txs.filter((tx) => tx.state === 'included' && tx.code === 0).flatMap((tx) => tx.legs),
  )
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
