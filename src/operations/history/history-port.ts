import type { Json, SwapError } from '../../engine/errors.js'
import type { Coin, Denom, Token } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'
import type { OrderPlace } from '../../engine/orders/order-price.js'
import type { DayFigures } from '../price/price-path.js'

/** Where on the chain a row is from: no two rows of a list have the same height and indexes. */
export type RowPlace = {
  readonly txHash: string
  readonly height: number
  /** Position of the transaction in its block, of the message in it, of the event in its result. */
  readonly txIndex: number
  readonly msgIndex: number
  readonly eventIndex: number
  /** Block time, RFC 3339 UTC. */
  readonly time: string
}

/** One leg of a transaction, as it was executed. */
export type ExecutedLeg = RowPlace & {
  /** `arbitrage` when the input and the output are the same denom. */
  readonly type: 'swap' | 'arbitrage'
  /** The wallet that signed. */
  readonly sender: string
  readonly recipient: string
  /** `undefined` without an affiliate, or if its code was not registered at that height. */
  readonly affiliate: { readonly code: string } | undefined
  readonly input: Coin
  /** Net of every fee: the amount the recipient got. */
  readonly output: Coin
  /** Denoms from the input to the output. */
  readonly path: readonly Denom[]
  /** One document per hop, as the answer shows it. */
  readonly hops: readonly Json[]
  /** Atomics of the output. The referral is part of the protocol fee, the affiliate fee is not. */
  readonly fees: {
    readonly protocol: bigint
    readonly referral: bigint
    readonly affiliate: bigint
  }
  /** Dollars at the mid prices of that block; `undefined` where no price was known. */
  readonly volumeUsd: Decimal | undefined
}

/** The newest block of an index. */
export type NewestBlock = { readonly height: number; readonly time: string }

/** A page of an index; `page` counts from 1. Newest first: by height, transaction, message and event, all falling. */
export type PageWindow = { readonly page: number; readonly limit: number }
export type PageOf<Row> = {
  readonly total: number
  readonly items: readonly Row[]
  readonly indexed: NewestBlock | undefined
}

/** Which legs are asked for. */
export type LegsFilter =
  | { readonly by: 'latest'; readonly type?: ExecutedLeg['type'] }
  | { readonly by: 'sender'; readonly sender: string }
  | { readonly by: 'affiliate'; readonly affiliate: string }
  | { readonly by: 'transaction'; readonly txHash: string }

/** What a part of an order message did: an entry that claims and then changes the order did two things. */
export type OrderAction = 'place' | 'raise' | 'lower' | 'cancel' | 'claim'

/** A change of a resting order, as a pair executed it. */
export type OrderChange = RowPlace &
  OrderPlace & {
    readonly pair: string
    readonly owner: string
    readonly action: OrderAction
    readonly offerDenom: Denom
    readonly receiveDenom: Denom
    /** Atomics of the offered denom: given to the book at once, added to what rests, taken back from it. */
    readonly sold: bigint
    readonly added: bigint
    readonly returned: bigint
    /** Atomics of the other denom: what the owner got, and the fee that was deducted from it. */
    readonly received: bigint
    readonly fee: bigint
  }

/** Heights from one to the other, both included. */
export type Heights = { readonly from: number; readonly to: number }

/** Which changes of orders are asked for. */
export type OrdersFilter =
  | { readonly by: 'latest' }
  | { readonly by: 'owner'; readonly owner: string }
  | { readonly by: 'pair'; readonly pair: string }
  | { readonly by: 'transaction'; readonly txHash: string }

/** How often an index was deleted to be rebuilt, and the blocks that the last rebuild has still to index. */
export type IndexRebuild = { readonly count: number; readonly left: number }

/** Days of block time up to the newest block indexed. */
export type Period = '1d' | '7d' | '30d'

/** Swaps of blocks with `from < time <= to`, RFC 3339; no bounds while nothing is indexed. */
export type TopSwappers = {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly items: readonly {
    /** From 1; equal volumes rank by sender. */
    readonly rank: number
    readonly sender: string
    readonly swaps: number
    /** The sum of the known volumes; `undefined` if none is known. */
    readonly volumeUsd: Decimal | undefined
  }[]
}

/** What the operation needs of an index: any number may read while one writes. */
export type HistoryPort = {
  /** Of addresses of the network. */
  readonly prefix: string
  page(of: LegsFilter, window: PageWindow): Promise<PageOf<ExecutedLeg>>
  /** `without`: indexed blocks whose orders are not in the index, ascending. */
  orders(
    of: OrdersFilter,
    window: PageWindow,
  ): Promise<PageOf<OrderChange> & { readonly without: readonly Heights[] }>
  /** Pages read one after another are of one index while the count is the same. */
  rebuild(): Promise<IndexRebuild>
  /** Largest volume first. */
  top(period: Period, limit: number): Promise<TopSwappers>
}

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
  readonly indexed: NewestBlock | undefined
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
  /** What could not be read as swaps. */
  quarantined(window: PageWindow): Promise<PageOf<QuarantinedEvent>>
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
