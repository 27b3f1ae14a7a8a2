import type { SwapError } from '../../engine/errors.js'
import type { Coin, Denom, Token } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'
import type { OrderPlace } from '../../engine/orders/order-price.js'
import type { CoinDocument } from '../document-schema.js'
import type { DayFigures } from '../price/price-path.js'

/** Position of a row on the chain, unique within a list. */
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

/** One hop of a leg, as in the answer. */
export type ExecutedHop = {
  readonly address: string
  readonly input: CoinDocument
  readonly output: CoinDocument
  readonly fee: CoinDocument
  readonly unsold: CoinDocument
  readonly trades: number
}

/** One leg of a transaction, as it was executed. */
export type ExecutedLeg = RowPlace & {
  /** `arbitrage` when the input and the output are the same denom. */
  readonly type: 'swap' | 'arbitrage'
  /** The signing wallet. */
  readonly sender: string
  readonly recipient: string
  /** `undefined` without an affiliate, or if its code was not registered at that height. */
  readonly affiliate: { readonly code: string } | undefined
  readonly input: Coin
  /** Net of all fees: the recipient's amount. */
  readonly output: Coin
  /** Denoms from the input to the output. */
  readonly path: readonly Denom[]
  /** In order of execution. */
  readonly hops: readonly ExecutedHop[]
  /** Atomics of the output. The referral is part of the protocol fee, the affiliate fee is not. */
  readonly fees: {
    readonly protocol: bigint
    readonly referral: bigint
    readonly affiliate: bigint
  }
  /** Dollars at the mid prices of that block; `undefined` if unknown. */
  readonly volumeUsd: Decimal | undefined
}

/** The newest block of an index. */
export type NewestBlock = { readonly height: number; readonly time: string }

/**
 * The newest indexed block. `missing`: blocks before it, from the first one that is indexed or that no node gave, that
 * are not indexed.
 */
export type IndexedTo = NewestBlock & { readonly missing: number }

/** A page of an index; `page` counts from 1. Newest first: by height, transaction, message and event, all falling. */
export type PageWindow = { readonly page: number; readonly limit: number }
export type PageOf<Row> = {
  readonly total: number
  readonly items: readonly Row[]
  readonly indexed: IndexedTo | undefined
}

export type LegsFilter =
  | { readonly by: 'latest'; readonly type?: ExecutedLeg['type'] }
  | { readonly by: 'sender'; readonly sender: string }
  | { readonly by: 'affiliate'; readonly affiliate: string }
  | { readonly by: 'transaction'; readonly txHash: string }

/** An action of an order message: an entry that claims and then changes an order has two. */
export type OrderAction = 'place' | 'raise' | 'lower' | 'cancel' | 'claim'

/** A change of a resting order, as executed by a pair. */
export type OrderChange = RowPlace &
  OrderPlace & {
    readonly pair: string
    readonly owner: string
    readonly action: OrderAction
    readonly offerDenom: Denom
    readonly receiveDenom: Denom
    /** Atomics of the offered denom: offered and taken at once, added to the resting amount, withdrawn from it. */
    readonly sold: bigint
    readonly added: bigint
    readonly returned: bigint
    /** Atomics of the other denom: received by the owner, and the deducted fee. */
    readonly received: bigint
    readonly fee: bigint
  }

/** A range of heights, both included. */
export type Heights = { readonly from: number; readonly to: number }

/** Filter of order changes. */
export type OrdersFilter =
  | { readonly by: 'latest' }
  | { readonly by: 'owner'; readonly owner: string }
  | { readonly by: 'pair'; readonly pair: string }
  | { readonly by: 'transaction'; readonly txHash: string }

/** `without`: indexed blocks whose orders an earlier version of the program did not index, ascending. */
export type OrderPage = PageOf<OrderChange> & { readonly without: readonly Heights[] }

/** How often blocks were removed from the index, and blocks left of its last rebuild. */
export type IndexRebuild = { readonly count: number; readonly left: number }

/** Days of block time up to the newest block indexed. */
export type Period = '1d' | '7d' | '30d'

/** Swaps of blocks with `from < time <= to`, RFC 3339; no bounds while nothing is indexed. */
export type TopSwappers = {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly items: readonly {
    /** Rank from 1; ties are ordered by sender. */
    readonly rank: number
    readonly sender: string
    readonly swaps: number
    /** The sum of the known volumes; `undefined` if none is known. */
    readonly volumeUsd: Decimal | undefined
  }[]
  /** As of a page. */
  readonly missing: number
}

