import type { ReactElement } from 'react'
import { printable } from '../../platform/printable.js'
import { type Style, styleOf } from '../../render/style.js'
import { stopJob } from '../job-control.js'
import type { Output } from '../output.js'
import { renderProblemLine } from '../problem.js'
import { type EventSink, reportProblem, type WatchEnd, type WatchEvent } from './events.js'
import type { FrameContext } from './frame.js'
import type { Key, LiveRegion, Terminal } from './live-region.js'
import { addHeight, type SessionStats } from './session-stats.js'

/** Most lines of a live region; at most one less than the rows of the screen. */
export const MOST_LINES = 14

/** Draws an answer; `last` is the previous one. */
type DrawFrame<Answer> = (
  answer: Answer,
  last: Answer | undefined,
  context: FrameContext,
  style: Style,
) => ReactElement

/** The live screen of a command. */
export type LiveView<Answer> = {
  /** The number that the sparkline follows. */
  number(answer: Answer): bigint | undefined
  /** Loads the components of the frame, only if a screen is drawn: ink is slow to load. */
  loadFrame(): Promise<DrawFrame<Answer>>
}

type ScreenOptions = {
  readonly terminal: Terminal
  /** `--width`, if given. */
  readonly width: number | undefined
  readonly pace: string
  /** Use the alternate screen; the last frame is printed on the main screen at the end. */
  readonly fullscreen: boolean
  readonly stop: (end: WatchEnd) => void
}

/** Draws answers in a live region, which opens with the first answer and closes with the end event. */
export function screen<Answer>(
  out: Output,
  view: LiveView<Answer>,
  { terminal, width = Number.POSITIVE_INFINITY, pace, fullscreen, stop }: ScreenOptions,
): EventSink<Answer> {
  const { stdout, stdin } = terminal
  let live: { readonly region: LiveRegion; readonly draw: DrawFrame<Answer> } | undefined
  let session: SessionStats | undefined
  /** The statistics up to `answer`. */
  let shown: SessionStats | undefined
  let answer: Answer | undefined
  let last: Answer | undefined
  let problem: string | undefined
  let compares = false
  let hasEnded = false

  const columns = () => Math.min(width, stdout.columns || out.style.width)
  const frame = (
    draw: DrawFrame<Answer>,
    most = fullscreen ? Number.POSITIVE_INFINITY : MOST_LINES,
  ): ReactElement => {
    const context: FrameContext = {
      session: shown!,
      pace,
      problem,
      compares,
      keys: hasEnded ? undefined : stdin !== undefined,
      lines: Math.max(1, Math.min(most, (stdout.rows || MOST_LINES + 1) - 1)),
    }
    return draw(answer!, last, context, styleOf({ ...out.style, width: columns() }))
  }
  const redraw = () => live?.region.show(frame(live.draw))
  // Before ink draws the old frame at the new width, and its lines wrap again.
  const narrowed = () => {
    live?.region.eraseWrapped()
    if (!fullscreen) redraw()
  }
  const resized = () => {
    live?.region.clear()
    redraw()
  }
  const pressed = (key: Key) => {
    if (key === 'interrupt') stop({ reason: 'interrupted', exit: 130 })
    if (key === 'stop') stopJob()
    if (key === 'q') stop({ reason: 'quit', exit: 0 })
    if (key === 'enter') stop({ reason: 'taken', exit: 0 })
    if (key !== 'c') return
    compares = !compares
    redraw()
  }
  const close = async (): Promise<void> => {
    stdout.off('resize', narrowed).off('resize', resized)
    if (live === undefined) return
    const { region, draw } = live
    hasEnded = true
    redraw()
    region.close()
    live = undefined
    if (fullscreen) await out.result(region.textOf(frame(draw, MOST_LINES), columns()))
  }
  const show = async (): Promise<void> => {
    if (live !== undefined) return redraw()
    const [{ openLive }, draw] = await Promise.all([import('./live-region.js'), view.loadFrame()])
    live = { draw, region: openLive(terminal, pressed, { first: frame(draw), fullscreen }) }
    stdout.prependListener('resize', narrowed).on('resize', resized)
  }
  return async (event: WatchEvent<Answer>) => {
    if (event.kind === 'end') return close()
    if (event.kind === 'problem' && (event.fatal || live === undefined)) {
      await close()
      return reportProblem(out, event)
    }
    if (event.kind === 'problem') problem = problemText(event.error, out)
    if (event.kind === 'answer') {
      const isOver = problem !== undefined
      problem = undefined
      session = addHeight(session, event.height, view.number(event.answer))
      // Without a reported change an answer is drawn only where it ends a problem.
      if (event.reported === undefined && live !== undefined && !isOver) return
      shown = session
      last = answer
      answer = event.answer
    }
    if (answer !== undefined) return show()
  }
}

const problemText = (error: unknown, { style }: Output): string =>
  printable(renderProblemLine(error, styleOf({ ...style, color: false })))
