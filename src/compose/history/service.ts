import type { Worker } from 'node:worker_threads'
import type { Surroundings } from '../../cli/command.js'
import type { Config } from '../../config/load.js'
import { SwapError } from '../../engine/errors.js'
import type { HistoryFigures } from '../../history/store/swap-row.js'
import type { HistoryPort } from '../../operations/history/history-port.js'
import type { ServiceLog } from '../../service/metrics/log.js'
import type { IndexFigures, ServedHistory } from '../../service/routes/history.js'
import { reasonOf } from '../reason.js'
import { indexedOf } from './access.js'
import type { IndexReport, IndexTask } from './index-worker.js'
import { historyPlace } from './place.js'
import { lookAt, type Seen } from './poll-chain.js'
import { historyPort, lazyStore } from './store.js'

/** How the service has its history. */
export type HistoryOptions = {
  /** Whether this process indexes. */
  readonly index: boolean
  /** Between two looks at the head, in milliseconds. */
  readonly every: number
  readonly event: ServiceLog['event']
  spawn(task: IndexTask): Worker
}

/** How long a thread may take to end. */
const PATIENCE_MS = 5_000

/** The pause before a thread that has failed is started again. */
const AGAIN_MS = 5_000

/**
 * The history as the service has it: a thread that fills it, and reads of this one. A database is
 * opened here only when somebody asks for what was executed, or where no such thread tells of it.
 */
export function servedHistory(
  config: Config,
  surroundings: Surroundings,
  options: HistoryOptions,
): ServedHistory & { close(): Promise<void> } {
  const place = historyPlace(config, surroundings)
  const lazy = lazyStore(place)
  const port = discreet(historyPort(lazy, config.network.prefix), options.event)
  const state: State = {
    ...{ height: undefined, head: undefined, missing: undefined, leads: false, epoch: undefined },
    ...{ legs: undefined, quarantined: undefined, stopped: false, published: undefined },
  }
  const seen = seenBy(state, options.event)
  const task: IndexTask = {
    place,
    indexed: indexedOf(config, surroundings),
    from: config.values.historyFromHeight,
    every: options.every,
  }
  let unlook = () => {}
  const lookHere = (): void => {
    unlook = lookAt(async () => (await lazy.found())?.figures(), seen)
  }
  if (!options.index) lookHere()
  const told = { ...seen, stopped: lookHere }
  const stop = options.index ? keepIndexing(task, options, state, told) : async () => {}
  return {
    port,
    indexed: () => state.height,
    figures: () => state,
    async close() {
      unlook()
      await stop()
      await lazy.close()
    },
  }
}

type State = { height: number | undefined } & {
  -readonly [K in keyof IndexFigures]: IndexFigures[K]
}

/** What the database is seen to hold. That it cannot be read is said once each time that it begins. */
function seenBy(state: State, event: ServiceLog['event']): Seen {
  let isReadable = true
  return {
    holds(figures) {
      count(state, figures)
      isReadable = true
    },
    unreadable(reason) {
      if (isReadable) event('warn', UNREADABLE, { reason })
      isReadable = false
    },
  }
}

/** Starts the thread, and starts it again when it fails. @returns what ends it */
function keepIndexing(
  task: IndexTask,
  { spawn, event }: HistoryOptions,
  state: State,
  seen: Seen & { stopped(): void },
): () => Promise<void> {
  let isOver = false
  let thread: Worker | undefined
  let again: NodeJS.Timeout | undefined
  const log = logOf(event)
  const start = (): void => {
    const current = spawn(task)
    thread = current
    current.unref()
    current.on('message', (report: IndexReport) => {
      if (report.is === 'holds') return seen.holds(report.figures)
      if (report.is === 'unreadable') return seen.unreadable(report.reason)
      note(state, report)
      log(report)
      if (report.is === 'stopped' && !isOver) seen.stopped()
    })
    current.on('error', ({ message }) => event('error', 'the index has a bug', { reason: message }))
    current.once('exit', () => {
      if (thread === current) thread = undefined
      note(state, { is: 'rests' })
      if (!isOver && !state.stopped) again = setTimeout(start, AGAIN_MS).unref()
    })
  }
  start()
  return async () => {
    isOver = true
    clearTimeout(again)
    if (thread !== undefined) await ended(thread)
  }
}

const ended = (thread: Worker): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(() => void thread.terminate(), PATIENCE_MS)
    thread.once('exit', () => {
      clearTimeout(late)
      resolve()
    })
    thread.postMessage('close')
  })

/** Takes over what the database says, whoever fills it. */
function count(state: State, { indexed, swaps, quarantined, epoch, published }: HistoryFigures) {
  if (indexed !== undefined) state.height = Math.max(state.height ?? 0, indexed.height)
  ;[state.legs, state.quarantined, state.epoch] = [swaps, quarantined, epoch]
  state.published = published
}

/** Takes over what the thread tells. */
function note(state: State, report: IndexReport): void {
  if (report.is === 'leads') [state.leads, state.epoch] = [true, report.epoch]
  if (report.is === 'rests') {
    state.leads = false
    // Who does not lead does not look at the chain.
    ;[state.head, state.missing] = [undefined, undefined]
  }
  if (report.is === 'wrote') state.height = Math.max(state.height ?? 0, report.height)
  if (report.is === 'stands') [state.head, state.missing] = [report.newest, report.left]
  if (report.is === 'stopped') state.stopped = true
}

/** Writes what changes: a block that follows another is no news, nor a failure after a failure. */
function logOf(event: ServiceLog['event']): (report: IndexReport) => void {
  let last: IndexReport['is'] | undefined
  return (report) => {
    const isNew = report.is !== last
    if (report.is !== 'wrote') last = report.is
    if (report.is === 'leads') event('info', 'this process fills the history', {})
    else if (report.is === 'waits' && isNew)
      event('info', 'another process fills the history', { pid: report.pid ?? 0 })
    else if (report.is === 'stands' && isNew)
      event('info', 'history', { height: report.newest, missing: report.left })
    else if (report.is === 'wrote' && report.aside > 0)
      event('warn', 'events that are no swaps are kept aside', { count: report.aside })
    else if (report.is === 'pruned')
      event('warn', 'no node has these blocks any more', { from: report.from, to: report.to })
    else if (report.is === 'failed' && isNew)
      event('warn', 'the history cannot be filled', { reason: report.reason })
    else if (report.is === 'stopped')
      event('error', 'the history is not filled any more', { reason: report.reason })
  }
}

const UNREADABLE = 'the history cannot be read'

/** What a database says of itself stays in the log: the names of its files and servers are nobody's business. */
function discreet(port: HistoryPort, event: ServiceLog['event']): HistoryPort {
  const told = (error: unknown): never => {
    if (!(error instanceof SwapError)) throw error
    event('warn', UNREADABLE, { reason: reasonOf(error) })
    throw new SwapError(
      error.code === 'OVERLOADED' ? 'OVERLOADED' : 'NOT_READY',
      'the history cannot be read now',
      { hint: 'try again in a moment', members: { retry_after_ms: 2_000 } },
    )
  }
  return {
    prefix: port.prefix,
    page: (of, window) => port.page(of, window).catch(told),
    top: (period, limit) => port.top(period, limit).catch(told),
  }
}
