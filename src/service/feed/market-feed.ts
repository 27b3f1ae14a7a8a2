import { createHash } from 'node:crypto'
import type { Market } from '../../engine/market/market.js'
import { encodeSnapshot } from '../../engine/snapshot/encode.js'
import type { MarketView, OperationContext } from '../../operations/context.js'

/** A digest of a market's document: equal in all processes that serve the same market. */
export const marketDigest = (market: Market): string =>
  createHash('sha256')
    .update(JSON.stringify(encodeSnapshot(market, { isCompact: true })))
    .digest('base64url')

/** The immutable market of one height while it is served. */
export type ServedMarket = {
  readonly view: MarketView
  readonly height: number
  /** Digest of the market's document. */
  readonly digest: string
  /** Context of the serving thread: expensive requests throw `NeedsWorker`. */
  readonly inline: OperationContext
  /** Context without that limit. */
  readonly patient: OperationContext
}

/**
 * Why the service is not ready. `stale`: no new height came for too long; `halted`: nor was there
 * one, as its nodes say; `rpc_disagreement`: its nodes do not say the same of the market;
 * `too_few_books`: too many pairs of the market cannot be read.
 */
export type UnreadyReason =
  | 'no_snapshot'
  | 'stale'
  | 'halted'
  | 'rpc_disagreement'
  | 'too_few_books'
  | 'height_went_back'

/** So many pairs of all could be read; those that the chain itself has closed are not counted. */
export type Shortage = { readonly read: number; readonly of: number }

/** Source of the served markets: one immutable market per height. */
export type MarketFeed = {
  /** The newest market, or `undefined` until the first one has been read. */
  current(): ServedMarket | undefined
  /** Milliseconds of a monotonic clock since a new height last arrived; 0 for a saved market. */
  age(): number
  /** Milliseconds from which on nothing is quoted any more. */
  readonly maxAge: number
  /** The height that the source was last seen at, whether it is served or not. */
  nodeHeight(): number | undefined
  /** What the nodes disagree on; while they do, nothing is quoted. */
  disputed(): string | undefined
  /** How many pairs could be read, when they are too few of all: then nothing is quoted. */
  shortage(): Shortage | undefined
  /** Reasons not to quote; empty when the feed is ready. */
  unready(): readonly UnreadyReason[]
  /**
   * Calls back for every new height, and with the served one where nothing is quoted of it any more, or again.
   *
   * @returns a function that ends it
   */
  subscribe(listener: (served: ServedMarket) => void): () => void
  close(): Promise<void>
}

/** Makes a market ready to be served. */
export function servedMarket(view: MarketView, digest = marketDigest(view.market)): ServedMarket {
  const answer = () => Promise.resolve(view)
  return {
    view,
    height: view.market.height,
    digest,
    inline: { openMarket: answer, inline: true },
    patient: { openMarket: answer },
  }
}

/** Serves a saved market, which never becomes stale. */
export function fixedFeed(view: MarketView): MarketFeed {
  const served = servedMarket(view)
  return {
    current: () => served,
    age: () => 0,
    maxAge: Number.POSITIVE_INFINITY,
    nodeHeight: () => served.height,
    disputed: () => undefined,
    shortage: () => undefined,
    unready: () => [],
    subscribe: () => () => {},
    close: () => Promise.resolve(),
  }
}

/**
 * Role of a process in a fleet: it reads the nodes and publishes markets, follows what another
 * process publishes, or reads the nodes for itself, with the reason.
 */
export type FleetRole =
  | { readonly is: 'leads' }
  | { readonly is: 'follows' }
  | { readonly is: 'alone'; readonly reason: string }
