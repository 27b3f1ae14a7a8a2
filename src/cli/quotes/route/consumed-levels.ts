import { counted } from '../../../engine/math/counted.js'
import type { LevelDocument, PartDocument } from '../../../operations/route/explain.js'
import type { Explanation, HopDocument } from '../../../operations/route/route-documents.js'
import { indentOf, paragraph } from '../../../render/layout.js'
import type { Names } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { type Columns, layOutTable } from '../../../render/table.js'
import { sourceNames, venueName } from './route-view.js'

/** A hop with more levels shows the best ones and the last ones, `SHOWN` lines together. */
const SHOWN = 12
const LAST = 2

/** Hops and their labels for the tables of levels. */
type LevelsView = {
  readonly hops: readonly HopDocument[]
  readonly names: Names
  readonly style: Style
  /** A hop's number, counted from 1. @example 'L2.1' */
  label(number: number): string
}

/** One section for each hop: every level that it consumes. */
export const levelSections = (
  levels: Explanation['levels'],
  view: LevelsView,
): readonly (readonly string[])[] => levels.map((hop, i) => hopLevels(hop, i, view))

function hopLevels(
  { address, levels }: Explanation['levels'][number],
  index: number,
  { hops, names, style, label }: LevelsView,
): readonly string[] {
  const hop = hops[index]!
  const pair = names.pairDenoms(address)
  const prices = `prices in ${pair ? names.per(pair) : 'quote per base'}`
  const count = counted(levels.length, 'level')
  const title = `${label(index + 1)}  ${venueName(hop, names)}, ${count}, ${prices}`
  return [...paragraph(title, style), ...levelTable(levels, hop, names)]
}

function levelTable(
  levels: readonly LevelDocument[],
  hop: HopDocument,
  names: Names,
): readonly string[] {
  const { style } = names
  const hidden = levels.length > SHOWN ? levels.length - SHOWN + 1 : 0
  const [first, last] = hidden
    ? [levels.slice(0, SHOWN - 1 - LAST), levels.slice(-LAST)]
    : [levels, []]
  const indent = indentOf(style) + 3
  const pair = names.pairDenoms(hop.address) ?? { base: '', quote: '' }
  const { input, output } = hop
  const [from, to] = [names.symbol(input.denom), names.symbol(output.denom)]
  const columns: Columns<LevelDocument> = [
    [
      `PRICE ${names.symbol(pair.quote)}`,
      ({ rate }) => names.price(rate, pair),
      { align: 'point' },
    ],
    [`SOLD ${from}`, ({ sold: amount }) => names.amount({ ...input, amount }), { align: 'point' }],
    [
      `BOUGHT ${to}`,
      (level) => names.amount({ ...output, amount: level.bought }),
      { align: 'point' },
    ],
    ['FROM', ({ parts }) => sourcesText(parts, names), { drop: 1 }],
  ]
  const laid = layOutTable([...first, ...last], style, columns, indent)
  const note = `${glyphsOf(style).ellipsis} ${counted(hidden, 'more level')} (use --json for all)`
  return [
    ...laid.head,
    ...laid.rows.slice(0, first.length).flat(),
    ...(hidden ? paragraph(note, style, indent) : []),
    ...laid.rows.slice(first.length).flat(),
  ]
}

/** Sources that filled a level; several ones with their shares of the input. */
function sourcesText(parts: readonly PartDocument[], names: Names): string {
  const sold = new Map<string, bigint>()
  for (const part of parts) sold.set(part.source, (sold.get(part.source) ?? 0n) + BigInt(part.sold))
  const total = [...sold.values()].reduce((a, b) => a + b, 0n)
  return [...sold]
    .map(([source, amount]) => {
      const who = sourceNames.get(source) ?? `maker ${names.short(source, 18)}`
      return sold.size === 1 || total === 0n ? who : `${who} ${(amount * 100n) / total} %`
    })
    .join(` ${glyphsOf(names.style).dot} `)
}
