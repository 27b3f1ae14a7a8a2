import { type Style, styleOf } from '../../render/style.js'
import { printable } from '../../render/width.js'
import type { Output } from '../output.js'
import { renderProblemLine } from '../problem.js'
import type { End, Sink, WatchEvent } from './event.js'
import { type FrameContext, MOST_LINES } from './frame.js'
import type { Key, LiveRegion, Terminal } from './live-region.js'
import { addHeight, type SessionStats } from './session-stats.js'
import { reportProblem } from './sinks.js'

/** How a live screen draws an answer. */
export type LiveView<Answer> = {
  /** The number that the sparkline follows. */
  number(answer: Answer): bigint | undefined
  frame(
    answer: Answer,
    last: Answer | undefined,
    watching: FrameContext,
    style: Style,
  ): readonly string[]
}

export type ScreenOptions = {
  readonly terminal: Terminal
  /** `--width`, if given. */
  readonly width: number | undefined
  readonly pace: string
  /** Use the alternate screen; the last frame is printed on the main screen at the end. */
  readonly fullscreen: boolean
  /** Ends the watching. */
  readonly stop: (end: End) => void
}

/** Draws answers in a live region, which opens with the first answer and closes with the end event. */
export function screen<Answer>(
  out: Output,
  picture: LiveView<Answer>,
  { terminal, width, pace, fullscreen, stop }: ScreenOptions,
): Sink<Answer> {
  const { stdout, stdin } = terminal
  let live: LiveRegion | undefined
  let session: SessionStats | undefined
  let [answer, last]: [Answer | undefined, Answer | undefined] = [undefined, undefined]
  let problem: string | undefined
  let compares = false

  const frame = (most = fullscreen ? Number.POSITIVE_INFINITY : MOST_LINES): readonly string[] => {
    if (answer === undefined || session === undefined) return []
    const columns = width ?? stdout.columns ?? out.style.width
    const watching: FrameContext = {
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
    const { openLive } = await import('./live-region.js')
    live = openLive(terminal, pressed, { first: frame(), fullscreen })
    stdout.on('resize', resized)
  }
  return async (moment: WatchEvent<Answer>) => {
    if (moment.kind === 'end') return close()
    if (moment.kind === 'problem' && (moment.fatal || live === undefined)) {
      await close()
      return reportProblem(out, moment)
    }
    if (moment.kind === 'problem') problem = problemText(moment.error, out)
    if (moment.kind === 'answer') {
      problem = undefined
      session = addHeight(session, moment.height, picture.number(moment.answer))
      if (moment.told === undefined && live !== undefined) return
      last = answer
      answer = moment.answer
    }
    if (answer !== undefined) return show()
  }
}

const problemText = (error: unknown, { style }: Output): string =>
  printable(renderProblemLine(error, styleOf({ ...style, color: false })))
