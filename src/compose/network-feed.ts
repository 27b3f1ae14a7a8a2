import type { Worker } from 'node:worker_threads'
import type { ServiceParts } from '../cli/command.js'
import type { Market } from '../engine/market/market.js'
import { deserializeMarket } from '../operations/serialized-market.js'
import { callsTo, endThread } from '../platform/thread-calls.js'
import type { FleetRole, MarketFeed, NodeState } from '../service/feed/market-feed.js'
import {
  type MarketSource,
  type Polling,
  pollingFeed,
  type ReadResult,
} from '../service/feed/polling-feed.js'
import { deserializeError } from '../service/workers/worker-messages.js'
import type { Report, Request, WatchTarget } from './feed/watch-worker.js'

/** Interval of height polls, in milliseconds: several per block, within these bounds. */
const LEAST_MS = 20
const MOST_MS = 1_000
const POLLS_A_BLOCK = 10

/** Blocks after which a market is too old, or the chain counts as halted; with a minimum in milliseconds. */
const LEAST_AGE_MS = 10_000
const OLD_BLOCKS = 3
const HALTED_BLOCKS = 5

/** Below this share of readable pairs, in bps, the best path is likely among the unreadable ones. */
const LEAST_SHARE = 8_000

/** Listeners and limits of a feed. */
export type FeedListeners = Parameters<ServiceParts['feed']>[0] & Pick<Polling, 'now'>

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
  const { blockTimeMs, fleet } = target
  return pollingFeed(watchedSource(spawn, listeners.fleet?.roleChanged, listeners.nodesSeen), {
    ...listeners,
    leastShare: listeners.leastShare ?? LEAST_SHARE,
    every: Math.min(MOST_MS, Math.max(LEAST_MS, blockTimeMs / POLLS_A_BLOCK)),
    // A process that no longer leads, or whose database is silent, gets no hints.
    everyHinted: fleet === undefined ? Math.max(LEAST_MS, blockTimeMs) : MOST_MS,
    maxAge: listeners.maxAge ?? Math.max(LEAST_AGE_MS, OLD_BLOCKS * blockTimeMs),
    haltedAfter: Math.max(LEAST_AGE_MS, HALTED_BLOCKS * blockTimeMs),
  })
}

type Answer = Extract<Report, { readonly id: number }>

/** A thread, requests to it, and the market that it assumes this thread to have. */
type Watcher = {
  readonly worker: Worker
  readonly ask: (request: Omit<Request, 'id'>) => Promise<Answer>
  last: Market | undefined
}

/** Milliseconds for a thread to close its connections before it is terminated. */
const GRACE_MS = 1_000

/**
 * Markets read by a thread. A thread that died is replaced at the next read.
 *
 * @param spawn starts a thread that watches
 * @param roleChanged called when the role in the fleet changes
 * @param nodesSeen called with the state of the nodes at each poll of several
 */
export function watchedSource(
  spawn: () => Worker,
  roleChanged: (role: FleetRole) => void = () => {},
  nodesSeen: (nodes: readonly NodeState[]) => void = () => {},
): MarketSource {
  let hinted = () => {}
  let watcher: Watcher | undefined

  const ensureWatcher = (): Watcher => {
    if (watcher !== undefined) return watcher
    const worker = spawn()
    const ask = callsTo<Answer>(worker, new Error('the thread that reads the market ended'))
    const started: Watcher = { worker, ask, last: undefined }
    worker.unref()
    worker.on('message', (report: Report) => {
      if ('hint' in report) hinted()
      if ('role' in report) roleChanged(report.role)
      if ('nodes' in report) nodesSeen(report.nodes)
    })
    worker.once('exit', () => {
      if (watcher === started) watcher = undefined
    })
    watcher = started
    return started
  }
  const decodeAnswer = (from: Watcher, answer: Answer): ReadResult | undefined => {
    if ('same' in answer) return undefined
    if ('disputed' in answer || 'behind' in answer) return answer
    if (!('market' in answer)) throw deserializeError(answer)
    try {
      const view = deserializeMarket(answer.market, from.last)
      from.last = view.market
      return { view, digest: answer.digest, ageMs: answer.ageMs }
    } catch (error) {
      // The two threads no longer agree on the last market.
      watcher = undefined
      void from.worker.terminate()
      throw error
    }
  }
  return {
    async read(after) {
      const from = ensureWatcher()
      const answer = await from.ask({ after: from.last === undefined ? undefined : after })
      return decodeAnswer(from, answer)
    },
    hints(listener) {
      hinted = listener
    },
    async close() {
      if (watcher !== undefined) await endThread(watcher.worker, GRACE_MS)
    },
  }
}
