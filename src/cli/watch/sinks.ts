import { problemOf } from '../../operations/problem.js'
import type { Output } from '../output.js'
import { renderProblemLine } from '../problem.js'
import type { EventSink, WatchEvent } from './event.js'
import type { HookEnd } from './hook.js'

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
export function eventJson({ type, height, ...members }: Event, time: number, seq?: number): string {
  const at = new Date(time).toISOString()
  return JSON.stringify({ type, seq, time: at, height, ...members })
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
    case 'exec':
      return [{ type: 'exec', height: event.height, exit: event.exit, signal: event.signal }]
    case 'heartbeat':
      return [{ type: 'heartbeat', height: event.height }]
    case 'end':
      return [{ type: 'end', reason: event.reason, exit: event.exit }]
  }
}

/** Prints a line of text for each reported answer; problems go to stderr. */
export const lines =
  <Answer>(
    out: Output,
    lineOf: (answer: Answer, height: number, time: number) => string,
  ): EventSink<Answer> =>
  async (event) => {
    if (event.kind === 'problem') await reportProblem(out, event)
    if (event.kind === 'exec') reportHook(out, event)
    if (event.kind === 'answer' && event.reported !== undefined && event.reported.length > 0)
      await out.result(lineOf(event.answer, event.height, event.time))
  }

/** Prints fatal problems, and commands of `--exec` that failed. */
export const silent =
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
