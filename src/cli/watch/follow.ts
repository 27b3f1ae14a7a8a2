import { SwapError } from '../../engine/errors.js'
import type { App } from '../../operations/context.js'
import type { Served } from '../../service/feed/market-feed.js'
import { exitOfError } from '../exit.js'
import type { Clock } from './clock.js'
import type { Body, End, Sink } from './moment.js'
import type { WatchOptions } from './options.js'
import type { Watched } from './watched.js'

/** A question that is asked again at every height, and what is told of its answers. */
export type Subject<Answer> = {
  ask(app: App): Promise<Answer>
  /** Whether it has moved so many basis points since the answer that was told last. */
  moved(answer: Answer, told: Answer, bps: bigint): boolean
  bodies(answer: Answer, told: Answer | undefined): readonly Body[]
  /** Whether the condition of `--until` holds. */
  holds(answer: Answer): boolean
}

/** What watching needs beside the question. */
export type Around<Answer> = {
  readonly watched: Watched
  readonly clock: Clock
  readonly sink: Sink<Answer>
  /** Aborted with the `End` that somebody wants. */
  readonly signal: AbortSignal
  /** Milliseconds to wait for the first market. */
  readonly patienceMs: number
}

/** Milliseconds of silence that are broken by a sign of life. */
export const HEARTBEAT_MS = 30_000

/** Where a count was reached before the condition held: a guard of the user that was not met. */
const UNMET = 5

/**
 * Asks at every new height until the count is reached, the condition holds, or `signal` says so. What
 * goes wrong at one height is told, and the next one is asked all the same; only a question that is
 * wrong in itself ends it.
 */
export async function follow<Answer>(
  subject: Subject<Answer>,
  options: WatchOptions,
  around: Around<Answer>,
): Promise<End> {
  const { clock, sink, signal, watched } = around
  signal.addEventListener('abort', watched.ring, { once: true })
  const end = await turns(subject, options, around)
  signal.removeEventListener('abort', watched.ring)
  await sink({ kind: 'end', time: clock.now(), ...end })
  return end
}

type State<Answer> = {
  height: number | undefined
  told: Answer | undefined
  results: number
  failure: unknown
  /** When the last line was told, and the last answer given. */
  lineAt: number
  answeredAt: number
}

async function turns<Answer>(
  subject: Subject<Answer>,
  options: WatchOptions,
  around: Around<Answer>,
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
    const tiredAt = served === undefined ? begun + around.patienceMs : Number.POSITIVE_INFINITY
    if (tiredAt <= now)
      return problem(state.failure ?? noMarket(around.patienceMs), true, state, around)
    await sleep(Math.min(answerAt, beatAt, tiredAt) - now, around)
  }
}

async function sleep<Answer>(ms: number, { watched, clock }: Around<Answer>): Promise<void> {
  const over = new AbortController()
  await Promise.race([watched.changed(), clock.wait(ms, over.signal)])
  over.abort()
}

async function answered<Answer>(
  { height, patient }: Served,
  subject: Subject<Answer>,
  { count, onChangeBps, until }: WatchOptions,
  state: State<Answer>,
  around: Around<Answer>,
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
  const isTold = holds || last === undefined || subject.moved(answer, last, onChangeBps)
  const told = isTold ? subject.bodies(answer, last) : undefined
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
  { clock, sink }: Around<Answer>,
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
