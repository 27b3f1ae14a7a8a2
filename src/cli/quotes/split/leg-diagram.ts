import { append } from '../../../engine/math/grouped.js'
import type { HopDocument } from '../../../operations/route/route-documents.js'
import type { LegDocument } from '../../../operations/split/split-documents.js'
import { indentOf } from '../../../render/layout.js'
import { displayWidth, padStart } from '../../../render/width.js'
import { type SplitView, shareText, venueName } from '../route/route-view.js'

/** Box-drawing corners where lines fork or join: at the first, the middle and the last line. */
type Ends = readonly [first: string, middle: string, last: string]

type Glyphs = {
  readonly line: string
  readonly head: string
  /** Beside a line that neither forks nor joins in this column. */
  readonly past: string
  readonly forks: Ends
  readonly joins: Ends
}

const unicode: Glyphs = {
  line: '━',
  head: '▶',
  past: '┃',
  forks: ['┳', '┣', '┗'],
  joins: ['┳', '┫', '┛'],
}

const ascii: Glyphs = {
  line: '=',
  head: '>',
  past: '|',
  forks: ['+', '+', '+'],
  joins: ['+', '+', '+'],
}

/** A row of the diagram between the input and the output. */
type Row = {
  readonly text: string
  /** Whether it starts at the input, rather than at a fork of the row above. */
  readonly leaves: boolean
  /** Whether it ends at the output, rather than in a join with the row above. */
  readonly arrives: boolean
}

/**
 * Draws the legs as lines from the input to the output. Legs with a common first or last hop share it;
 * if that is too wide each leg is drawn separately, and if that is too wide as well the result is
 * empty.
 */
export function legDiagram(view: SplitView): readonly string[] {
  const { style, best } = view
  if (best.legs.length < 2) return []
  const indent = indentOf(style)
  const alone = best.legs.map((leg, i) => [{ leg, first: `${i}`, last: `${i}` }])
  for (const bundles of [groupedByFirstHop(best.legs), alone]) {
    const lines = drawn(bundles, view)
    if (lines.every((text) => displayWidth(text) <= style.width - indent))
      return lines.map((text) => ' '.repeat(indent) + text)
  }
  return []
}

function drawn(bundles: readonly LegGroup[], view: SplitView): readonly string[] {
  const { names, style, best } = view
  const glyphs = style.ascii ? ascii : unicode
  const { line, head, forks, joins } = glyphs
  const rows = joinedRows(bundles, view, glyphs)
  const length = Math.max(...rows.map(({ text }) => displayWidth(text))) + 1
  const [leaving, arriving] = [rows.map((row) => row.leaves), rows.map((row) => row.arrives)]
  const [first] = best.legs
  const [from, to] = [names.symbol(first!.path[0]!), names.symbol(first!.path.at(-1)!)]
  return rows.map(({ text, arrives }, i) => {
    const lead = i === 0 ? `${from} ${line}` : ' '.repeat(displayWidth(from) + 2)
    const fork = endAt(leaving, i, forks, glyphs)
    const join = endAt(arriving, i, joins, glyphs)
    const filled = padded(text, length, arrives ? line : ' ')
    return `${lead}${fork}${filled}${join}${i === 0 ? `${line}${head} ${to}` : ''}`.trimEnd()
  })
}

/** The corner of row `i` in a column where the rows marked `here` fork or join. */
function endAt(here: readonly boolean[], i: number, ends: Ends, { line, past }: Glyphs): string {
  const [first, last] = [here.indexOf(true), here.lastIndexOf(true)]
  if (!here[i]) return i > first && i < last ? past : ' '
  if (first === last) return line
  return endOf(ends, i - first, last - first + 1)
}

/** Appends the last hops that rows share. */
function joinedRows(bundles: readonly LegGroup[], view: SplitView, glyphs: Glyphs): readonly Row[] {
  const lefts = bundles.flatMap((bundle) => leftPart(bundle, bundles, view, glyphs))
  const { line, joins } = glyphs
  let at = 0
  return runsOf(bundles.flat()).flatMap((run) => {
    const part = lefts.slice(at, at + run.length)
    at += run.length
    if (run.length === 1) return [{ ...part[0]!, arrives: true }]
    const width = Math.max(...part.map(({ text }) => displayWidth(text))) + 1
    const { leg } = run[0]!
    const tail = `${line} ${venueName(leg.hops.at(-1)!, view.names)} `
    return part.map(({ text, leaves }, i) => {
      const met = padded(text, width, line) + endOf(joins, i, run.length)
      return { text: i === 0 ? met + tail : met, leaves, arrives: i === 0 }
    })
  })
}

