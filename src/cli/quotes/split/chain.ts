import type { HopDocument } from '../../../operations/route-document.js'
import { flow, formOf } from '../../../render/layout.js'
import type { Names } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { venueName } from '../route/paths.js'

/** A path with the venues between its tokens, in lines that begin with a mark: `└ BTC ── fin …`. */
export function chainLines(
  first: string,
  hops: readonly HopDocument[],
  names: Names,
  style: Style,
  indent: number,
): readonly string[] {
  const { line, arrowHead, branch } = glyphsOf(style)
  const dash = formOf(style) === 'stacked' ? line : line.repeat(2)
  const steps = hops.map(
    (hop) =>
      `${dash} ${venueName(hop, names)} ${dash}${arrowHead} ${names.symbol(hop.output.denom)}`,
  )
  return flow([names.symbol(first), ...steps], ' ', style.width - indent - 2).map(
    (text, i) => `${' '.repeat(indent)}${i === 0 ? branch : ' '} ${text}`,
  )
}
