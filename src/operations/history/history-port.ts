import type { Json } from '../../engine/errors.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'

/** One leg of a transaction, as it was executed. */
export type ExecutedLeg = {
  readonly txHash: string
  readonly msgIndex: number
  readonly height: number
  /** Block time, RFC 3339 UTC. */
  readonly time: string
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

/** What the operation needs of an index: any number may read while one writes. */
export type HistoryPort = {
  /** Of addresses of the network. */
  readonly prefix: string
  /** Newest first. `page` counts from 1. */
  page(
    of: LegsFilter,
    window: { readonly page: number; readonly limit: number },
  ): Promise<{
    readonly total: number
    readonly items: readonly ExecutedLeg[]
    readonly indexed: IndexedBlock | undefined
  }>
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
