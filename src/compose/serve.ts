import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { ServiceParts, Surroundings } from '../cli/command.js'
import type { Config } from '../config/load.js'
import { type DemoCommands, type DemoFiles, demoProcess } from '../demo-chain/index.js'
import type { Market } from '../engine/market/market.js'
import { graphOf } from '../engine/routing/graph.js'
import { isDatabaseUrl } from '../history/store/database-url.js'
import { startThread } from '../platform/built-entry.js'
import {
  type Guard,
  startHeartbeat,
  type Watchdog,
  watchdogFor,
} from '../platform/loop-watchdog.js'
import { fixedFeed, type MarketFeed } from '../service/feed/market-feed.js'
import type { FleetPlace } from './feed/fleet/watch-fleet.js'
import type { WatchTarget } from './feed/watch-worker.js'
import { type FeedListeners, networkFeed } from './network-feed.js'
import type { Role } from './worker.js'

/** Assumed block time of networks other than the demo chain, in milliseconds. */
const BLOCK_TIME_MS = 6_500

/** How long the serving thread may be unresponsive before the process ends, in milliseconds. */
const STUCK_MS = 10_000

export const fixedParts = (market: Market): ServiceParts =>
  partsWith(
    () => Promise.resolve(fixedFeedOf(market)),
    () => startWatchdog(STUCK_MS),
  )

export const fixedFeedOf = (market: Market): MarketFeed =>
  fixedFeed({ market, graph: graphOf(market) })

/** The parts of a service for a network that is read from its nodes. */
export const networkParts = (config: Config): ServiceParts =>
  liveParts(config, undefined, async () => BLOCK_TIME_MS)

/** The parts of a service for the local demo chain, which is started if necessary. */
export const demoParts = (
  config: Config,
  demo: () => Promise<DemoCommands>,
  places: DemoFiles,
): ServiceParts => ({
  ...liveParts(config, places, async () => (await (await demo()).start({})).status.block_time_ms),
  demoPid: () => demoProcess(places)?.pid,
})

/** The thread that reads the market is also the watchdog of the serving thread. */
function liveParts(
  { network, values }: Config,
  places: DemoFiles | undefined,
  blockTime: () => Promise<number>,
): ServiceParts {
  const { timeout: timeoutMs, database } = values
  const { chainId } = network
  const watchdog = watchdogFor(STUCK_MS)
  return {
    ...partsWith(
      async (listeners) => {
        const { fleet, maxAge } = listeners
        const blockTimeMs = await blockTime()
        const place = fleet && fleetPlace({ database, chainId, blockTimeMs, maxAge, ...fleet })
        const target = { network, places, timeoutMs, blockTimeMs, fleet: place }
        return feedOf(target, listeners, watchdog)
      },
      () => startHeartbeat(watchdog),
    ),
    async contracts() {
      const { contractClient } = await import('./chain-port.js')
      return contractClient({ network, places }, timeoutMs)
    },
  }
}

/** Blocks to wait for a publication of the fleet, and the minimum in milliseconds. */
const FLEET_BLOCKS = 2
const FLEET_LEAST_MS = 5_000

/** The fleet of a process, if its history is kept by a database server. */
export function fleetPlace({
  database,
  chainId,
  blockTimeMs,
  maxAge = Number.POSITIVE_INFINITY,
  mayLead,
}: {
  readonly database: string | undefined
  readonly chainId: string
  readonly blockTimeMs: number
  /** Milliseconds after which a market is too old, if configured. */
  readonly maxAge: number | undefined
  /** Whether the process may lead: fill the history and read the nodes for the fleet. */
  readonly mayLead: boolean
}): FleetPlace | undefined {
  if (database === undefined || !isDatabaseUrl(database)) return undefined
  const patienceMs = Math.min(Math.max(FLEET_LEAST_MS, FLEET_BLOCKS * blockTimeMs), maxAge / 2)
  return { table: { url: database, chainId }, mayLead, patienceMs }
}

/** Adds the history of the network. */
export const withHistory = (
  parts: ServiceParts,
  config: Config,
  surroundings: Surroundings,
): ServiceParts => ({
  ...parts,
  async history(options) {
    const { servedHistory } = await import('./history/service.js')
    return servedHistory(config, surroundings, {
      ...options,
      spawn: (task) => threadOf({ role: 'index', task }),
    })
  },
})

/** A feed read by its own thread, which is also the watchdog of the serving thread. */
export const feedOf = (
  target: WatchTarget,
  listeners: FeedListeners,
  watchdog?: Watchdog,
): MarketFeed => networkFeed(target, listeners, () => watcherOf(target, watchdog))

/** A thread that reads a network. */
export const watcherOf = (target: WatchTarget, watchdog?: Watchdog): Worker =>
  threadOf({ role: 'watch', target, watchdog })

const partsWith = (feed: ServiceParts['feed'], guard: ServiceParts['guard']): ServiceParts => ({
  feed,
  guard,
  spawn: () => threadOf({ role: 'answer' }),
  // One core is left for serving.
  threads: Math.max(1, availableParallelism() - 1),
})

/** Starts a watchdog thread that ends the process when this thread is unresponsive. */
export function startWatchdog(limitMs: number): Guard {
  const watchdog = watchdogFor(limitMs)
  const { progress, end } = startHeartbeat(watchdog)
  const thread = threadOf({ role: 'guard', watchdog })
  thread.unref()
  return {
    progress,
    end() {
      end()
      void thread.terminate()
    },
  }
}

/**
 * Young generation limit of a thread, in MiB: V8 alone lets it grow to 48, newer versions to 96. With less
 * than 8, Node 20 hangs now and then as a thread ends (nodejs/node#54918): the optimizing compiler waits
 * for a collection on the thread, and the thread for the compiler.
 */
const YOUNG_MIB = 16

/** A thread of this program. */
const threadOf = (role: Role): Worker =>
  startThread('thread.js', new URL('./worker.ts', import.meta.url), {
    workerData: role,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  })
