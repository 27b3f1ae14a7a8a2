import type { Denom } from '../../engine/market/token.js'
import type { Rational } from '../../engine/math/rational.js'
import type {
  ExecutedLeg,
  Heights,
  IndexRebuild,
  LegsFilter,
  NewestBlock,
  OrderChange,
  OrdersFilter,
  PageOf,
  PageWindow,
  Period,
  QuarantinedEvent,
  TopSwappers,
} from '../../operations/history/history-port.js'
import type { DayFigures } from '../../operations/price/price-path.js'

/** An affiliate as registered with the router at the height of the swap. */
export type SwapAffiliate = {
  readonly code: string
  /** The address that receives its fees. */
  readonly address: string
}

/** One swap that went through the router, with its affiliate if its code was registered. */
export type StoredSwap = ExecutedLeg & { readonly affiliate: SwapAffiliate | undefined }

/** A swap without its block's height and time. */
export type IndexedSwap = Omit<StoredSwap, 'height' | 'time'>

/** A change of a resting order, without its block's height and time. */
export type IndexedOrder = Omit<OrderChange, 'height' | 'time'>

/** `without`: done heights whose orders an earlier version of the program did not index, ascending. */
export type OrderPage = PageOf<OrderChange> & { readonly without: readonly Heights[] }

/** An event that could not be read as a swap or an order: stored with its bytes, never dropped. */
export type Quarantined = Omit<QuarantinedEvent, 'height'>

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

export type HistoryState = {
  readonly chainId: string
  /** The decoder that made the rows; `undefined` while the store is empty. */
  readonly decoder: string | undefined
  /** False if another decoder made the rows: `swap history --reindex` rebuilds them. */
  readonly current: boolean
  /** Heights that are done, ascending; neighbours are merged. */
  readonly done: readonly Heights[]
  /** Heights that the nodes no longer have, ascending; neighbours are merged. */
  readonly pruned: readonly Heights[]
  readonly indexed: NewestBlock | undefined
  /** Done heights without the changes of orders: an earlier version of the program indexed them. */
  readonly withoutOrders: readonly Heights[]
  /** Number of stored legs and of quarantined events. */
  readonly swaps: number
  readonly quarantined: number
}

/** Figures of a store, from its counters. */
export type HistoryFigures = {
  readonly indexed: NewestBlock | undefined
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
  gaps(within: Heights): Promise<readonly Heights[]>
  /** Records that the nodes no longer have these heights. Done ones stay done. */
  notePruned(leadership: Leadership, range: Heights): Promise<void>
  /** Pruned heights become gaps again, for an archive node. */
  forgetPruned(leadership: Leadership): Promise<void>
  /** The stored prices of a height, if any: a rebuild uses them and no others. */
  prices(height: number): Promise<ReadonlyMap<Denom, Rational> | undefined>
  page(of: LegsFilter, window: PageWindow): Promise<PageOf<StoredSwap>>
  orders(of: OrdersFilter, window: PageWindow): Promise<OrderPage>
  top(period: Period, limit: number): Promise<TopSwappers>
  /** The day up to a block time in milliseconds; `undefined` where the index ends long before it. */
  day(untilMs: number): Promise<StoredDay | undefined>
  quarantined(window: PageWindow): Promise<PageOf<QuarantinedEvent>>
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
    how: { readonly prices: boolean; readonly within?: Heights },
  ): Promise<void>
  rebuild(): Promise<IndexRebuild>
  /** Whether the file was removed or replaced since it was opened: it has to be opened again. */
  isReplaced(): boolean
  close(): Promise<void>
}
