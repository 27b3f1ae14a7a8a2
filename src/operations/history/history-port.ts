import type { Json } from '../../engine/errors.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'
import type { OrderPlace } from '../../engine/orders/order-price.js'

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
  readonly type: 'swap' | 'arbitrage'
  readonly sender: string
  readonly recipient: string
  readonly affiliate: { readonly code: string } | undefined
  readonly input: Coin
  readonly output: Coin
  readonly path: readonly Denom[]
  readonly hops: readonly Json[]
  /** Atomics of the output. */
  readonly fees: {
    readonly protocol: bigint
    readonly referral: bigint
    readonly affiliate: bigint
  }
  /** Dollars; `undefined` where no price was known. */
  readonly volumeUsd: Decimal | undefined
}

/** The newest block of an index. */
export type IndexedBlock = { readonly height: number; readonly time: string }

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

/** What the operation needs of an index: any number may read while one writes. */
export type HistoryPort = {
  /** Of addresses of the network. */
  readonly prefix: string
  /** Newest first: by height, transaction, message and event, all falling. `page` counts from 1. */
  page(
    of: LegsFilter,
    window: { readonly page: number; readonly limit: number },
  ): Promise<{
    readonly total: number
    readonly items: readonly ExecutedLeg[]
    readonly indexed: IndexedBlock | undefined
  }>
  /** Newest first: by height, transaction, message and event, all falling. `page` counts from 1. */
  orders(
    of: OrdersFilter,
    window: { readonly page: number; readonly limit: number },
  ): Promise<{
    readonly total: number
    readonly items: readonly OrderChange[]
    readonly indexed: IndexedBlock | undefined
    /** Indexed blocks whose orders are not in the index, ascending. */
    readonly without: readonly Heights[]
  }>
  /** Pages read one after another are of one index while the count is the same. */
  rebuild(): Promise<IndexRebuild>
  /** Largest volume first. */
  top(
    period: '1d' | '7d' | '30d',
    limit: number,
  ): Promise<{
    readonly from: string | undefined
    readonly to: string | undefined
    readonly items: readonly {
      readonly rank: number
      readonly sender: string
      readonly swaps: number
      readonly volumeUsd: Decimal | undefined
    }[]
  }>
}
