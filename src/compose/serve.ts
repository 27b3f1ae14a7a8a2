import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { Parts, Surroundings } from '../cli/command.js'
import type { Config } from '../config/load.js'
import type { DemoFiles } from '../demo-chain/index.js'
import type { Market } from '../engine/market/market.js'
import { graphOf } from '../engine/routing/graph.js'
import type { DemoPort } from '../operations/demo-port.js'
import { beat, type Guard, type Watched, watchedFor } from '../platform/loop-watchdog.js'
import { startThread } from '../platform/start-worker.js'
import type { ContractClient } from '../service/answers/contract-limiter.js'
import { fixedFeed } from '../service/feed/fixed-feed.js'
import type { MarketFeed } from '../service/feed/market-feed.js'
import type { Asked } from './contract-client.js'
import type { Subject } from './feed/watch-worker.js'
import { networkFeed, type Told } from './network-feed.js'
import type { Role } from './worker.js'

/** How long a block takes on the networks of other machines, in milliseconds. */
const BLOCK_TIME_MS = 6_500

/** How long the thread that serves may be stuck before the process ends, in milliseconds. */
const STUCK_MS = 10_000

/** What the service needs of the rest of the program, for a market that stands still. */
export const fixedParts = (market: Market): Parts =>
  partsWith(
    () => Promise.resolve(fixedFeedOf(market)),
    () => guarded(STUCK_MS),
  )

/** A feed of one market. */
export const fixedFeedOf = (market: Market): MarketFeed =>
  fixedFeed({ market, graph: graphOf(market) })

/** The same, for a network that is read from its nodes. */
export const networkParts = ({ network, values }: Config): Parts => ({
  ...watchedParts(async (told, watched) => {
    const given = { network, timeoutMs: values.timeout, blockTimeMs: BLOCK_TIME_MS }
    const toldAge = { ...told, maxAge: told.maxAge ?? values.maxAge }
    return feedOf(await inItsFleet(given, toldAge, values.database), toldAge, watched)
  }),
  contracts: () => contractsOf({ network, timeoutMs: values.timeout }),
})

/** The same, for the demo chain of this machine. Its process is started if none runs. */
export const demoParts = (
  { network, values }: Config,
  demo: () => Promise<DemoPort>,
  places: DemoFiles,
): Parts => ({
  ...watchedParts(async (told, watched) => {
    const { status } = await (await demo()).start({})
    const { block_time_ms: blockTimeMs } = status
    const given = { network, places, timeoutMs: values.timeout, blockTimeMs }
    return feedOf(await inItsFleet(given, told, values.database), told, watched)
  }),
  contracts: () => contractsOf({ network, places, timeoutMs: values.timeout }),
})

/** The same as a process of the fleet whose database this is, if it is a server's. */
async function inItsFleet(
  subject: Subject,
  { maxAge, fleet }: Parameters<Parts['feed']>[0],
  database: string | undefined,
): Promise<Subject> {
  if (fleet === undefined) return subject
  const { fleetPlace } = await import('./feed/fleet/place.js')
  const { network, blockTimeMs } = subject
  const given = { database, chainId: network.chainId, blockTimeMs, maxAge, ...fleet }
  return { ...subject, fleet: fleetPlace(given) }
}

/** How often the head of a chain is looked at by who indexes it, in milliseconds. */
const INDEX_EVERY_MS = 1_000

/** The same with the history of the network. */
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

/** A feed of what a thread of its own reads, which watches over who serves besides. */
export const feedOf = (subject: Subject, told: Told, watched?: Watched): MarketFeed =>
  networkFeed(subject, told, () => watcherOf(subject, watched))

/** A thread that reads a network. */
export const watcherOf = (subject: Subject, watched?: Watched): Worker =>
  threadOf({ role: 'watch', subject, watched })

/** With a thread that reads the market anyway, there is none for watching over who serves. */
function watchedParts(
  feed: (told: Parameters<Parts['feed']>[0], watched: Watched) => Promise<MarketFeed>,
): Parts {
  const watched = watchedFor(STUCK_MS)
  return partsWith(
    (told) => feed(told, watched),
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

/** Has a thread end the process when this one is stuck. */
export function guarded(limitMs: number): Guard {
  const watched = watchedFor(limitMs)
  const { progress, end } = beat(watched)
  const thread = threadOf({ role: 'guard', watched })
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
 * What the young garbage of a thread may take, in MiB. V8 lets it grow to 48, on newer versions to 96
 * and more, which pays for who answers and is only memory for who waits most of the time.
 */
const youngMib: Readonly<Record<Role['role'], number>> = {
  answer: 16,
  watch: 4,
  index: 4,
  guard: 1,
}

/** A thread of this program. */
const threadOf = (role: Role): Worker =>
  startThread('thread.js', new URL('./worker.ts', import.meta.url), {
    workerData: role,
    resourceLimits: { maxYoungGenerationSizeMb: youngMib[role.role] },
  })
