import { field, formOf, indentOf, unbroken } from '../../render/layout.js'
import { sparkline } from '../../render/picture.js'
import { glyphsOf, type Style } from '../../render/style.js'
import type { SessionStats } from './session-stats.js'

/** Most lines of a live region; at most one less than the rows of the screen. */
export const MOST_LINES = 14

/** State of the watch loop that a frame shows. */
export type FrameContext = {
  readonly session: SessionStats
  /** `every block`, or the interval of `--every`. */
  readonly pace: string
  /** Keys are read, so the footer names them. */
  readonly keys: boolean
  /** The last problem, if no answer has arrived since. */
  readonly problem: string | undefined
  /** Alternatives are shown in place of the legs. */
  readonly compares: boolean
  /** Lines available to the frame. */
  readonly lines: number
}

/** Sections of a frame from top to bottom. */
export type FrameSections = {
  readonly title: readonly string[]
  readonly figures: readonly string[]
  /** Cut at its end if the frame is too high. */
  readonly body: readonly string[]
  /** Left out on small screens. */
  readonly foot: readonly string[]
}

/** The least lines of a frame with a footer; smaller screens show the answer alone. */
const ROOMY = 10

/** Joins the sections in at most `lines` lines: drops empty lines first, then the end of the body. */
export function frameOf(
  { title, figures, body, foot }: FrameSections,
  lines: number,
): readonly string[] {
  const spaced = (parts: readonly (readonly string[])[]) =>
    parts.filter((part) => part.length > 0).flatMap((part, i) => (i === 0 ? part : ['', ...part]))
  const tall = [...title, ...spaced([figures, body, foot])]
  if (tall.length <= lines) return tall
  const dense = [...title, ...figures, ...body, ...foot]
  if (dense.length <= lines) return dense
  const bare = [...title, ...figures, ...body]
  if (lines < ROOMY) return bare.slice(0, lines)
  return [...bare.slice(0, lines - foot.length), ...foot]
}

/**
 * The last problem, the range, the observed blocks, and the sparkline, which is left out under
 * 60 columns.
 */
export function sessionLines(
  { session, problem }: FrameContext,
  text: (value: bigint) => string,
  style: Style,
): readonly string[] {
  const { blocks, missed, range, series } = session
  const count = `${blocks} ${blocks === 1 ? 'block' : 'blocks'}, ${missed} missed`
  const extremes = range === undefined ? [] : [`high ${text(range[1])}`, `low ${text(range[0])}`]
  const lines = [
    ...(problem === undefined ? [] : field(style.yellow('Problem'), [problem], style)),
    ...field('Session', [...extremes, count].map(unbroken), style),
  ]
  if (formOf(style) === 'stacked' || series.length < 2) return lines
  const indent = indentOf(style)
  const line = sparkline(series, style.width - 2 * indent, style)
  return [...lines, ' '.repeat(indent) + style.cyan(line)]
}

/** The change since the last block. @example '▼ 11.44 since the last block' */
export function stepText(
  { session: { step } }: FrameContext,
  text: (value: bigint) => string,
  style: Style,
  isBetter: 'up' | 'down' = 'up',
): string {
  if (step === undefined) return ''
  if (step === 0n) return style.dim('as at the last block')
  const { up, down } = glyphsOf(style)
  const words = `${step > 0n ? up : down} ${text(step > 0n ? step : -step)} since the last block`
  return step > 0n === (isBetter === 'up') ? style.green(words) : style.red(words)
}

/** The footer: the keys that can be pressed. */
export function footLines(
  { keys }: FrameContext,
  more: readonly string[],
  style: Style,
): readonly string[] {
  const indent = ' '.repeat(indentOf(style))
  const texts = keys ? [...more, 'q quits'] : ['ctrl-c stops']
  const { dot } = glyphsOf(style)
  return [indent + style.dim(texts.join(` ${dot} `))]
}
