import { field, formOf, indentOf, unbroken } from '../../render/layout.js'
import { sparkline } from '../../render/picture.js'
import { glyphsOf, type Style } from '../../render/style.js'
import type { Session } from './session.js'

/** Lines of a live region at most; one less than the screen where that is shorter. */
export const MOST_LINES = 14

/** How a command is watched, for the frame's words. */
export type Watching = {
  readonly session: Session
  /** `every block`, or no more often than so much. */
  readonly pace: string
  /** Keys are read, so they are named. */
  readonly keys: boolean
  /** What went wrong last, where nothing has come since. */
  readonly problem: string | undefined
  /** Other ways are shown in place of the legs. */
  readonly compares: boolean
  /** Lines that may be used. */
  readonly lines: number
}

/** Parts of a frame from top to bottom. */
export type Parts = {
  readonly title: readonly string[]
  readonly figures: readonly string[]
  /** Cut from the end where space is short. */
  readonly body: readonly string[]
  /** Left out of small screens. */
  readonly foot: readonly string[]
}

/** Lines from which on the foot stays and the body is cut; a smaller screen is for the answer alone. */
const ROOMY = 10

/** Puts a frame together in at most `lines` lines: empty lines go first, then the end of the body. */
export function frameOf({ title, figures, body, foot }: Parts, lines: number): readonly string[] {
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
 * What went wrong last, high, low and the blocks that were seen, and the line of what has been, which
 * is gone under 60 columns.
 */
export function sessionLines(
  { session, problem }: Watching,
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

/** Up or down against the block before. @example '▼ 11.44 since the last block' */
export function stepText(
  { session: { step } }: Watching,
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

/** What can be done. */
export function footLines(
  { keys }: Watching,
  more: readonly string[],
  style: Style,
): readonly string[] {
  const indent = ' '.repeat(indentOf(style))
  const texts = keys ? [...more, 'q quits'] : ['ctrl-c stops']
  const { dot } = glyphsOf(style)
  return [indent + style.dim(texts.join(` ${dot} `))]
}
