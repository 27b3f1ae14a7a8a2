import type { ChainBlock } from '../../chain/trades/block.js'
import type { Denom } from '../../engine/market/token.js'
import type { Rational } from '../../engine/math/rational.js'
import type {
  ExecutedLeg,
  Heights,
  HistoryPort,
  IndexStatus,
  LegsFilter,
  NewestBlock,
  OrderChange,
  PageOf,
  PageWindow,
  QuarantinedEvent,
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

export type IndexedSwap = Omit<StoredSwap, 'height' | 'time'>

/** A change of a resting order, without its block's height and time. */
export type IndexedOrder = Omit<OrderChange, 'height' | 'time'>

/** An event that could not be read as a swap or an order: stored with its bytes, never dropped. */
export type Quarantined = Omit<QuarantinedEvent, 'height'>

/** The content of one block for the history. Adjacent blocks in the store must link. */
export type IndexedBlock = BlockId &
  Pick<ChainBlock, 'parentHash' | 'parentResults'> & {
    readonly swaps: readonly IndexedSwap[]
    readonly orders: readonly IndexedOrder[]
    readonly quarantined: readonly Quarantined[]
    /**
     * Mid prices from which volumes are computed, in dollars per atomic. The first stored prices of a height are kept by a
     * rebuild of the same chain, so that it computes the same volumes.
     */
    readonly prices: ReadonlyMap<Denom, Rational>
  }

export type HistoryState = Omit<IndexStatus, 'legs' | 'missing'> & {
  /** The decoder that wrote the rows; `undefined` if the store is empty. */
  readonly decoder: string | undefined
  /** Heights that are done; these and `pruned` are ascending merged ranges. */
  readonly done: readonly Heights[]
  /** Number of stored legs. */
  readonly swaps: number
}

/** A block by its hash, in upper case. */
export type BlockId = Pick<ChainBlock, 'height' | 'time' | 'hash' | 'results'>

/** A block whose hash is stored, in upper case. */
export type KnownBlock = Pick<ChainBlock, 'height' | 'hash' | 'results'> & {
  /** Whether the next block is not indexed. */
  readonly isLast: boolean
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

/** The right to write to a store. At most one process has it; writes of earlier holders fail. */
export type Leadership = {
  /** Incremented by every leader: rejects writes of earlier ones. */
  readonly epoch: number
  /** Aborted when the right is lost: another process took it, or the database is unavailable. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Totals of the committed blocks whose heights were not done before; the others change nothing. */
export type CommitTotals = {
  readonly blocks: number
  readonly swaps: number
  readonly quarantined: number
}

/** The figures of a day, and the first height from which the index has no gap. */
export type StoredDay = DayFigures & {
  readonly first: number
  /** Whether the index begins before the day. */
  readonly isWhole: boolean
}

/**
 * The history of one chain in a database. Any number of processes read; the leader writes. Every answer is one
 * consistent snapshot. Every failure is a `SwapError`: `BUSY` for a lock or leadership of another process, `NOT_READY`
 * for a database that is unavailable, full or corrupt, `OVERLOADED` for a read that took too long, `INVALID_REQUEST` for
 * a database of another chain or a newer version.
 */
export type HistoryStore = Pick<HistoryPort, 'orders' | 'top' | 'rebuild'> & {
  state(): Promise<HistoryState>
  figures(): Promise<HistoryFigures>
  /** The current leader, if known. */
  leader(): Promise<Leader | undefined>
  /** @throws SwapError `BUSY` that names the leader */
  lead(): Promise<Leadership>
  /**
   * Stores the legs, quarantined events, prices and counters of blocks and marks their heights done, atomically. Blocks
   * that are done already are skipped. Any order is allowed.
   *
   * @throws SwapError `BUSY` if the leadership is lost; `UPSTREAM_INVALID_DATA` if a block does
   * not link to its neighbours; `NOT_READY` if another decoder wrote the rows
   */
  commitBlocks(leadership: Leadership, blocks: readonly IndexedBlock[]): Promise<CommitTotals>
  /** Heights within the range that are neither done nor pruned, ascending. */
  gaps(within: Heights): Promise<readonly Heights[]>
  /** Records that the nodes no longer have these heights. Done heights remain done. */
  notePruned(leadership: Leadership, range: Heights): Promise<void>
  /** Pruned heights become gaps again, for an archive node. */
  forgetPruned(leadership: Leadership): Promise<void>
  /** The stored prices of a height, if any: a rebuild uses them and no others. */
  prices(height: number): Promise<ReadonlyMap<Denom, Rational> | undefined>
  page(of: LegsFilter, window: PageWindow): Promise<PageOf<StoredSwap>>
  /** The 24 hours up to a block time in milliseconds; `undefined` where the index ends more than an hour before it. */
  day(untilMs: number): Promise<StoredDay | undefined>
  quarantined(window: PageWindow): Promise<PageOf<QuarantinedEvent>>
  /** The newest block at or below a height whose hash is stored. */
  knownBlock(atMost: number): Promise<KnownBlock | undefined>
  /**
   * Removes the blocks after `base`, which is indexed, up to `to`, the last block of a range of indexed ones, with all
   * that was stored of them. Counts as a rebuild.
   */
  forget(leadership: Leadership, base: BlockId, to: number): Promise<void>
  /**
   * Empties the store and records the current decoder. Prices are kept, except for another chain. `within` are the
   * heights that the rebuild has to index.
   */
  reindex(
    leadership: Leadership,
    how: { readonly prices: boolean; readonly within?: Heights },
  ): Promise<void>
  /** The first heights within a range that have stored swaps or changes of orders, ascending. */
  holding(within: Heights): Promise<readonly number[]>
  /** Whether the file was removed or replaced since it was opened, and has to be opened again. */
  isReplaced(): boolean
  close(): Promise<void>
}
