import type { LegDocument } from '../../app/split/document.js'
import { indentOf } from '../layout.js'
import { venueName } from '../route-paths.js'
import { displayWidth, padStart } from '../width.js'
import { type SplitView, shareText } from './view.js'

type Strands = {
  readonly line: string
  readonly head: string
  readonly forks: readonly [first: string, middle: string, last: string]
  readonly joins: readonly [first: string, middle: string, last: string]
}

const unicode: Strands = {
  line: '━',
  head: '▶',
  forks: ['┳', '┣', '┗'],
  joins: ['┳', '┫', '┛'],
}

const ascii: Strands = { line: '=', head: '>', forks: ['+', '+', '+'], joins: ['+', '+', '+'] }

/** The legs as strands that leave the input together and join in the output; none where it is too wide. */
export function braidLines({ best, names, answer, style }: SplitView): readonly string[] {
  const { legs } = best
  if (legs.length < 2) return []
  const glyphs = style.ascii ? ascii : unicode
  const { line, head } = glyphs
  const shares = legs.map(({ split }) => shareText(split.amount, answer.input.amount))
  const widest = Math.max(...shares.map(displayWidth))
  const strands = legs.map(
    (leg, i) =>
      `${line.repeat(3)} ${padStart(shares[i]!, widest)} ${line} ${hopsText(leg, names, glyphs)} `,
  )
  const length = Math.max(...strands.map(displayWidth)) + 1
  const [from, to] = [names.symbol(legs[0]!.path[0]!), names.symbol(legs[0]!.path.at(-1)!)]
  const lines = strands.map((strand, i) => {
    const filled = strand + line.repeat(length - displayWidth(strand))
    const lead = i === 0 ? `${from} ${line}` : ' '.repeat(displayWidth(from) + 2)
    const end = i === 0 ? `${line}${head} ${to}` : ''
    const place = i === 0 ? 0 : i === legs.length - 1 ? 2 : 1
    return `${lead}${glyphs.forks[place]}${filled}${glyphs.joins[place]}${end}`
  })
  const indent = indentOf(style)
  if (lines.some((text) => displayWidth(text) > style.width - indent)) return []
  return lines.map((text) => ' '.repeat(indent) + text)
}

function hopsText(
  { hops }: LegDocument,
  names: SplitView['names'],
  { line, head }: Pick<Strands, 'line' | 'head'>,
): string {
  return hops
    .map((hop, i) => {
      const venue = venueName(hop, names)
      const isLast = i === hops.length - 1
      return isLast ? venue : `${venue} ${line}${head} ${names.symbol(hop.output.denom)} ${line}`
    })
    .join(' ')
}
