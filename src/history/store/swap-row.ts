import type { Json } from '../../engine/errors.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'
import type { Rational } from '../../engine/math/rational.js'
import type {
  IndexRebuild,
  OrderChange,
  OrdersFilter,
} from '../../operations/history/history-port.js'
import type { DayFigures } from '../../operations/price/price-path.js'

/** `arbitrage` when the input and the output are the same denom, else `swap`. */
export type SwapType = 'swap' | 'arbitrage'

/** An affiliate as registered with the router at the height of the swap. */
export type SwapAffiliate = {
  readonly code: string
  /** The address that receives its fees. */
  readonly address: string
}

/** The router's fees of a swap, besides the pairs' own: atomics of the output denom. */
type SwapFees = {
  readonly protocol: bigint
  readonly referral: bigint
  readonly affiliate: bigint
}

/**
 * One swap that went through the router: one leg of a transaction. Its key is the chain, the height
 * and the three indexes, counted in the block as the chain gave it, before anything is left out.
 */
export type IndexedSwap = {
  /** Position of the transaction in its block, of the message in it, of the event in its result. */
  readonly txIndex: number
  readonly msgIndex: number
  readonly eventIndex: number
  /** 64 hexadecimal digits, upper case. */
  readonly txHash: string
  readonly type: SwapType
  /** The wallet that signed. */
  readonly sender: string
  readonly recipient: string
  /** `null` without an affiliate, or if the code was not registered at that height. */
  readonly affiliate: SwapAffiliate | undefined
  readonly input: Coin
  /** Net of every fee: the amount the recipient got. */
  readonly output: Coin
  /** Denoms from the input to the output. */
  readonly path: readonly Denom[]
  /** One document per hop, as the answer shows it. */
  readonly hops: readonly Json[]
  readonly fees: SwapFees
  /** Dollars at the mid prices of that block, rounded down to 18 digits; `null` when unknown. */
  readonly volumeUsd: Decimal | undefined
}

/** A stored leg, with its block's height and time (RFC 3339 UTC, as the chain wrote it). */
export type StoredSwap = IndexedSwap & { readonly height: number; readonly time: string }

/** A stored change of an order. */
export type StoredOrder = OrderChange

/** A change of a resting order, without its block's height and time. */
export type IndexedOrder = Omit<StoredOrder, 'height' | 'time'>

/** Newest first: by height, transaction, message and event, all falling. */
export type OrderPage = {
  readonly total: number
  readonly items: readonly StoredOrder[]
  readonly indexed: Indexed | undefined
  /** Done heights whose orders an earlier version of the program did not index, ascending. */
  readonly without: readonly HeightRange[]
}

/** An event that could not be read as a swap or an order: stored with its bytes, never dropped. */
export type Quarantined = {
  /** Position of the transaction in its block; -1 for events of the block itself. */
  readonly txIndex: number
  /** Position of the event in the transaction's result; -1 for the transaction as a whole. */
  readonly eventIndex: number
  /** The reason, one sentence. */
  readonly reason: string
  /** As the node sent it. */
  readonly bytes: Uint8Array
}

/** A stored quarantined event. */
type StoredQuarantined = Quarantined & { readonly height: number }

/** Newest first: by height, and within a block in the order in which they were found, both falling. */
export type QuarantinePage = {
  /** Total number. */
  readonly total: number
  readonly items: readonly StoredQuarantined[]
  readonly indexed: Indexed | undefined
}

/** The content of one block for the history. */
export type IndexedBlock = {
  readonly height: number
  /** RFC 3339 UTC, as the chain wrote it. */
  readonly time: string
  /** 64 hexadecimal digits each: neighbours in the store must link up. */
  readonly hash: string
  readonly parentHash: string
  readonly swaps: readonly IndexedSwap[]
  readonly orders: readonly IndexedOrder[]
  readonly quarantined: readonly Quarantined[]
  /**
   * Mid prices the volumes were computed from: dollars' atomics per atomic. Those kept for a height
   * first stay for ever, so that a rebuild gives the same volumes.
   */
  readonly prices: ReadonlyMap<Denom, Rational>
}

/** Heights from `from` to `to`, both included. */
export type HeightRange = { readonly from: number; readonly to: number }

/** The highest block indexed. */
export type Indexed = { readonly height: number; readonly time: string }

export type HistoryState = {
  readonly chainId: string
  /** The decoder that made the rows; `undefined` while the store is empty. */
  readonly decoder: string | undefined
  /** False if another decoder made the rows: `swap history --reindex` rebuilds them. */
  readonly current: boolean
  /** Heights that are done, ascending; neighbours are merged. */
  readonly done: readonly HeightRange[]
  /** Heights that the nodes no longer have, ascending; neighbours are merged. */
  readonly pruned: readonly HeightRange[]
  readonly indexed: Indexed | undefined
  /** Done heights without the changes of orders: an earlier version of the program indexed them. */
  readonly withoutOrders: readonly HeightRange[]
  /** Number of stored legs and of quarantined events. */
  readonly swaps: number
  readonly quarantined: number
}

