import { SwapError } from '../../engine/errors.js'
import type { OperationContext } from '../../operations/context.js'
import type { Clock } from '../../platform/clock.js'
import type { MarketFeed, ServedMarket } from '../../service/feed/market-feed.js'
import { exitOfError } from '../exit.js'
import { type EventBody, type EventSink, eventJson, type WatchEnd } from './events.js'
import type { Hook } from './hook.js'
import type { WatchOptions } from './watch-options.js'

/** A query that is repeated at every height, and the events of its answers. */
export type WatchQuery<Answer> = {
  ask(app: OperationContext): Promise<Answer>
  /** Whether the answer has changed by at least `bps`, above 0, since the last reported one. */
  moved(answer: Answer, reported: Answer, bps: bigint): boolean
  bodies(answer: Answer, reported: Answer | undefined, bps: bigint): readonly EventBody[]
  /** Whether a reported answer counts as a result; without it all of them do. */
  isResult?(answer: Answer): boolean
  /** Whether the condition of `--until` holds. */
  holds(answer: Answer): boolean
}

type FollowContext<Answer> = {
  readonly updates: MarketUpdates
  readonly clock: Clock
  readonly sink: EventSink<Answer>
  /** Aborted with the `WatchEnd` as its reason. */
  readonly signal: AbortSignal
  /** Reads the events of a result: of the one that ends the watch where there is a condition, else of each. */
  readonly hook?: Hook | undefined
  /** Milliseconds to wait for the first market. */
  readonly firstMarketTimeoutMs: number
}

/** Milliseconds without an event after which a heartbeat is sent. */
const HEARTBEAT_MS = 30_000

/** Exit status if the count was reached before the condition held. */
const CONDITION_UNMET = 5

/** Exit status if the command of `--exec` failed for the result that ended the watch. */
const HOOK_FAILED = 1

/**
 * Queries at every new height until the count is reached, the condition holds, or `signal` is aborted.
 * A problem at one height is reported and the loop continues; only a bug ends it, or an invalid request before the
 * first answer.
 */
export async function follow<Answer>(
  query: WatchQuery<Answer>,
  options: WatchOptions,
  context: FollowContext<Answer>,
): Promise<WatchEnd> {
  const { clock, sink, signal, updates } = context
  signal.addEventListener('abort', updates.notify, { once: true })
  const end = await watchLoop(query, options, context)
  signal.removeEventListener('abort', updates.notify)
  await sink({ kind: 'end', time: clock.time(), ...end })
  return end
}

type State<Answer> = {
  height: number | undefined
  /** The last reported answer. */
  reported: Answer | undefined
  results: number
  failure: unknown
  /** When the last event and the last answer were, by `Clock.now`. */
  eventAt: number
  answeredAt: number
}

async function watchLoop<Answer>(
  query: WatchQuery<Answer>,
  options: WatchOptions,
  context: FollowContext<Answer>,
): Promise<WatchEnd> {
  const { updates, clock, signal } = context
  const startedAt = clock.now()
  const state: State<Answer> = {
    height: undefined,
    reported: undefined,
    results: 0,
    failure: undefined,
    eventAt: startedAt,
    answeredAt: Number.NEGATIVE_INFINITY,
  }
  for (;;) {
    if (signal.aborted) return signal.reason as WatchEnd
    const failure = updates.takeFailure()
    if (failure !== undefined) {
      state.failure = failure
      await problem(failure, false, state, context)
      continue
    }
    const now = clock.now()
    const served = updates.newest()
    const isNew = served !== undefined && served.height !== state.height
    const answerAt = isNew ? state.answeredAt + options.leastMs : Number.POSITIVE_INFINITY
    if (isNew && answerAt <= now) {
      const end = await runQuery(served, query, options, state, context)
      if (end !== undefined) return end
      continue
    }
    const heartbeatAt = state.eventAt + HEARTBEAT_MS
    if (heartbeatAt <= now) {
      state.eventAt = now
      await context.sink({ kind: 'heartbeat', time: context.clock.time(), height: state.height })
      continue
    }
    const timeoutAt =
      served === undefined ? startedAt + context.firstMarketTimeoutMs : Number.POSITIVE_INFINITY
    if (timeoutAt <= now)
      return problem(state.failure ?? noMarket(context.firstMarketTimeoutMs), true, state, context)
    await sleep(Math.min(answerAt, heartbeatAt, timeoutAt) - now, context)
  }
}

async function sleep<Answer>(ms: number, { updates, clock }: FollowContext<Answer>): Promise<void> {
  const timer = new AbortController()
  await Promise.race([updates.changed(), clock.sleep(ms, timer.signal)])
  timer.abort()
}

