import type { Worker } from 'node:worker_threads'
import type { FleetRole } from '../service/feed/fleet-role.js'
import type { MarketFeed } from '../service/feed/market-feed.js'
import { type Polling, pollingFeed } from '../service/feed/polling-feed.js'
import type { WatchTarget } from './feed/watch-worker.js'
import { watchedSource } from './feed/watched-source.js'

/** Interval of height polls, in milliseconds: several per block, within these bounds. */
const LEAST_MS = 20
const MOST_MS = 1_000
const LOOKS_A_BLOCK = 10

/** Blocks after which a market is too old, or the chain counts as halted; with a minimum in milliseconds. */
const LEAST_AGE_MS = 10_000
const OLD_BLOCKS = 3
const HALTED_BLOCKS = 5

/** Below this share of readable pairs, in bps, the best path is likely among the unreadable ones. */
const LEAST_SHARE = 8_000

/** Listeners and limits of a feed. */
export type FeedListeners = Pick<Polling, 'failed' | 'arrived' | 'wentBack' | 'now'> & {
  readonly maxAge?: number | undefined
  /** Minimum share of readable pairs, in bps. */
  readonly leastShare?: number | undefined
  /** Called when the role in a fleet changes. */
  readonly fleet?: { readonly roleChanged: (role: FleetRole) => void }
}

/**
 * A feed of a network, read from its nodes block by block.
 *
 * @param spawn starts the thread that reads
 */
export function networkFeed(
  target: WatchTarget,
  listeners: FeedListeners,
  spawn: () => Worker,
): MarketFeed {
  const { blockTimeMs } = target
  return pollingFeed(watchedSource(spawn, listeners.fleet?.roleChanged), {
    ...listeners,
    leastShare: listeners.leastShare ?? LEAST_SHARE,
    every: Math.min(MOST_MS, Math.max(LEAST_MS, blockTimeMs / LOOKS_A_BLOCK)),
    everyHinted: Math.max(LEAST_MS, blockTimeMs),
    maxAge: listeners.maxAge ?? Math.max(LEAST_AGE_MS, OLD_BLOCKS * blockTimeMs),
    haltedAfter: Math.max(LEAST_AGE_MS, HALTED_BLOCKS * blockTimeMs),
  })
}
