import type { Explanation } from '../../../operations/route/explain.js'
import type { RouteAnswer } from '../../../operations/route/route.js'
import { formatBps, renderImpact } from '../../../render/amount.js'
import {
  flow,
  formOf,
  hanging,
  indentOf,
  joinSections,
  paragraph,
  unbroken,
} from '../../../render/layout.js'
import { type Names, namesOf } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { levelSections } from './explain-levels.js'
import { renderExplainPlain } from './explain-plain.js'
import { gapText } from './paths.js'
import { meaningOf } from './refusals.js'
import type { ExplainView, RouteContext } from './view.js'

/** The story of a quote, to follow it: levels consumed, why others lost, what was refused. */
export function renderExplain(
  explanation: Explanation,
  answer: RouteAnswer,
  context: RouteContext,
  style: Style,
): string {
  if (!style.tty && !context.human) return renderExplainPlain(explanation, context)
  const view = { explanation, answer, names: namesOf(context, style), style }
  const { hops } = answer.routes[0]!
  const levels = levelSections(explanation.levels, { ...view, hops, label: String })
  const refused = refusedSections(explanation.rejected, view)
  return joinSections([...levels, lostLines(view), ...refused], style)
}

function lostLines(view: ExplainView): readonly string[] {
  const { explanation, style } = view
  const rows = explanation.lost.map((lost) => lostRow(lost, view))
  if (rows.length === 0) return paragraph('No other route was found.', style)
  if (formOf(style) !== 'stacked') return table(lostColumns, rows, style)
  return [
    'Why others lost',
    ...rows.flatMap(([path = '', gap = '', impact = '', fees = '', hops = '']) => [
      ...paragraph(path, style, 2),
      ...flow(
        [gap, impact, `venues ${fees}`, `hops ${hops}`].map(unbroken),
        '  ',
        style.width - 4,
      ).map((line) => `    ${line}`),
    ]),
  ]
}

const lostColumns = [
  { head: 'WHY OTHERS LOST' },
  { head: 'GAP', align: 'right' },
  { head: 'IMPACT' },
  { head: 'VENUE FEES', align: 'right', drop: 1 },
  { head: 'HOPS', align: 'right', drop: 2 },
] as const

function lostRow(
  lost: Explanation['lost'][number],
  { answer, names, style }: ExplainView,
): readonly string[] {
  const path = answer.routes.find(({ id }) => id === lost.id)?.path
  return [
    path === undefined ? lost.id : names.path(path),
    gapText(lost, style),
    renderImpact(lost.impact_bps, style),
    formatBps(lost.venue_fees_bps),
    `${lost.hops}`,
  ]
}

/** So many refused paths of each reason are shown. */
const EXAMPLES = 3

/** The refused paths by reason, the most frequent first, each reason with its meaning. */
export function refusedSections(
  rejected: Explanation['rejected'],
  view: Pick<ExplainView, 'names' | 'style'>,
): readonly (readonly string[])[] {
  if (rejected.length === 0) return [paragraph('No path was refused.', view.style)]
  const groups = new Map<string, Explanation['rejected'][number][]>()
  for (const each of rejected) {
    const group = groups.get(each.reason)
    if (group === undefined) groups.set(each.reason, [each])
    else group.push(each)
  }
  return [...groups]
    .sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .map(([reason, some]) => refusedLines(reason, some, view))
}

function refusedLines(
  reason: string,
  rejected: Explanation['rejected'],
  { names, style }: Pick<ExplainView, 'names' | 'style'>,
): readonly string[] {
  const { arrow, ellipsis } = glyphsOf(style)
  const indent = indentOf(style) + 2
  const more = rejected.length - EXAMPLES
  const times = rejected.length === 1 ? 'once' : `${rejected.length} times`
  return [
    ...paragraph(`Refused, ${times}: ${names.text(reason)} (amounts in atomics)`, style),
    ...paragraph(names.text(meaningOf(reason)), style, indent),
    ...rejected.slice(0, EXAMPLES).flatMap(({ path, detail }) => {
      const pairs = path.map((address) => names.pair(address)).join(` ${arrow} `)
      return hanging(`${pairs}: ${named(detail, names)}`, style, indent + 2)
    }),
    ...(more > 0
      ? paragraph(`${ellipsis} ${more} more (use --json for all)`, style, indent + 2)
      : []),
  ]
}

/** A detail with the names of pairs in place of their addresses. Its amounts are atomics. */
const named = (detail: string, names: Names): string =>
  names.text(detail.replace(/\b[a-z]+1[02-9ac-hj-np-z]{38,}\b/g, (address) => names.pair(address)))
