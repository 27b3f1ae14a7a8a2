import { type Style, styleOf } from '../../render/style.js'
import { printable } from '../../render/width.js'
import type { Key, Live, Terminal } from '../live/live.js'
import type { Output } from '../output.js'
import { renderProblemLine } from '../problem.js'
import { MOST_LINES, type Watching } from './frame.js'
import type { End, Moment, Sink } from './moment.js'
import { type Session, sessionWith } from './session.js'
import { tellProblem } from './sinks.js'

/** What a screen shows of an answer. */
export type Picture<Answer> = {
  /** The number whose way is drawn. */
  number(answer: Answer): bigint | undefined
  frame(
    answer: Answer,
    last: Answer | undefined,
    watching: Watching,
    style: Style,
  ): readonly string[]
}

export type ScreenOptions = {
  readonly terminal: Terminal
  /** `--width`, where it was given. */
  readonly width: number | undefined
  readonly pace: string
  /** On a screen of its own; what was shown last is left on the other one. */
  readonly fullscreen: boolean
  /** Ends the watching. */
  readonly stop: (end: End) => void
}

/** Answers as a live region: opened with the first one, closed with the end. */
export function screen<Answer>(
  out: Output,
  picture: Picture<Answer>,
  { terminal, width, pace, fullscreen, stop }: ScreenOptions,
): Sink<Answer> {
  const { stdout, stdin } = terminal
  let live: Live | undefined
  let session: Session | undefined
  let [answer, last]: [Answer | undefined, Answer | undefined] = [undefined, undefined]
  let problem: string | undefined
  let compares = false

  const frame = (most = fullscreen ? Number.POSITIVE_INFINITY : MOST_LINES): readonly string[] => {
    if (answer === undefined || session === undefined) return []
    const columns = width ?? stdout.columns ?? out.style.width
    const watching: Watching = {
      session,
      pace,
      problem,
      compares,
      keys: stdin !== undefined,
      lines: Math.max(1, Math.min(most, (stdout.rows || MOST_LINES + 1) - 1)),
    }
    return picture.frame(answer, last, watching, styleOf({ ...out.style, width: columns }))
  }
  const draw = () => live?.show(frame())
  const resized = () => {
    live?.clear()
    draw()
  }
  const pressed = (key: Key) => {
    if (key === 'interrupt') stop({ reason: 'interrupted', exit: 130 })
    if (key === 'q') stop({ reason: 'quit', exit: 0 })
    if (key === 'enter') stop({ reason: 'taken', exit: 0 })
    if (key !== 'c') return
    compares = !compares
    draw()
  }
  const close = async (): Promise<void> => {
    stdout.off('resize', resized)
    if (live === undefined) return
    live.close()
    live = undefined
    if (fullscreen) await out.result(frame(MOST_LINES).join('\n'))
  }
  const show = async (): Promise<void> => {
    if (live !== undefined) return draw()
    const { openLive } = await import('../live/live.js')
    live = openLive(terminal, pressed, { first: frame(), fullscreen })
    stdout.on('resize', resized)
  }
  return async (moment: Moment<Answer>) => {
    if (moment.kind === 'end') return close()
    if (moment.kind === 'problem' && (moment.fatal || live === undefined)) {
      await close()
      return tellProblem(out, moment)
    }
    if (moment.kind === 'problem') problem = problemText(moment.error, out)
    if (moment.kind === 'answer') {
      problem = undefined
      session = sessionWith(session, moment.height, picture.number(moment.answer))
      if (moment.told === undefined && live !== undefined) return
      last = answer
      answer = moment.answer
    }
    if (answer !== undefined) return show()
  }
}

const problemText = (error: unknown, { style }: Output): string =>
  printable(renderProblemLine(error, styleOf({ ...style, color: false })))