/** The rows of a group up to the output, or up to a shared last hop. */
function leftPart(
  bundle: LegGroup,
  all: readonly LegGroup[],
  view: SplitView,
  glyphs: Glyphs,
): readonly Omit<Row, 'arrives'>[] {
  const { line, forks } = glyphs
  const runs = runsOf(all.flat())
  const isMet = (strand: DiagramLeg) => runs.some((run) => run.length > 1 && run.includes(strand))
  const way = (strand: DiagramLeg, from: number) => {
    const { hops } = strand.leg
    const own = hops.slice(from, isMet(strand) ? -1 : undefined)
    const steps = own.map((hop) => ` ${stepText(hop, hop === hops.at(-1), view, glyphs)}`)
    return `${shareOf([strand], all, view)} ${line}${steps.join('')}`
  }
  const [first] = bundle
  if (bundle.length === 1) return [{ text: `${line.repeat(3)} ${way(first!, 0)}`, leaves: true }]
  const hop = stepText(first!.leg.hops[0]!, false, view, glyphs)
  const stem = `${line.repeat(3)} ${shareOf(bundle, all, view)} ${line} ${hop}`
  return bundle.map((strand, i) => ({
    text: `${i === 0 ? stem : ' '.repeat(displayWidth(stem))}${endOf(forks, i, bundle.length)}${line} ${way(strand, 1)}`,
    leaves: i === 0,
  }))
}

/** A hop's venue, and its output token unless that is the output of the swap. */
function stepText(
  hop: HopDocument,
  isLast: boolean,
  { names }: SplitView,
  { line, head }: Glyphs,
): string {
  const venue = venueName(hop, names)
  return isLast ? `${venue} ` : `${venue} ${line}${head} ${names.symbol(hop.output.denom)} ${line}`
}

/** The joint share of legs, padded to the widest share of the diagram. */
function shareOf(strands: LegGroup, all: readonly LegGroup[], { answer }: SplitView): string {
  const text = (each: LegGroup) => {
    const amount = each.reduce((sum, { leg }) => sum + BigInt(leg.split.amount), 0n)
    return shareText(`${amount}`, answer.input.amount)
  }
  const shares = [...all, ...all.flat().map((strand) => [strand])].map(text)
  return padStart(text(strands), Math.max(...shares.map(displayWidth)))
}

/** The corner of row `i` of `count` rows. */
function endOf([first, middle, last]: Ends, i: number, count: number): string {
  if (i === 0) return first
  return i === count - 1 ? last : middle
}

const padded = (text: string, width: number, filler: string): string =>
  text + filler.repeat(Math.max(0, width - displayWidth(text)))

/** A leg with keys of its first and its last hop. */
type DiagramLeg = {
  readonly leg: LegDocument
  readonly first: string
  readonly last: string
}

/** Legs with a common first hop, or a single leg, from top to bottom. */
type LegGroup = readonly DiagramLeg[]

/**
 * Groups legs by first hop, and within that order puts legs with a common last hop next to each other.
 * Ties keep the order of execution.
 */
function groupedByFirstHop(legs: readonly LegDocument[]): readonly LegGroup[] {
  const strands = legs.map((leg, i) => diagramLegOf(leg, i))
  const lasts = [...new Set(strands.map(({ last }) => last))]
  const place = ({ last }: DiagramLeg) => lasts.indexOf(last)
  const bundles = new Map<string, DiagramLeg[]>()
  for (const strand of strands) append(bundles, strand.first, strand)
  return [...bundles.values()]
    .map((bundle) => bundle.toSorted((a, b) => place(a) - place(b)))
    .toSorted((a, b) => place(a[0]!) - place(b[0]!))
}

/** Splits legs into runs with the same last hop. */
function runsOf(strands: readonly DiagramLeg[]): readonly (readonly DiagramLeg[])[] {
  const runs: DiagramLeg[][] = []
  for (const strand of strands) {
    const run = runs.at(-1)
    if (run?.[0]?.last === strand.last) run.push(strand)
    else runs.push([strand])
  }
  return runs
}

/** The hop of a single-hop leg is not shared, since nothing of the leg would be left. */
function diagramLegOf(leg: LegDocument, i: number): DiagramLeg {
  const { hops } = leg
  if (hops.length === 1) return { leg, first: `${i}`, last: `${i}` }
  return { leg, first: keyOf(hops[0]!), last: keyOf(hops.at(-1)!) }
}

const keyOf = ({ address, input }: HopDocument): string => `${address} ${input.denom}`
