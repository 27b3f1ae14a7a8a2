import type { Worker } from 'node:worker_threads'
import type { FleetRole } from '../service/feed/fleet-role.js'
import type { MarketFeed } from '../service/feed/market-feed.js'
import { type Polling, pollingFeed } from '../service/feed/polling-feed.js'
import type { Subject } from './feed/watch-worker.js'
import { watchedSource } from './feed/watched-source.js'

/** Between these the nodes are asked for their height, in milliseconds: several times a block. */
const LEAST_MS = 20
const MOST_MS = 1_000
const LOOKS_A_BLOCK = 10

/** Until a chain counts as too old, and as halted: so many blocks, and no less than this. */
const LEAST_AGE_MS = 10_000
const OLD_BLOCKS = 3
const HALTED_BLOCKS = 5

/** Below this share of readable pairs the best way is likely to be among those that are not. */
const LEAST_SHARE = 8_000

/** What the service makes of a feed. */
export type Told = Pick<Polling, 'failed' | 'arrived'> & {
  readonly maxAge?: number | undefined
  /** The least share of the pairs that has to be readable, in bps. */
  readonly leastShare?: number | undefined
  /** Told where the markets are from, in a fleet. */
  readonly fleet?: { readonly stands: (standpoint: FleetRole) => void }
}

/**
 * A feed of a network, read from its nodes block by block.
 *
 * @param spawn starts the thread that reads
 */
export function networkFeed(subject: Subject, told: Told, spawn: () => Worker): MarketFeed {
  const { blockTimeMs } = subject
  return pollingFeed(watchedSource(spawn, told.fleet?.stands), {
    ...told,
    leastShare: told.leastShare ?? LEAST_SHARE,
    every: Math.min(MOST_MS, Math.max(LEAST_MS, blockTimeMs / LOOKS_A_BLOCK)),
    maxAge: told.maxAge ?? Math.max(LEAST_AGE_MS, OLD_BLOCKS * blockTimeMs),
    haltedAfter: Math.max(LEAST_AGE_MS, HALTED_BLOCKS * blockTimeMs),
  })
}
