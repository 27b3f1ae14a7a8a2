import type { HopDocument } from '../../../operations/route-document.js'
import { indentOf } from '../../../render/layout.js'
import { displayWidth, padStart } from '../../../render/width.js'
import { venueName } from '../route/paths.js'
import { apart, type Bundle, merged, runsOf, type Strand } from './strands.js'
import { type SplitView, shareText } from './view.js'

/** Where lines part or meet: at the first of them, at those between, at the last. */
type Ends = readonly [first: string, middle: string, last: string]

type Glyphs = {
  readonly line: string
  readonly head: string
  /** Past a line that neither parts nor meets here. */
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

/** A line of the picture between the input and the output. */
type Row = {
  readonly text: string
  /** Whether it leaves the input itself, and does not part from the line above on its way. */
  readonly leaves: boolean
  /** Whether it reaches the output itself, and has not met the line above on its way. */
  readonly arrives: boolean
}

/**
 * The legs as strands that leave the input together and join in the output. Legs with a common first
 * or last hop share it in the picture; where only that fits each is drawn for itself, and there is
 * none where even that is too wide.
 */
export function braidLines(view: SplitView): readonly string[] {
  const { style, best } = view
  if (best.legs.length < 2) return []
  const indent = indentOf(style)
  for (const bundles of [merged(best.legs), apart(best.legs)]) {
    const lines = drawn(bundles, view)
    if (lines.every((text) => displayWidth(text) <= style.width - indent))
      return lines.map((text) => ' '.repeat(indent) + text)
  }
  return []
}

function drawn(bundles: readonly Bundle[], view: SplitView): readonly string[] {
  const { names, style, best } = view
  const glyphs = style.ascii ? ascii : unicode
  const { line, head, forks, joins } = glyphs
  const rows = joined(bundles, view, glyphs)
  const length = Math.max(...rows.map(({ text }) => displayWidth(text))) + 1
  const [first] = best.legs
  const [from, to] = [names.symbol(first!.path[0]!), names.symbol(first!.path.at(-1)!)]
  return rows.map(({ text, arrives }, i) => {
    const lead = i === 0 ? `${from} ${line}` : ' '.repeat(displayWidth(from) + 2)
    const fork = endAt(
      rows.map((row) => row.leaves),
      i,
      forks,
      glyphs,
    )
    const join = endAt(
      rows.map((row) => row.arrives),
      i,
      joins,
      glyphs,
    )
    const filled = padded(text, length, arrives ? line : ' ')
    return `${lead}${fork}${filled}${join}${i === 0 ? `${line}${head} ${to}` : ''}`.trimEnd()
  })
}

/** What stands at a line's end in a column where only the lines marked `here` part or meet. */
function endAt(here: readonly boolean[], i: number, ends: Ends, { line, past }: Glyphs): string {
  const [first, last] = [here.indexOf(true), here.lastIndexOf(true)]
  if (!here[i]) return i > first && i < last ? past : ' '
  if (first === last) return line
  return ends[i === first ? 0 : i === last ? 2 : 1]
}

/** The rows with what they have in common at their ends. */
function joined(bundles: readonly Bundle[], view: SplitView, glyphs: Glyphs): readonly Row[] {
  const lefts = bundles.flatMap((bundle) => parted(bundle, bundles, view, glyphs))
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

/** The beginnings of a bundle's rows: up to the output, or to the hop that several share. */
function parted(
  bundle: Bundle,
  all: readonly Bundle[],
  view: SplitView,
  glyphs: Glyphs,
): readonly Omit<Row, 'arrives'>[] {
  const { line, forks } = glyphs
  const runs = runsOf(all.flat())
  const isMet = (strand: Strand) => runs.some((run) => run.length > 1 && run.includes(strand))
  const way = (strand: Strand, from: number) => {
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

/** A hop's venue, and the token that it leads to unless that is the output. */
function stepText(
  hop: HopDocument,
  isLast: boolean,
  { names }: SplitView,
  { line, head }: Glyphs,
): string {
  const venue = venueName(hop, names)
  return isLast ? `${venue} ` : `${venue} ${line}${head} ${names.symbol(hop.output.denom)} ${line}`
}

/** What strands carry together, as wide as every other share of the picture. */
function shareOf(strands: Bundle, all: readonly Bundle[], { answer }: SplitView): string {
  const text = (each: Bundle) => {
    const amount = each.reduce((sum, { leg }) => sum + BigInt(leg.split.amount), 0n)
    return shareText(`${amount}`, answer.input.amount)
  }
  const shares = [...all, ...all.flat().map((strand) => [strand])].map(text)
  return padStart(text(strands), Math.max(...shares.map(displayWidth)))
}

const endOf = (ends: Ends, i: number, count: number): string =>
  ends[i === 0 ? 0 : i === count - 1 ? 2 : 1]

const padded = (text: string, width: number, filler: string): string =>
  text + filler.repeat(Math.max(0, width - displayWidth(text)))
