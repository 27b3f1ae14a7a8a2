import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { Parts, Surroundings } from '../cli/command.js'
import type { Config } from '../config/load.js'
import { type DemoFiles, demoProcess } from '../demo-chain/index.js'
import type { Market } from '../engine/market/market.js'
import { graphOf } from '../engine/routing/graph.js'
import type { DemoPort } from '../operations/demo-port.js'
import { beat, type Guard, type Watchdog, watchdogFor } from '../platform/loop-watchdog.js'
import { startThread } from '../platform/start-worker.js'
import type { ContractClient } from '../service/answers/contract-limiter.js'
import { fixedFeed, type MarketFeed } from '../service/feed/market-feed.js'
import type { Asked } from './contract-client.js'
import type { WatchTarget } from './feed/watch-worker.js'
import { type FeedListeners, networkFeed } from './network-feed.js'
import type { Role } from './worker.js'

/** Assumed block time of networks other than the demo chain, in milliseconds. */
const BLOCK_TIME_MS = 6_500

/** How long the serving thread may be stuck before the process ends, in milliseconds. */
const STUCK_MS = 10_000

/** The parts of a service for one fixed market. */
export const fixedParts = (market: Market): Parts =>
  partsWith(
    () => Promise.resolve(fixedFeedOf(market)),
    () => guarded(STUCK_MS),
  )

/** A feed of one market. */
export const fixedFeedOf = (market: Market): MarketFeed =>
  fixedFeed({ market, graph: graphOf(market) })

/** The parts of a service for a network that is read from its nodes. */
export const networkParts = ({ network, values }: Config): Parts => ({
  ...watchedParts(async (listeners, watched) => {
    const given = { network, timeoutMs: values.timeout, blockTimeMs: BLOCK_TIME_MS }
    const withAge = { ...listeners, maxAge: listeners.maxAge ?? values.maxAge }
    return feedOf(await withFleet(given, withAge, values.database), withAge, watched)
  }),
  contracts: () => contractsOf({ network, timeoutMs: values.timeout }),
})

/** The parts of a service for the demo chain of this machine, which is started if necessary. */
export const demoParts = (
  { network, values }: Config,
  demo: () => Promise<DemoPort>,
  places: DemoFiles,
): Parts => ({
  ...watchedParts(async (listeners, watched) => {
    const { status } = await (await demo()).start({})
    const { block_time_ms: blockTimeMs } = status
    const given = { network, places, timeoutMs: values.timeout, blockTimeMs }
    return feedOf(await withFleet(given, listeners, values.database), listeners, watched)
  }),
  contracts: () => contractsOf({ network, places, timeoutMs: values.timeout }),
  demoPid: () => demoProcess(places)?.pid,
})

/** Adds the fleet of the database, if that is a server's. */
async function withFleet(
  target: WatchTarget,
  { maxAge, fleet }: Parameters<Parts['feed']>[0],
  database: string | undefined,
): Promise<WatchTarget> {
  if (fleet === undefined) return target
  const { fleetPlace } = await import('./feed/fleet/place.js')
  const { network, blockTimeMs } = target
  const given = { database, chainId: network.chainId, blockTimeMs, maxAge, ...fleet }
  return { ...target, fleet: fleetPlace(given) }
}

/** Interval in milliseconds at which an indexer polls the head of a chain. */
const INDEX_EVERY_MS = 1_000

/** Adds the history of the network. */
export const withHistory = (parts: Parts, config: Config, surroundings: Surroundings): Parts => ({
  ...parts,
  async history(options) {
    const { servedHistory } = await import('./history/service.js')
    return servedHistory(config, surroundings, {
      ...options,
      every: INDEX_EVERY_MS,
      spawn: (task) => threadOf({ role: 'index', task }),
    })
  },
})

const contractsOf = async (asked: Asked): Promise<ContractClient> => {
  const { contractClient } = await import('./contract-client.js')
  return contractClient(asked)
}

/** A feed read by a thread of its own, which also is the watchdog of the serving thread. */
export const feedOf = (
  target: WatchTarget,
  listeners: FeedListeners,
  watched?: Watchdog,
): MarketFeed => networkFeed(target, listeners, () => watcherOf(target, watched))

/** A thread that reads a network. */
export const watcherOf = (target: WatchTarget, watched?: Watchdog): Worker =>
  threadOf({ role: 'watch', target: target, watchdog: watched })

/** Uses the thread that reads the market as the watchdog of the serving thread. */
function watchedParts(
  feed: (listeners: Parameters<Parts['feed']>[0], watched: Watchdog) => Promise<MarketFeed>,
): Parts {
  const watched = watchdogFor(STUCK_MS)
  return partsWith(
    (listeners) => feed(listeners, watched),
    () => beat(watched),
  )
}

const partsWith = (feed: Parts['feed'], guard: Parts['guard']): Parts => ({
  feed,
  guard,
  spawn: () => threadOf({ role: 'answer' }),
  // One core is for serving.
  threads: Math.max(1, availableParallelism() - 1),
})

/** Starts a watchdog thread that ends the process when this thread is stuck. */
export function guarded(limitMs: number): Guard {
  const watched = watchdogFor(limitMs)
  const { progress, end } = beat(watched)
  const thread = threadOf({ role: 'guard', watchdog: watched })
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
