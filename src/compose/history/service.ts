import type { Worker } from 'node:worker_threads'
import type { Surroundings } from '../../cli/command.js'
import type { Config } from '../../config/load.js'
import { SwapError } from '../../engine/errors.js'
import type { HistoryPort } from '../../operations/history/history-port.js'
import { endThread } from '../../platform/thread-calls.js'
import { RateLimiter } from '../../service/guards/rate-limiter.js'
import { failureOf, reasonsSeen, type ServiceLog } from '../../service/metrics/log.js'
import type { IndexFigures, ServedHistory } from '../../service/routes/history.js'
import { indexedOf } from './access.js'
import type { IndexReport, IndexTask } from './index-worker.js'
import { type FiguresReport, historyPlace, historyPort, lazyStore, pollFigures } from './store.js'

/** Options of the service's history. */
type HistoryOptions = {
  /** Whether this process indexes. */
  readonly index: boolean
  readonly event: ServiceLog['event']
  spawn(task: IndexTask): Worker
}

/** Time limit in milliseconds for a thread to end. */
const PATIENCE_MS = 5_000

/** Pause before a failed thread is started again, in milliseconds. */
const RESTART_MS = 5_000

/**
 * The history of the service: an indexing thread, and reads on this thread. The database is opened here only
 * for requests, or for polling if no indexing thread reports figures.
 */
export function servedHistory(
  config: Config,
  surroundings: Surroundings,
  options: HistoryOptions,
): ServedHistory & { close(): Promise<void> } {
  const place = historyPlace(config, surroundings)
  const lazy = lazyStore(place)
  const port = withoutDetails(historyPort(lazy, config.network.prefix), options.event)
  const state: State = {
    height: undefined,
    head: undefined,
    missing: undefined,
    leads: false,
    epoch: undefined,
    legs: undefined,
    quarantined: undefined,
    forgotten: 0,
    stopped: false,
    published: undefined,
  }
  const apply = figuresInto(state, options.event)
  const task: IndexTask = {
    place,
    indexed: indexedOf(config, surroundings),
    from: config.values.historyFromHeight,
  }
  let stopPolling = () => {}
  const pollDatabase = (): void => {
    stopPolling = pollFigures(() => lazy.read(undefined, (store) => store.figures()), apply)
  }
  if (!options.index) pollDatabase()
  const stop = options.index
    ? keepIndexing(task, options, state, apply, pollDatabase)
    : async () => {}
  return {
    port,
    indexed: () => state.height,
    figures: () => state,
    async close() {
      stopPolling()
      await stop()
      await lazy.close()
    },
  }
}

type State = { height: number | undefined } & {
  -readonly [K in keyof IndexFigures]: IndexFigures[K]
}

/** Applies figures to the state. A database that cannot be read is logged once. */
function figuresInto(state: State, event: ServiceLog['event']): (report: FiguresReport) => void {
  let isReadable = true
  return (report) => {
    const wasReadable = isReadable
    isReadable = report.is === 'holds'
    if (report.is === 'unreadable') {
      const { is: _, ...failure } = report
      if (wasReadable) event('warn', UNREADABLE, failure)
      return
    }
    const { indexed, swaps, quarantined, epoch, published } = report.figures
    // The height falls when another process has rebuilt the index.
    Object.assign(state, { height: indexed?.height, legs: swaps, quarantined, epoch, published })
  }
}

/**
 * Starts the thread, and restarts it after failures.
 *
 * @param stopped called when the thread ended for good
 * @returns a function that ends it
 */
function keepIndexing(
  task: IndexTask,
  { spawn, event }: HistoryOptions,
  state: State,
  apply: (report: FiguresReport) => void,
  stopped: () => void,
): () => Promise<void> {
  let isEnded = false
  let isStopped = false
  let thread: Worker | undefined
  let restartTimer: NodeJS.Timeout | undefined
  const log = logOf(event)
  const start = (): void => {
    const current = spawn(task)
    thread = current
    current.unref()
    current.on('message', (report: IndexReport) => {
      if (report.is === 'holds' || report.is === 'unreadable') return apply(report)
      applyReport(state, report)
      log(report)
      if (report.is !== 'stopped') return
      isStopped = true
      if (!isEnded) stopped()
    })
    current.on('error', ({ message }) => event('error', 'the index has a bug', { reason: message }))
    current.once('exit', () => {
      if (thread === current) thread = undefined
      applyReport(state, { is: 'resigned' })
      if (!isEnded && !isStopped) restartTimer = setTimeout(start, RESTART_MS).unref()
    })
  }
  start()
  return async () => {
    isEnded = true
    clearTimeout(restartTimer)
    if (thread !== undefined) await endThread(thread, PATIENCE_MS)
  }
}

