import type { Market } from '../../engine/market/market.js'
import type { PairState } from '../../engine/market/pair.js'
import { encodeSnapshot } from '../../engine/snapshot/encode.js'
import type { MarketView, OperationContext } from '../../operations/context.js'
import { sha256 } from '../../platform/encoding.js'

/** Documents of pairs, most of which are unchanged by a block. */
const encoded = new WeakMap<PairState, object>()

/** A digest of a market's document: equal in all processes that serve the same market. */
export const marketDigest = (market: Market): string =>
  sha256(JSON.stringify(encodeSnapshot(market, { isCompact: true, encoded }))).toString('base64url')

/** The immutable market of one height with its serving contexts. */
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
 * Why the service is not ready. `no_snapshot`: no market has been read yet; `stale`: no new height has arrived for
 * too long; `halted`: none for longer, though the nodes answer; `rpc_disagreement`: the nodes differ about the
 * market; `too_few_books`: too many pairs are unreadable; `height_went_back`: the node is below the served height.
 */
export type UnreadyReason =
  | 'no_snapshot'
  | 'stale'
  | 'halted'
  | 'rpc_disagreement'
  | 'too_few_books'
  | 'height_went_back'

/** One of several nodes, as of the last poll; the fault of its last request, as a predicate. */
export type NodeState = {
  readonly node: string
  readonly height: number | undefined
  readonly fault: string | undefined
}

/** Numbers of readable pairs and of all pairs, without those that the chain has closed. */
export type Shortage = { readonly read: number; readonly of: number }

/** Source of the served markets: one immutable market per height. */
export type MarketFeed = {
  /** The newest market, or `undefined` until the first one has been read. */
  current(): ServedMarket | undefined
  /**
   * Milliseconds since the reading of a market began, by default of the newest one, by this process or by the leader of
   * its fleet, on a monotonic clock; before the first one, since the start; 0 for a saved market.
   */
  age(of?: ServedMarket): number
  /** Age in milliseconds above which quotes are refused. */
  readonly maxAge: number
  /** The last height reported by the source, served or not. */
  nodeHeight(): number | undefined
  /** What the nodes disagree on; quotes are refused meanwhile. */
  disputed(): string | undefined
  /** The readable pairs, if too few; quotes are refused meanwhile. */
  shortage(): Shortage | undefined
  /** Reasons not to quote; empty when the feed is ready. */
  unready(): readonly UnreadyReason[]
  /**
   * Calls back for every new height, and when the served one stops or starts being quoted.
   *
   * @returns a function that unsubscribes
   */
  subscribe(listener: (served: ServedMarket) => void): () => void
  close(): Promise<void>
}

/** Prepares a market for serving. */
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
 * Role of a process in a fleet: it reads the nodes and publishes markets (leader), uses the published ones
 * (follower), or reads the nodes for itself, with the reason.
 */
export type FleetRole =
  | { readonly is: 'leads' }
  | { readonly is: 'follows' }
  | { readonly is: 'alone'; readonly reason: string }
