import type { SwapError } from '../../engine/errors.js'
import type { Denom, Token } from '../../engine/market/token.js'
import type { DayFigures } from '../price/day-figures.js'
import type { Heights, HistoryPort, IndexedBlock } from './history-port.js'

/** Progress of an indexing run. */
export type IndexProgress = {
  /** Blocks that this run has written. */
  readonly done: number
  readonly left: number
  /** Blocks a second. */
  readonly rate: number
  /** Milliseconds that are left at this rate; `undefined` before there is one. */
  readonly leftMs: number | undefined
  readonly swaps: number
  readonly quarantined: number
}

/** Result of an indexing run. */
export type IndexRun = IndexProgress & {
  /** Blocks that no node has any more. */
  readonly pruned: readonly Heights[]
  /** Whether nothing is missing but those. */
  readonly complete: boolean
  readonly ms: number
}

/** What to index. */
export type IndexOptions = {
  /** The first block to index, in place of the configured one. */
  readonly from: number | undefined
  /** Delete the index first. */
  readonly reindex: boolean
  /** Ends the run; what is written stays. */
  readonly signal: AbortSignal
  progress(progress: IndexProgress): void
  failed(error: unknown): void
}

/** What a short run indexes. */
export type ShortIndexOptions = {
  readonly most: number
  readonly heights: readonly number[]
  readonly signal: AbortSignal
}

/** An indexer that stays open between runs. */
export type Indexer = {
  /** Indexes everything up to the newest block at the start. @throws SwapError BUSY */
  run(options: IndexOptions): Promise<IndexRun>
  /**
   * Indexes what is missing if it is at most `most` blocks, else the blocks of `heights`. The signal ends
   * it; what is written stays. @throws SwapError BUSY
   */
  runShort(options: ShortIndexOptions): Promise<void>
  close(): void
}

/** State of an index. */
export type IndexStatus = {
  readonly indexed: IndexedBlock | undefined
  readonly legs: number
  /** Events of the router that could not be read as swaps. */
  readonly quarantined: number
  /** Blocks that no node had any more. */
  readonly pruned: readonly Heights[]
  /** Indexed blocks whose orders are not in the index, because an earlier version indexed them. */
  readonly withoutOrders: readonly Heights[]
  /** Blocks between the first and the last of the index that are still to be indexed. */
  readonly missing: number
  /** Whether this version's rules made the rows; otherwise they need a rebuild. */
  readonly current: boolean
}

/** An event of the router that could not be read as a swap, as it is kept. */
export type QuarantinedEvent = {
  readonly height: number
  /** Its transaction in the block; -1 for what belongs to the block itself. */
  readonly txIndex: number
  /** Its place in the transaction; -1 for the transaction as a whole. */
  readonly eventIndex: number
  readonly reason: string
  /** As the node sent it. */
  readonly bytes: Uint8Array
}

/** The history for a command, which may read and fill the index. */
export type HistoryAccess = HistoryPort & {
  /** The token of a denom, including denoms without a market. */
  token(denom: Denom): Token
  /** `undefined` without an index. */
  status(): Promise<IndexStatus | undefined>
  /** What could not be read as swaps, newest first. `page` counts from 1. */
  quarantined(window: { readonly page: number; readonly limit: number }): Promise<{
    readonly total: number
    readonly items: readonly QuarantinedEvent[]
    readonly indexed: IndexedBlock | undefined
  }>
  /**
   * The 24 hours up to a block time, RFC 3339; `undefined` where the index does not hold all their blocks. Opens the chain
   * only where the index is younger than a day, to learn whether the router is too.
   */
  day(time: string): Promise<DayFigures | undefined>
  /** Why the chain is not the one that was indexed; `undefined` where it is, or cannot be asked. */
  mismatch(): Promise<SwapError | undefined>
  /** Opens the chain to be indexed. */
  indexer(): Promise<Indexer>
  close(): Promise<void>
}