/** Applies a report of the thread. */
function applyReport(state: State, report: IndexReport): void {
  if (report.is === 'leading') {
    state.leads = true
    state.epoch = report.epoch
  }
  if (report.is === 'resigned') state.leads = false
  // The head is polled by the leader only, and only while it can write.
  if (report.is === 'resigned' || report.is === 'failed') {
    state.head = undefined
    state.missing = undefined
  }
  if (report.is === 'wrote') state.height = Math.max(state.height ?? 0, report.height)
  if (report.is === 'progress') {
    state.head = report.newest
    state.missing = report.left
  }
  if (report.is === 'forgot') state.forgotten += report.to - report.from + 1
  if (report.is === 'blocked' || report.is === 'stopped') state.stopped = true
  if (report.is === 'leading' || report.is === 'waiting') state.stopped = false
}

/** Logs changes: not each block, and a failure once until this or another process indexes again. */
function logOf(event: ServiceLog['event']): (report: IndexReport) => void {
  let last: IndexReport['is'] | undefined
  const reasons = reasonsSeen()
  return (report) => {
    const isNew = report.is !== last
    if (report.is !== 'wrote') last = report.is
    // While no process can write, another one may hold the lock for a moment, not for two polls.
    if (report.is === 'progress' || (report.is === 'waiting' && !isNew)) reasons.clear()
    if (report.is === 'leading') event('info', 'this process fills the history', {})
    else if (report.is === 'waiting' && isNew)
      event('info', 'another process fills the history', report.leader)
    else if (report.is === 'progress' && isNew)
      event('info', 'history', { height: report.newest, missing: report.left })
    else if (report.is === 'wrote' && report.quarantined > 0)
      event('warn', 'events that are not swaps are quarantined', { count: report.quarantined })
    else if (report.is === 'pruned') {
      const { from, to, silent } = report
      event('warn', 'no node that answers gives these blocks', { from, to, silent })
    } else if (report.is === 'forgot') {
      const { from, to } = report
      event('warn', 'indexed blocks that differ from the chain are indexed again', { from, to })
    } else if ('reason' in report) {
      const { is, ...failure } = report
      if (is === 'blocked') event('error', 'the history is not filled until it is rebuilt', failure)
      else if (is === 'stopped') event('error', 'the history is not filled any more', failure)
      else if (reasons.isNew(failure.reason)) event('warn', 'the history cannot be filled', failure)
    }
  }
}

const UNREADABLE = 'the history cannot be read'

/** Logged failures of reads: without a limit there are as many as requests. */
const FAILURES = { perSecond: 1, burst: 10 }

/** Logs details of database errors, and keeps names of files and servers out of responses. */
function withoutDetails(port: HistoryPort, event: ServiceLog['event']): HistoryPort {
  const limit = new RateLimiter(FAILURES)
  const hideDetails = (error: unknown): never => {
    if (!(error instanceof SwapError)) throw error
    if (limit.take('').allowed) event('warn', UNREADABLE, failureOf(error))
    throw new SwapError(
      error.code === 'OVERLOADED' ? 'OVERLOADED' : 'NOT_READY',
      'the history cannot be read now',
      { hint: 'try again in a moment', members: { retry_after_ms: 2_000 } },
    )
  }
  return {
    prefix: port.prefix,
    page: (of, window) => port.page(of, window).catch(hideDetails),
    orders: (of, window) => port.orders(of, window).catch(hideDetails),
    rebuild: () => port.rebuild().catch(hideDetails),
    top: (period, window) => port.top(period, window).catch(hideDetails),
  }
}
