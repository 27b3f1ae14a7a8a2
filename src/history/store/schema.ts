import type { Kysely, Transaction } from 'kysely'

/**
 * The tables, the same in both databases. Amounts are decimal digits (text in SQLite, `numeric` in PostgreSQL, whose
 * driver returns text): SQLite's integers end at 2^63, amounts at 2^128.
 */
export type Tables = {
  store: StoreRow
  done: DoneRow
  pruned: { first: number; last: number }
  block: { chain_id: string; height: number; time: string; time_ms: number; hash: Uint8Array }
  price: { height: number; denom: string; numerator: string; denominator: string }
  swap: SwapRow
  affiliate_swap: SwapKey & { affiliate: string }
  tally: { scope: string; name: string; swaps: number }
  top: { period: string; sender: string; swaps: number; priced: number; volume: string }
  order_change: OrderRow
  without_orders: { first: number; last: number }
  quarantine: QuarantineRow
  snapshot: SnapshotRow
}

/** The one row that describes the store and its writer. */
export type StoreRow = {
  id: number
  chain_id: string
  /** The decoder that wrote the rows; null if there are none. */
  decoder: string | null
  /** Incremented by every leader: writes with an older epoch have no effect. */
  epoch: number
  /** For display: containers may share both. */
  leader_host: string | null
  leader_pid: number | null
  leader_process: string | null
  indexed_height: number | null
  indexed_time: string | null
  /** Milliseconds; the end of the windows of `top`. */
  indexed_ms: number | null
  /** How often blocks were removed from the index, and the heights of the last rebuild. */
  rebuilds: number
  rebuild_first: number | null
  rebuild_last: number | null
}

/** A run of done heights, with the hashes that its neighbours must match. */
export type DoneRow = {
  first: number
  last: number
  /** The parent of the first block, and the last block. */
  parent_hash: Uint8Array
  last_hash: Uint8Array
  /** What the header after the last block has to commit to; null if unknown. */
  last_results: Uint8Array | null
}

/** The primary key together with the chain id; descending in all four is the order of every answer. */
export type SwapKey = {
  height: number
  tx_index: number
  msg_index: number
  event_index: number
}

export type SwapRow = SwapKey & {
  chain_id: string
  tx_hash: Uint8Array
  type: string
  sender: string
  recipient: string
  affiliate_code: string | null
  affiliate_address: string | null
  input_denom: string
  input_amount: string
  output_denom: string
  output_amount: string
  /** JSON. */
  path: string
  hops: string
  fee_protocol: string
  fee_referral: string
  fee_affiliate: string
  /** 10^-18 dollars. */
  volume_usd: string | null
}

export type OrderRow = SwapKey & {
  chain_id: string
  tx_hash: Uint8Array
  pair: string
  owner: string
  action: string
  side: string
  /** In the format of order ids. */
  price: string
  offer_denom: string
  receive_denom: string
  sold: string
  added: string
  returned: string
  received: string
  fee: string
}

/** A published market. */
type SnapshotRow = {
  chain_id: string
  height: number
  /** Epoch of the leader. */
  epoch: number
  /** Milliseconds by the clock of the database, which all processes share. */
  published_ms: number
  document: Uint8Array
}

type QuarantineRow = {
  chain_id: string
  height: number
  /** Position among the block's quarantined things. */
  position: number
  tx_index: number
  event_index: number
  reason: string
  bytes: Uint8Array
}

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/** The differences between the databases that the common code has to know. */
export type Flavour = 'sqlite' | 'postgres'
