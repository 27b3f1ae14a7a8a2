import type { Json } from '../../engine/errors.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'
import type { Rational } from '../../engine/math/rational.js'

/** `arbitrage` when the input and the output are the same denom, else `swap`. */
export type SwapType = 'swap' | 'arbitrage'

/** An affiliate as the router had it registered at the height of the swap. */
export type SwapAffiliate = {
  readonly code: string
  /** Where its fees go. */
  readonly address: string
}

/** What a swap paid besides the pairs' own fees: atomics of the output denom. */
export type SwapFees = {
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
  /** Nothing when there is none, or when the printed code was not registered at that height. */
  readonly affiliate: SwapAffiliate | undefined
  readonly input: Coin
  /** Net of every fee: what the recipient got. */
  readonly output: Coin
  /** Denoms in the order of the way, the input first and the output last. */
  readonly path: readonly Denom[]
  /** One document a hop, as the answer shows it: kept as it is. */
  readonly hops: readonly Json[]
  readonly fees: SwapFees
  /** Dollars at the mid prices of that block, rounded down to 18 digits; nothing when unknown. */
  readonly volumeUsd: Decimal | undefined
}

/** A leg as it is kept: with its block's height and time (RFC 3339 UTC, as the chain wrote it). */
export type StoredSwap = IndexedSwap & { readonly height: number; readonly time: string }

/** Something of a block that could not be read as a swap: kept with its bytes, never dropped. */
export type Quarantined = {
  /** Position of the transaction in its block; -1 for what belongs to the block itself. */
  readonly txIndex: number
  /** Position of the event in the transaction's result; -1 for the transaction as a whole. */
  readonly eventIndex: number
  /** What was wrong with it, one sentence. */
  readonly reason: string
  /** As the node sent it. */
  readonly bytes: Uint8Array
}

/** A quarantined thing as it is kept. */
export type StoredQuarantined = Quarantined & { readonly height: number }

/** Newest first: by height, and within a block in the order in which they were found, both falling. */
export type QuarantinePage = {
  /** All that are kept. */
  readonly total: number
  readonly items: readonly StoredQuarantined[]
  readonly indexed: Indexed | undefined
}

/** What one block holds for the history. */
export type IndexedBlock = {
  readonly height: number
  /** RFC 3339 UTC, as the chain wrote it. */
  readonly time: string
  /** 64 hexadecimal digits each: neighbours in the store must link up. */
  readonly hash: string
  readonly parentHash: string
  readonly swaps: readonly IndexedSwap[]
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
  /** The decoder that made the rows; nothing while the store is empty. */
  readonly decoder: string | undefined
  /** False when another decoder than ours made the rows: they want `swap history --reindex`. */
  readonly current: boolean
  /** Heights that are done, ascending; neighbours are merged. */
  readonly done: readonly HeightRange[]
  /** Heights that the nodes no longer have, ascending; neighbours are merged. */
  readonly pruned: readonly HeightRange[]
  readonly indexed: Indexed | undefined
  /** Legs and quarantined things kept. */
  readonly swaps: number
  readonly quarantined: number
}

/** What is counted of a store, read without touching its rows. */
export type HistoryFigures = {
  readonly indexed: Indexed | undefined
  readonly swaps: number
  readonly quarantined: number
  /** Of whoever led last; 0 before anybody did. */
  readonly epoch: number
  /** The newest height that a leader published for its fleet, and how many heights are kept. */
  readonly published: { readonly height: number; readonly heights: number } | undefined
}

/** Who writes to a store. */
export type Leader = { readonly host: string; readonly pid: number }

/** The right to write to a store. At most one process has it; what another does with an old one fails. */
export type Leadership = {
  /** Counted up with every leader of this store: fences off the ones before. */
  readonly epoch: number
  /** Fires when the right is lost: another took it, or the database went away. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** What `commitBlock` did. `known`: the height was done before, and nothing changed. */
export type Committed =
  | { readonly known: true }
  | { readonly known: false; readonly swaps: number; readonly quarantined: number }

/** Which legs a page lists. An affiliate is given by its code or by its address. */
export type PageOf =
  | { readonly by: 'latest'; readonly type?: SwapType }
  | { readonly by: 'sender'; readonly sender: string }
  | { readonly by: 'affiliate'; readonly affiliate: string }
  | { readonly by: 'transaction'; readonly txHash: string }

/** `page` counts from 1; `limit` is from 1 to 100. */
export type Window = { readonly page: number; readonly limit: number }

/** Newest first: by height, transaction, message and event, all falling. */
export type SwapPage = {
  /** All legs that the mode lists, on every page. */
  readonly total: number
  readonly items: readonly StoredSwap[]
  readonly indexed: Indexed | undefined
}

export const periods = ['1d', '7d', '30d'] as const

/** Days of block time up to the newest block indexed. */
export type Period = (typeof periods)[number]

export type TopSwapper = {
  /** From 1; equal volumes rank by sender. */
  readonly rank: number
  readonly sender: string
  readonly swaps: number
  /** The sum of the known volumes; nothing when none is known. */
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

/**
 * The database of the history, of one chain. Any number of processes read; one writes, by its
 * leadership. Every answer is of one moment, and every failure a `SwapError`: `BUSY` for another's
 * lock or leadership, `NOT_READY` for a database that is down, full or unsound, `OVERLOADED` for a
 * read that took too long, `INVALID_REQUEST` for one of another chain or a newer version.
 */
export type HistoryStore = {
  state(): Promise<HistoryState>
  figures(): Promise<HistoryFigures>
  /** Who leads now, as far as is known. */
  leader(): Promise<Leader | undefined>
  /** @throws SwapError `BUSY`, naming who leads. */
  lead(): Promise<Leadership>
  /**
   * Keeps a block's legs, quarantine, prices and counts and marks its height done: all or nothing.
   * A block that is done already changes nothing. Blocks may come in any order.
   *
   * @throws SwapError `BUSY` when the leadership is lost; `UPSTREAM_INVALID_DATA` when the block does
   * not link up with its neighbours; `NOT_READY` when another decoder made the rows.
   */
  commitBlock(leadership: Leadership, block: IndexedBlock): Promise<Committed>
  /** The same for several blocks in one transaction, which is faster: for back-fill. */
  commitBlocks(
    leadership: Leadership,
    blocks: readonly IndexedBlock[],
  ): Promise<readonly Committed[]>
  /** Heights within the range that are neither done nor pruned, ascending. */
  gaps(within: HeightRange): Promise<readonly HeightRange[]>
  /** Writes down that the nodes no longer have these heights. Done ones stay done. */
  notePruned(leadership: Leadership, range: HeightRange): Promise<void>
  /** Pruned heights are gaps again: an archive node was found. */
  forgetPruned(leadership: Leadership): Promise<void>
  /** The prices kept for a height, if any were: a rebuild uses them and no others. */
  prices(height: number): Promise<ReadonlyMap<Denom, Rational> | undefined>
  page(of: PageOf, window: Window): Promise<SwapPage>
  top(period: Period, limit: number): Promise<Leaderboard>
  quarantined(window: Window): Promise<QuarantinePage>
  /** The newest block at or below a height whose hash is kept, in upper case. */
  knownBlock(
    atMost: number,
  ): Promise<{ readonly height: number; readonly hash: string } | undefined>
  /** Forgets all but the prices and starts again with our decoder; the prices as well for another chain. */
  reindex(leadership: Leadership, keeps: { readonly prices: boolean }): Promise<void>
  close(): Promise<void>
}
