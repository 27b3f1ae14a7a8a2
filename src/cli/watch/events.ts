import type { Json } from '../../engine/errors.js'
import { rational, toBps } from '../../engine/math/rational.js'
import { problemOf } from '../../operations/problem.js'
import type { Output } from '../output.js'
import { renderProblemLine } from '../problem.js'
import type { HookEnd } from './hook.js'

/** Why watching ended. */
export type WatchEnd = {
  readonly reason: 'count' | 'until' | 'interrupted' | 'quit' | 'taken' | 'problem'
  readonly exit: number
}

/** The members of an event beside those that all events have. */
export type EventBody = {
  readonly type: string
  readonly [member: string]: Json | object | undefined
}

/** An event of the watch loop. `time` is RFC 3339 UTC. */
export type WatchEvent<Answer> = { readonly time: string } & (
  | {
      readonly kind: 'answer'
      readonly height: number
      readonly answer: Answer
      /** The events of the answer; `undefined` if it has not changed enough to be reported. */
      readonly reported: readonly EventBody[] | undefined
    }
  | {
      readonly kind: 'problem'
      readonly error: unknown
      /** Only the end event follows. */
      readonly fatal: boolean
      readonly height: number | undefined
    }
  | ({ readonly kind: 'exec'; readonly height: number } & HookEnd)
  | { readonly kind: 'heartbeat'; readonly height: number | undefined }
  | ({ readonly kind: 'end' } & WatchEnd)
)

/** Consumes events one after the other: as lines, values or a screen. */
export type EventSink<Answer> = (event: WatchEvent<Answer>) => Promise<void> | void

/** A number of an answer; `undefined` if the answer does not have it. */
type Watched = bigint | undefined

/** Whether a watched number has changed by at least `bps` of what it was. */
export function hasMoved(now: Watched, was: Watched, bps: bigint): boolean {
  if (now === undefined || was === undefined) return now !== was
  return (now > was ? now - was : was - now) * 10_000n >= bps * was
}

/** The change of a watched number in basis points, as events have it. */
export const changeBps = (now: Watched, was: Watched): number | undefined =>
  now === undefined || !was ? undefined : toBps(rational(now - was, was))

/** Prints each event as a line of NDJSON. `seq` counts the lines without gaps. */
export function ndjson<Answer>(out: Output): EventSink<Answer> {
  let seq = 0
  return async (event) => {
    const { time, kind } = event
    if (kind === 'problem' && event.fatal) out.say(renderProblemLine(event.error, out.noteStyle))
    for (const each of eventsOf(event)) {
      seq += 1
      await out.result(eventJson(each, time, seq))
    }
  }
}

/** An event as a line of NDJSON; what `--exec` reads has no number. */
export function eventJson({ type, height, ...members }: Event, time: string, seq?: number): string {
  return JSON.stringify({ type, seq, time, height, ...members })
}

type Event = {
  readonly type: string
  readonly height?: number | undefined
  readonly [member: string]: unknown
}

function eventsOf<Answer>(event: WatchEvent<Answer>): readonly Event[] {
  switch (event.kind) {
    case 'answer':
      return (event.reported ?? []).map((body) => ({ ...body, height: event.height }))
    case 'problem': {
      const { fatal, error, height } = event
      return [{ type: 'problem', height, fatal, problem: problemOf(error, height) }]
    }
    default: {
      const { kind: type, time: _, ...members } = event
      return [{ type, ...members }]
    }
  }
}

/** Prints a line of text for each reported answer; problems go to stderr. */
export const lines =
  <Answer>(out: Output, lineOf: (answer: Answer) => string): EventSink<Answer> =>
  async (event) => {
    if (event.kind === 'problem') await reportProblem(out, event)
    if (event.kind === 'exec') reportHook(out, event)
    if (event.kind === 'answer' && event.reported !== undefined && event.reported.length > 0)
      await out.result(lineOf(event.answer))
  }

/** Prints fatal problems, and commands of `--exec` that failed. */
export const quietSink =
  <Answer>(out: Output): EventSink<Answer> =>
  async (event) => {
    if (event.kind === 'exec') reportHook(out, event)
    if (event.kind === 'problem' && event.fatal) await reportProblem(out, event)
  }

/** Notes that a command of `--exec` failed. */
function reportHook(out: Output, { exit, signal }: HookEnd): void {
  if (exit !== 0)
    out.say(`the command of --exec ended ${exit === null ? `by ${signal}` : `with ${exit}`}`)
}

/** Prints a fatal problem in full, another one in a line. */
export async function reportProblem<Answer>(
  out: Output,
  { error, fatal }: Extract<WatchEvent<Answer>, { readonly kind: 'problem' }>,
): Promise<void> {
  if (fatal) return out.problem(error, { json: false })
  out.say(renderProblemLine(error, out.noteStyle))
}
