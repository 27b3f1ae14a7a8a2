import { Box, renderToString, Text } from 'ink'
import type { ReactElement, ReactNode } from 'react'
import { counted, groupThousands } from '../../engine/math/counted.js'
import {
  formOf,
  indentOf,
  LABEL,
  type Place,
  placeText,
  roomOf,
  wrapText,
} from '../../render/layout.js'
import { sparkline } from '../../render/picture.js'
import { glyphsOf, type Style } from '../../render/style.js'
import { type Columns, type Fold, foldedTable } from '../../render/table.js'
import { displayWidth, truncate } from '../../render/width.js'
import type { SessionStats } from './session-stats.js'

/** State of the watch loop that a frame shows. */
export type FrameContext = {
  readonly session: SessionStats
  /** `every block`, or the interval of `--watch`. */
  readonly pace: string
  /** Keys are read, so the footer names them; `undefined` after the end, without a footer. */
  readonly keys: boolean | undefined
  /** The last problem, if no answer has arrived since. */
  readonly problem: string | undefined
  /** Alternatives are shown in place of the legs. */
  readonly compares: boolean
  /** Lines available to the frame. */
  readonly lines: number
}

/** Sections of a frame from top to bottom. */
type FrameSections = {
  readonly title: ReactNode
  readonly figures: ReactNode
  /** Cut at its end if the frame is too high. */
  readonly body: ReactNode
  /** Left out on small screens. */
  readonly foot: ReactNode
}

/** What a command draws of one answer. */
type AnswerFrame = {
  /** Left of the pace, in the title. */
  readonly title: string
  readonly place: Place
  /** Fields above the statistics of the session. */
  readonly figures: ReactNode
  /** Formats a value of the series. */
  readonly format: (value: bigint) => string
  /** What is below; as a function it gets the lines that are left for it. */
  readonly body: ReactNode | ((lines: number) => ReactNode)
  /** Keys beside `q`. */
  readonly keys?: readonly string[]
}

/** The frame of an answer: title, figures, statistics of the session, body and keys. */
export function answerFrame(
  context: FrameContext,
  style: Style,
  { title: text, place, figures: fields, format, body, keys = [] }: AnswerFrame,
): ReactElement {
  const title = (
    <Title text={`${text} ${glyphsOf(style).dot} ${context.pace}`} place={place} style={style} />
  )
  const figures = (
    <>
      {fields}
      <Session context={context} format={format} style={style} />
    </>
  )
  const foot = context.keys !== undefined && <Keys context={context} more={keys} style={style} />
  const taken = () =>
    [title, figures, foot].reduce((sum, part) => sum + heightOf(part, style.width), 0)
  const shown = typeof body === 'function' ? body(context.lines - taken()) : body
  return frameOf({ title, figures, body: shown, foot }, context.lines, style.width)
}

/** The least lines of a frame with a footer; smaller screens show the answer alone. */
const ROOMY = 10

/**
 * Lays out the sections in at most `lines` lines of `width` columns: drops empty lines first, then the
 * end of the body.
 */
export function frameOf(
  { title, figures, body, foot }: FrameSections,
  lines: number,
  width: number,
): ReactElement {
  const layOut = (margin: 0 | 1, shown: ReactNode, height?: number) => (
    <Box flexDirection="column" width={width} overflow="hidden" {...(height && { height })}>
      <Section>{title}</Section>
      <Section>{figures}</Section>
      <Box flexDirection="column" marginTop={margin} overflow="hidden">
        <Section>{body}</Section>
      </Box>
      {shown && <Section margin={margin}>{shown}</Section>}
    </Box>
  )
  const tall = layOut(1, foot)
  const height = heightOf(tall, width)
  if (height <= lines) return tall
  if (height - 2 <= lines) return layOut(0, foot)
  return layOut(0, lines < ROOMY ? undefined : foot, lines)
}

/** A part of a column that keeps its height. */
const Section = ({
  children,
  margin = 0,
}: {
  readonly children: ReactNode
  readonly margin?: 0 | 1
}): ReactElement => (
  <Box flexDirection="column" flexShrink={0} marginTop={margin}>
    {children}
  </Box>
)

/** The lines that a node takes at `width` columns. */
const heightOf = (node: ReactNode, width: number): number =>
  textOf(<Section>{node}</Section>, width).split('\n').length

/** A frame as text, for output that is not redrawn. */
export const textOf = (frame: ReactElement, width: number): string =>
  renderToString(frame, { columns: width })

type StyleProps = { readonly style: Style }

/** The title on the left, network and block on the right, a rule below unless stacked. */
function Title({
  text,
  place,
  style,
}: StyleProps & { readonly text: string; readonly place: Place }): ReactElement {
  const right = placeText(place, style)
  if (formOf(style) === 'stacked')
    return (
      <>
        <Flow pieces={text.split(' ').map(style.bold)} gap={1} width={style.width} style={style} />
        <Line text={right} width={style.width} style={style} />
      </>
    )
  return (
    <>
      <Box flexWrap="wrap" justifyContent="space-between" columnGap={3}>
        <Line text={style.bold(text)} width={style.width} style={style} />
        <Text>{right}</Text>
      </Box>
      <Text wrap="truncate">{glyphsOf(style).line.repeat(style.width)}</Text>
    </>
  )
}