/** Read access to an index. Many readers may work while one process writes. */
export type HistoryPort = {
  /** Address prefix of the network. */
  readonly prefix: string
  page(of: LegsFilter, window: PageWindow): Promise<PageOf<ExecutedLeg>>
  orders(of: OrdersFilter, window: PageWindow): Promise<OrderPage>
  /** Pages with an equal count belong to the same index. */
  rebuild(): Promise<IndexRebuild>
  /** Largest volume first. */
  top(period: Period, window: PageWindow): Promise<TopSwappers>
}

export type IndexProgress = {
  /** Blocks written by this run. */
  readonly done: number
  readonly left: number
  /** Blocks a second. */
  readonly rate: number
  /** Estimated milliseconds left; `undefined` before the first estimate. */
  readonly leftMs: number | undefined
  readonly swaps: number
  readonly quarantined: number
}

/** Result of an indexing run. */
export type IndexRun = IndexProgress & {
  /** Blocks that no node that answers gives, and the nodes that did not answer then. */
  readonly pruned: readonly Heights[]
  readonly silent: readonly string[]
  /** Blocks that were removed from the index because they differed from the chain. */
  readonly forgotten: number
  /** Blocks after the last one that one node alone names; they are not indexed. */
  readonly unshared: number
  /** Blocks of the index after the newest one that any node names: they are behind, or the chain was reset. */
  readonly beyond: number
  /** Whether nothing else is missing. */
  readonly complete: boolean
  readonly ms: number
}

export type IndexOptions = {
  /** First block to index; by default the configured one. */
  readonly from: number | undefined
  /** Delete the index first. */
  readonly reindex: boolean
  /** Ends the run; written blocks are kept. */
  readonly signal: AbortSignal
  progress(progress: IndexProgress): void
  failed(error: unknown): void
}

/** Options of a short run. */
export type ShortIndexOptions = {
  readonly most: number
  readonly heights: readonly number[]
  readonly signal: AbortSignal
}

/** The blocks of the chain before the first one indexed, without pruned ones, and after the newest one. */
export type LeftOut = { readonly earlier: number; readonly later: number } & Pick<
  IndexRun,
  'beyond'
>

/** An indexer that stays open between runs. */
export type Indexer = {
  /** Indexes up to the newest block at the start of the run. @throws SwapError BUSY */
  run(options: IndexOptions): Promise<IndexRun>
  /**
   * Indexes the missing blocks if they are at most `most`, else the blocks of `heights`. The signal ends it;
   * written blocks are kept. @throws SwapError BUSY
   */
  runShort(options: ShortIndexOptions): Promise<LeftOut>
  close(): void
}

/** State of an index. */
export type IndexStatus = {
  readonly indexed: NewestBlock | undefined
  readonly legs: number
  /** Events of the router that could not be decoded as swaps. */
  readonly quarantined: number
  /** Blocks that no node that answered gave. */
  readonly pruned: readonly Heights[]
  /** Indexed blocks without orders, because an earlier version indexed them. */
  readonly withoutOrders: readonly Heights[]
  /** Blocks still to be indexed between the first and the last one of the index. */
  readonly missing: number
  /** Whether the rows were written by this version's rules; otherwise a rebuild is needed. */
  readonly current: boolean
}

/** A stored event of the router that could not be decoded as a swap. */
export type QuarantinedEvent = {
  readonly height: number
  /** Index of its transaction in the block; -1 for an event of the block itself. */
  readonly txIndex: number
  /** Its index in the transaction; -1 for the transaction as a whole. */
  readonly eventIndex: number
  readonly reason: string
  /** The original event as sent by the node. */
  readonly bytes: Uint8Array
}

/** The history for a command, which may read and fill the index. */
export type HistoryAccess = HistoryPort & {
  /** The token of a denom, including denoms without a market. */
  token(denom: Denom): Token
  /** `undefined` without an index. */
  status(): Promise<IndexStatus | undefined>
  /** Events that could not be decoded as swaps. */
  quarantined(window: PageWindow): Promise<PageOf<QuarantinedEvent>>
  /**
   * The 24 hours up to a block time (RFC 3339) or, where the index ends earlier, up to an hour before; `undefined` if
   * it lacks some of their blocks. Opens the chain only if the index is younger than a day, to check whether the router is too.
   */
  day(time: string): Promise<DayFigures | undefined>
  /** Why the chain differs from the indexed one; `undefined` if it does not, or no node responds. */
  mismatch(): Promise<SwapError | undefined>
  /** Opens the chain for indexing. */
  indexer(): Promise<Indexer>
  close(): Promise<void>
}
