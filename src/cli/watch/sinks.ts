import { problemOf } from '../../operations/problem.js'
import type { Output } from '../output.js'
import { renderProblemLine } from '../problem.js'
import type { Sink, WatchEvent } from './event.js'

/** Prints each event as a line of NDJSON. `seq` counts the lines without gaps. */
export function ndjson<Answer>(out: Output): Sink<Answer> {
  let seq = 0
  return async (moment) => {
    const { time, kind } = moment
    const at = new Date(time).toISOString()
    if (kind === 'problem' && moment.fatal) out.say(renderProblemLine(moment.error, out.noteStyle))
    for (const { type, height, ...members } of eventsOf(moment)) {
      seq += 1
      const head = { type, seq, time: at, ...(height !== undefined && { height }) }
      await out.result(JSON.stringify({ ...head, ...members }))
    }
  }
}

type Event = {
  readonly type: string
  readonly height?: number | undefined
  readonly [member: string]: unknown
}

function eventsOf<Answer>(moment: WatchEvent<Answer>): readonly Event[] {
  switch (moment.kind) {
    case 'answer':
      return (moment.told ?? []).map((body) => ({ ...body, height: moment.height }))
    case 'problem': {
      const { fatal, error, height } = moment
      return [{ type: 'problem', height, fatal, problem: problemOf(error, height) }]
    }
    case 'heartbeat':
      return [{ type: 'heartbeat', height: moment.height }]
    case 'end':
      return [{ type: 'end', reason: moment.reason, exit: moment.exit }]
  }
}

/** Prints a line of text for each reported answer; problems go to stderr. */
export const lines =
  <Answer>(
    out: Output,
    lineOf: (answer: Answer, height: number, time: number) => string,
  ): Sink<Answer> =>
  async (moment) => {
    if (moment.kind === 'problem') await reportProblem(out, moment)
    if (moment.kind === 'answer' && moment.told !== undefined && moment.told.length > 0)
      await out.result(lineOf(moment.answer, moment.height, moment.time))
  }

/** Prints fatal problems only. */
export const silent =
  <Answer>(out: Output): Sink<Answer> =>
  async (moment) => {
    if (moment.kind === 'problem' && moment.fatal) await reportProblem(out, moment)
  }

/** Prints a fatal problem in full, another one in a line. */
export async function reportProblem<Answer>(
  out: Output,
  { error, fatal }: Extract<WatchEvent<Answer>, { readonly kind: 'problem' }>,
): Promise<void> {
  if (fatal) return out.problem(error, { json: false })
  out.say(renderProblemLine(error, out.noteStyle))
}