type FlowProps = StyleProps & {
  /** A text is broken between its words. */
  readonly pieces: string | readonly string[]
  /** Columns between two pieces, by default 3, and 1 between words. */
  readonly gap?: number
  readonly width: number
}

/** Pieces beside each other; one that does not fit starts a new line. Empty ones are left out, long words cut. */
const Flow = ({ pieces, gap, width, style }: FlowProps): ReactElement => (
  <Box flexWrap="wrap" columnGap={gap ?? (typeof pieces === 'string' ? 1 : 3)} width={width}>
    {(typeof pieces === 'string' ? pieces.split(' ') : pieces)
      .flatMap((piece) => (piece ? wrapText(piece, width) : []))
      // What was kept together is broken where it alone is too long.
      .flatMap((line) => wrapText(line, width))
      .map((text, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text has no identity but its place
        <Line key={i} text={text} width={width} style={style} />
      ))}
  </Box>
)

type LineProps = StyleProps & { readonly text: string; readonly width: number }

/** A text of one line, cut with the ellipsis of the style where it is wider; ink's own is not ASCII. */
const Line = ({ text, width, style }: LineProps): ReactElement => (
  <Text wrap="truncate">{truncate(text, width, glyphsOf(style).ellipsis)}</Text>
)

type FieldProps = Omit<FlowProps, 'width'> & { readonly label: string }

/** A label with pieces beside it. */
export const Field = ({ label, ...flow }: FieldProps): ReactElement => (
  <Box paddingLeft={indentOf(flow.style)}>
    <Box width={LABEL} flexShrink={0}>
      <Text>{label}</Text>
    </Box>
    <Flow {...flow} width={roomOf(flow.style)} />
  </Box>
)

/** A sentence, wrapped between its words. */
const Sentence = ({ text, style }: StyleProps & { readonly text: string }): ReactElement => (
  <Box paddingLeft={indentOf(style)}>
    <Flow pieces={text} width={style.width - indentOf(style)} style={style} />
  </Box>
)

type TableProps<Item> = StyleProps & {
  readonly items: readonly Item[]
  readonly columns: Columns<Item>
  /** The sentence in place of a table without items. */
  readonly empty?: string
  /** In at most so many lines. */
  readonly fold?: Fold
}

export const Table = <Item,>({
  items,
  columns,
  empty,
  fold,
  style,
}: TableProps<Item>): ReactNode =>
  items.length === 0 && empty !== undefined ? (
    <Sentence text={empty} style={style} />
  ) : (
    foldedTable(items, style, columns, fold).map((text, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text has no identity but its place
      <Line key={i} text={text} width={style.width} style={style} />
    ))
  )

type SessionProps = StyleProps & {
  readonly context: FrameContext
  /** Formats a value of the series. */
  readonly format: (value: bigint) => string
}

/**
 * The last problem, the range, the observed blocks, and the sparkline, which is left out under
 * 60 columns.
 */
function Session({ context, format, style }: SessionProps): ReactElement {
  const { problem, session } = context
  const { blocks, skipped, range, series } = session
  const count = `${counted(blocks, 'block')}, ${skipped} skipped`
  const extremes = range ? [`high ${format(range[1])}`, `low ${format(range[0])}`] : []
  const indent = indentOf(style)
  const isDrawn = formOf(style) !== 'stacked' && series.length > 1
  return (
    <>
      {problem !== undefined && (
        <Field label={style.warning('Problem')} pieces={problem} style={style} />
      )}
      <Field label="Session" pieces={[...extremes, count]} style={style} />
      {isDrawn && (
        <Box paddingX={indent}>
          <Text>{sparkline(series, style.width - 2 * indent, style)}</Text>
        </Box>
      )}
    </>
  )
}

/** The change since the last observed block. @example '▼ 11.44 since the last block' */
export function stepText(
  { session: { step, height } }: FrameContext,
  format: (value: bigint) => string,
  style: Style,
  isBetter: 'up' | 'down' = 'up',
): string {
  if (step === undefined) return ''
  const { change, since } = step
  const block = since === height - 1 ? 'the last block' : `block ${groupThousands(`${since}`)}`
  if (change === 0n) return style.muted(`as at ${block}`)
  const { up, down } = glyphsOf(style)
  const words = `${change > 0n ? up : down} ${format(change > 0n ? change : -change)} since ${block}`
  return change > 0n === (isBetter === 'up') ? style.good(words) : style.bad(words)
}

type KeysProps = StyleProps & { readonly context: FrameContext; readonly more: readonly string[] }

/** The footer: the keys that can be pressed; the first and the last where all do not fit. */
const Keys = ({ context, more, style }: KeysProps): ReactElement => {
  const keys = context.keys ? [...more, 'q quits'] : ['ctrl-c stops']
  const width = style.width - indentOf(style)
  const join = (words: readonly string[]) => words.join(` ${glyphsOf(style).dot} `)
  const fitting = displayWidth(join(keys)) > width ? keys.toSpliced(1, keys.length - 2) : keys
  return (
    <Box paddingLeft={indentOf(style)}>
      <Line text={style.muted(join(fitting))} width={width} style={style} />
    </Box>
  )
}