async function runQuery<Answer>(
  { height, patient }: ServedMarket,
  query: WatchQuery<Answer>,
  { count, onChangeBps, until }: WatchOptions,
  state: State<Answer>,
  context: FollowContext<Answer>,
): Promise<WatchEnd | undefined> {
  state.height = height
  state.answeredAt = context.clock.now()
  const asked = await unlessAborted(query.ask(patient), context.signal)
  if (asked === undefined) return context.signal.reason as WatchEnd
  if (asked.status === 'rejected') {
    const isWrong = state.reported === undefined && exitOfError(asked.reason) === 2
    const isFatal = isWrong || !(asked.reason instanceof SwapError)
    const end = await problem(asked.reason, isFatal, state, context)
    return isFatal ? end : undefined
  }
  const answer = asked.value
  const holds = until !== undefined && query.holds(answer)
  const { reported: last } = state
  const isReported =
    holds || last === undefined || onChangeBps === 0n || query.moved(answer, last, onChangeBps)
  const reported = isReported ? query.bodies(answer, last, onChangeBps) : undefined
  const [answeredAt, time] = [context.clock.now(), context.clock.time()]
  await context.sink({ kind: 'answer', time, height, answer, reported })
  if (reported === undefined) return undefined
  state.reported = answer
  const isResult = query.isResult?.(answer) ?? true
  if (isResult) state.results += 1
  if (reported.length > 0) state.eventAt = answeredAt
  const isLast = isResult && state.results === count
  if (!holds && until !== undefined)
    return isLast ? { reason: 'count', exit: CONDITION_UNMET } : undefined
  const input = reported.map((body) => `${eventJson({ ...body, height }, time)}\n`).join('')
  const [hooked] = await Promise.allSettled([input !== '' && runHook(input, height, context)])
  if (hooked.status === 'rejected') return problem(hooked.reason, true, state, context)
  const exit = hooked.value === 'failed' ? HOOK_FAILED : 0
  if (holds) return { reason: 'until', exit }
  return isLast ? { reason: 'count', exit } : undefined
}

/** The outcome of work; `undefined` if the signal is aborted first: nodes may take long to answer. */
async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
): Promise<PromiseSettledResult<T> | undefined> {
  let stop = () => {}
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    signal.addEventListener('abort', stop)
  })
  const settled = Promise.allSettled([work]).then(([result]) => result)
  return Promise.race([settled, stopped]).finally(() => signal.removeEventListener('abort', stop))
}

/** Runs the command of `--exec`, if there is one. */
async function runHook<Answer>(
  input: string,
  height: number,
  { hook, signal, sink, clock }: FollowContext<Answer>,
): Promise<'failed' | undefined> {
  const end = await hook?.(input, signal)
  if (end === undefined) return undefined
  await sink({ kind: 'exec', time: clock.time(), height, ...end })
  return end.exit === 0 ? undefined : 'failed'
}

async function problem<Answer>(
  error: unknown,
  fatal: boolean,
  state: State<Answer>,
  { clock, sink }: FollowContext<Answer>,
): Promise<WatchEnd> {
  state.eventAt = clock.now()
  await sink({ kind: 'problem', time: clock.time(), error, fatal, height: state.height })
  return { reason: 'problem', exit: exitOfError(error) }
}

export const noMarket = (ms: number): SwapError =>
  new SwapError('UPSTREAM_TIMEOUT', 'no market could be read', {
    why: `none came within ${ms} ms`,
    hint: 'see what is wrong: swap doctor; or wait longer: --timeout 60s',
    members: { timeout_ms: ms },
  })

/** The newest market of a feed, its failures, and a wake-up for the watch loop. */
type MarketUpdates = {
  newest(): ServedMarket | undefined
  /** Returns and clears the last failure; a series of failures is returned once. */
  takeFailure(): unknown
  /** Resolves when something has happened since the last call. */
  changed(): Promise<void>
  /** Resolves `changed`. */
  notify(): void
}

/** Opens a feed and subscribes to it. `open` gets the listener of failures. */
export async function openMarketUpdates<F extends Pick<MarketFeed, 'current' | 'subscribe'>>(
  open: (failed: (error: unknown) => void) => Promise<F>,
): Promise<{ readonly feed: F; readonly updates: MarketUpdates }> {
  let isNotified = false
  let isFailing = false
  let failure: unknown
  let wake = () => {}
  const notify = () => {
    isNotified = true
    wake()
  }
  const feed = await open((error) => {
    if (isFailing) return
    isFailing = true
    failure = error
    notify()
  })
  let height: number | undefined
  feed.subscribe((served) => {
    if (served.height === height) return
    height = served.height
    isFailing = false
    notify()
  })
  const updates: MarketUpdates = {
    newest: () => feed.current(),
    takeFailure() {
      const taken = failure
      failure = undefined
      return taken
    },
    async changed() {
      if (!isNotified)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      isNotified = false
    },
    notify,
  }
  return { feed, updates }
}