/** Figures of a store, from its counters. */
export type HistoryFigures = {
  readonly indexed: Indexed | undefined
  readonly swaps: number
  readonly quarantined: number
  /** Epoch of the latest leader; 0 before the first one. */
  readonly epoch: number
  /** The newest height that a leader published for its fleet, and how many heights are kept. */
  readonly published: { readonly height: number; readonly heights: number } | undefined
}

/** The process that writes to a store. */
export type Leader = { readonly host: string; readonly pid: number }

/** The right to write to a store. At most one process has it; writes with an old one fail. */
export type Leadership = {
  /** Raised by every leader: fences off the earlier ones. */
  readonly epoch: number
  /** Aborted when the right is lost: another process took it, or the database is gone. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** What was done of a block. `known`: the height was done before, and nothing changed. */
export type Committed =
  | { readonly known: true }
  | { readonly known: false; readonly swaps: number; readonly quarantined: number }

/** The filter of a page. An affiliate is given by its code or by its address. */
export type PageOf =
  | { readonly by: 'latest'; readonly type?: SwapType }
  | { readonly by: 'sender'; readonly sender: string }
  | { readonly by: 'affiliate'; readonly affiliate: string }
  | { readonly by: 'transaction'; readonly txHash: string }

/** `page` counts from 1; `limit` is from 1 to 100. */
export type Window = { readonly page: number; readonly limit: number }

/** Newest first: by height, transaction, message and event, all falling. */
export type SwapPage = {
  /** Number of legs of the filter on all pages. */
  readonly total: number
  readonly items: readonly StoredSwap[]
  readonly indexed: Indexed | undefined
}

export const periods = ['1d', '7d', '30d'] as const

/** Days of block time up to the newest block indexed. */
export type Period = (typeof periods)[number]

type TopSwapper = {
  /** From 1; equal volumes rank by sender. */
  readonly rank: number
  readonly sender: string
  readonly swaps: number
  /** The sum of the known volumes; `null` if none is known. */
  readonly volumeUsd: Decimal | undefined
}

/** Swaps of blocks with `from < time <= to`; no bounds while nothing is indexed. */
export type Leaderboard = {
  readonly period: Period
  readonly from: string | undefined
  readonly to: string | undefined
  readonly items: readonly TopSwapper[]
  readonly indexed: Indexed | undefined
}

/** The figures of a day, and the first height from which the index has no gap. */
export type StoredDay = DayFigures & {
  readonly first: number
  /** Whether the index reaches beyond the begin of the day. */
  readonly isWhole: boolean
}

/**
 * The database of the history, of one chain. Any number of processes read; one writes, by its
 * leadership. Every answer is of one moment, and every failure a `SwapError`: `BUSY` for another's
 * lock or leadership, `NOT_READY` for a database that is down, full or unsound, `OVERLOADED` for a
 * read that took too long, `INVALID_REQUEST` for one of another chain or a newer version.
 */
export type HistoryStore = {
  state(): Promise<HistoryState>
  figures(): Promise<HistoryFigures>
  /** The present leader, as far as known. */
  leader(): Promise<Leader | undefined>
  /** @throws SwapError `BUSY` that names the leader */
  lead(): Promise<Leadership>
  /**
   * Keeps the legs, quarantine, prices and counts of one or more blocks and marks their heights done: all or
   * nothing. A block that is done already changes nothing. Blocks may come in any order.
   *
   * @throws SwapError `BUSY` when the leadership is lost; `UPSTREAM_INVALID_DATA` when a block does
   * not link up with its neighbours; `NOT_READY` when another decoder made the rows.
   */
  commitBlocks(
    leadership: Leadership,
    blocks: readonly IndexedBlock[],
  ): Promise<readonly Committed[]>
  /** Heights within the range that are neither done nor pruned, ascending. */
  gaps(within: HeightRange): Promise<readonly HeightRange[]>
  /** Records that the nodes no longer have these heights. Done ones stay done. */
  notePruned(leadership: Leadership, range: HeightRange): Promise<void>
  /** Pruned heights become gaps again, for an archive node. */
  forgetPruned(leadership: Leadership): Promise<void>
  /** The stored prices of a height, if any: a rebuild uses them and no others. */
  prices(height: number): Promise<ReadonlyMap<Denom, Rational> | undefined>
  page(of: PageOf, window: Window): Promise<SwapPage>
  orders(of: OrdersFilter, window: Window): Promise<OrderPage>
  top(period: Period, limit: number): Promise<Leaderboard>
  /** The day up to a block time in milliseconds; `undefined` where the index ends long before it. */
  day(untilMs: number): Promise<StoredDay | undefined>
  quarantined(window: Window): Promise<QuarantinePage>
  /** The newest block at or below a height whose hash is stored, in upper case. */
  knownBlock(
    atMost: number,
  ): Promise<{ readonly height: number; readonly hash: string } | undefined>
  /**
   * Empties the store except its prices and records our decoder; prices too for another chain. `within`
   * are the heights that the rebuild has to index.
   */
  reindex(
    leadership: Leadership,
    how: { readonly prices: boolean; readonly within?: HeightRange },
  ): Promise<void>
  rebuild(): Promise<IndexRebuild>
  /** Whether the file was removed or replaced since it was opened: it has to be opened again. */
  isReplaced(): boolean
  close(): Promise<void>
}
