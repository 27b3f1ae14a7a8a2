import { SwapError } from '../../engine/errors.js'
import type { OperationContext } from '../../operations/context.js'
import type { ServedMarket } from '../../service/feed/market-feed.js'
import { exitOfError } from '../exit.js'
import type { Clock } from './clock.js'
import type { Body, End, Sink } from './event.js'
import type { MarketUpdates } from './market-updates.js'
import type { WatchOptions } from './watch-options.js'

/** A query that is repeated at every height, and the events of its answers. */
export type WatchQuery<Answer> = {
  ask(app: OperationContext): Promise<Answer>
  /** Whether the answer has changed by at least `bps` since the last reported one. */
  moved(answer: Answer, told: Answer, bps: bigint): boolean
  bodies(answer: Answer, told: Answer | undefined): readonly Body[]
  /** Whether the condition of `--until` holds. */
  holds(answer: Answer): boolean
}

/** Dependencies of a watch loop. */
export type FollowContext<Answer> = {
  readonly watched: MarketUpdates
  readonly clock: Clock
  readonly sink: Sink<Answer>
  /** Aborted with the `End` as its reason. */
  readonly signal: AbortSignal
  /** Milliseconds to wait for the first market. */
  readonly firstMarketTimeoutMs: number
}

/** Milliseconds without an event after which a heartbeat is sent. */
export const HEARTBEAT_MS = 30_000

/** Exit status if the count was reached before the condition held. */
const UNMET = 5

/**
 * Queries at every new height until the count is reached, the condition holds, or `signal` is aborted.
 * A problem at one height is reported and the loop continues; only an invalid request or a bug
 * ends it.
 */
export async function follow<Answer>(
  subject: WatchQuery<Answer>,
  options: WatchOptions,
  around: FollowContext<Answer>,
): Promise<End> {
  const { clock, sink, signal, watched } = around
  signal.addEventListener('abort', watched.ring, { once: true })
  const end = await watchLoop(subject, options, around)
  signal.removeEventListener('abort', watched.ring)
  await sink({ kind: 'end', time: clock.now(), ...end })
  return end
}

type State<Answer> = {
  height: number | undefined
  told: Answer | undefined
  results: number
  failure: unknown
  /** Times of the last event and of the last answer. */
  lineAt: number
  answeredAt: number
}

async function watchLoop<Answer>(
  subject: WatchQuery<Answer>,
  options: WatchOptions,
  around: FollowContext<Answer>,
): Promise<End> {
  const { watched, clock, signal } = around
  const begun = clock.now()
  const state: State<Answer> = {
    height: undefined,
    told: undefined,
    results: 0,
    failure: undefined,
    lineAt: begun,
    answeredAt: Number.NEGATIVE_INFINITY,
  }
  for (;;) {
    if (signal.aborted) return signal.reason as End
    const failure = watched.takeFailure()
    if (failure !== undefined) {
      state.failure = failure
      await problem(failure, false, state, around)
      continue
    }
    const now = clock.now()
    const served = watched.newest()
    const isNew = served !== undefined && served.height !== state.height
    const answerAt = isNew ? state.answeredAt + options.leastMs : Number.POSITIVE_INFINITY
    if (isNew && answerAt <= now) {
      const end = await answered(served, subject, options, state, around)
      if (end !== undefined) return end
      continue
    }
    const beatAt = state.lineAt + HEARTBEAT_MS
    if (beatAt <= now) {
      state.lineAt = now
      await around.sink({ kind: 'heartbeat', time: now, height: state.height })
      continue
    }
    const tiredAt =
      served === undefined ? begun + around.firstMarketTimeoutMs : Number.POSITIVE_INFINITY
    if (tiredAt <= now)
      return problem(state.failure ?? noMarket(around.firstMarketTimeoutMs), true, state, around)
    await sleep(Math.min(answerAt, beatAt, tiredAt) - now, around)
  }
}

async function sleep<Answer>(ms: number, { watched, clock }: FollowContext<Answer>): Promise<void> {
  const over = new AbortController()
  await Promise.race([watched.changed(), clock.wait(ms, over.signal)])
  over.abort()
}

async function answered<Answer>(
  { height, patient }: ServedMarket,
  subject: WatchQuery<Answer>,
  { count, onChangeBps, until }: WatchOptions,
  state: State<Answer>,
  around: FollowContext<Answer>,
): Promise<End | undefined> {
  const isFirst = state.height === undefined
  state.height = height
  state.answeredAt = around.clock.now()
  const outcome = await outcomeOf(subject.ask(patient))
  if ('error' in outcome) {
    const isWrong = isFirst && exitOfError(outcome.error) === 2
    const isFatal = isWrong || !(outcome.error instanceof SwapError)
    const end = await problem(outcome.error, isFatal, state, around)
    return isFatal ? end : undefined
  }
  const { answer } = outcome
  const holds = until !== undefined && subject.holds(answer)
  const { told: last } = state
  const isReported = holds || last === undefined || subject.moved(answer, last, onChangeBps)
  const told = isReported ? subject.bodies(answer, last) : undefined
  const time = around.clock.now()
  await around.sink({ kind: 'answer', time, height, answer, told })
  if (told === undefined) return undefined
  state.told = answer
  state.results += 1
  if (told.length > 0) state.lineAt = time
  if (holds) return { reason: 'until', exit: 0 }
  if (state.results !== count) return undefined
  return { reason: 'count', exit: until === undefined ? 0 : UNMET }
}

type Outcome<Answer> = { readonly answer: Answer } | { readonly error: unknown }

const outcomeOf = <Answer>(asked: Promise<Answer>): Promise<Outcome<Answer>> =>
  asked.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )

async function problem<Answer>(
  error: unknown,
  fatal: boolean,
  state: State<Answer>,
  { clock, sink }: FollowContext<Answer>,
): Promise<End> {
  const time = clock.now()
  state.lineAt = time
  await sink({ kind: 'problem', time, error, fatal, height: state.height })
  return { reason: 'problem', exit: exitOfError(error) }
}

const noMarket = (ms: number): SwapError =>
  new SwapError('UPSTREAM_TIMEOUT', 'no market could be read', {
    why: `none came within ${ms} ms`,
    hint: 'see what is wrong: swap doctor; or wait longer: --timeout 60s',
    members: { timeout_ms: ms },
  })
