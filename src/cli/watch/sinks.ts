import { problemOf } from '../../operations/problem.js'
import type { Output } from '../output.js'
import { renderProblemLine } from '../problem.js'
import type { Moment, Sink } from './moment.js'

/** A line of NDJSON for every event, complete on its own. `seq` counts the lines without gaps. */
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

function eventsOf<Answer>(moment: Moment<Answer>): readonly Event[] {
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

/** A line of text for every answer that is told; problems go to stderr. */
export const lines =
  <Answer>(
    out: Output,
    lineOf: (answer: Answer, height: number, time: number) => string,
  ): Sink<Answer> =>
  async (moment) => {
    if (moment.kind === 'problem') await tellProblem(out, moment)
    if (moment.kind === 'answer' && moment.told !== undefined && moment.told.length > 0)
      await out.result(lineOf(moment.answer, moment.height, moment.time))
  }

/** Nothing but what went wrong for good. */
export const silent =
  <Answer>(out: Output): Sink<Answer> =>
  async (moment) => {
    if (moment.kind === 'problem' && moment.fatal) await tellProblem(out, moment)
  }

/** What went wrong: in full where it ends everything, else in a line. */
export async function tellProblem<Answer>(
  out: Output,
  { error, fatal }: Extract<Moment<Answer>, { readonly kind: 'problem' }>,
): Promise<void> {
  if (fatal) return out.problem(error, { json: false })
  out.say(renderProblemLine(error, out.noteStyle))
}
