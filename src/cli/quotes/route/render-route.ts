import type { RouteAnswer, RouteDocument } from '../../../operations/route/route-documents.js'
import { formatBps, renderImpact } from '../../../render/amount.js'
import {
  field,
  fields,
  flow,
  formOf,
  indentOf,
  titledSections,
  withoutBreaks,
} from '../../../render/layout.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { type Columns, table } from '../../../render/table.js'
import { withDetails } from '../render-verify.js'
import { renderExplain } from './route-explanation.js'
import { headline } from './route-headline.js'
import { routeNotes } from './route-notes.js'
import {
  comparedText,
  gapText,
  pathPieces,
  type RouteContext,
  type RouteView,
  swapText,
  venueName,
  viewMembers,
} from './route-view.js'

/** Renders a quote for people. Fees in tokens, other routes and the like only where it is verbose or explained. */
export function renderRoute(answer: RouteAnswer, context: RouteContext, style: Style): string {
  const view = { answer, best: answer.routes[0]!, ...viewMembers(answer, context, style) }
  const sections = view.verbose
    ? [headline, pathLines, hopLines, otherLines, routeNotes]
    : [headline, pathLines, routeNotes]
  const shown = sections.map((section) => section(view))
  return titledSections(titleOf(view), answer, style, shown)
}

function titleOf(view: RouteView): string {
  const { answer, best, style } = view
  const kind = best.exact ? 'best single route' : 'best single route, estimate'
  const examined = answer.explain ? ` of ${answer.explain.examined} examined` : ''
  return `${swapText(view)} ${glyphsOf(style).dot} ${kind}${examined}`
}

/** The quote, then the requested verification and explanation. */
export function routeText(answer: RouteAnswer, view: RouteContext, style: Style): string {
  const explanation = answer.explain && renderExplain(answer.explain, answer, view, style)
  return withDetails(renderRoute(answer, view, style), answer, explanation, view, style)
}

/** The path: tokens with the venues between them. */
export function pathLines({
  best,
  names,
  style,
}: Pick<RouteView, 'names' | 'style'> & {
  readonly best: Pick<RouteDocument, 'path' | 'hops'>
}): readonly string[] {
  const { line, heavyLine, arrowHead } = glyphsOf(style)
  const form = formOf(style)
  if (form === 'stacked') return field(style, 'Path', [names.path(best.path)])
  const dash = form === 'wide' ? heavyLine.repeat(4) : line.repeat(2)
  const arrow = dash + arrowHead
  const indent = indentOf(style)
  const pieces = pathPieces(best.path, best.hops, names, { dash, arrow })
  return flow(pieces, ' ', style.width - indent - 2).map(
    (text, i) => ' '.repeat(i === 0 ? indent : indent + 2) + text,
  )
}

/** A table of hops, on wide terminals. */
function hopLines({ best, names, style }: RouteView): readonly string[] {
  if (formOf(style) !== 'wide') return []
  return table(best.hops, style, [
    ['HOP', (_, i) => `${i + 1}`],
    ['VENUE', (hop) => venueName(hop, names) + (hop.exact ? '' : ' (estimate)')],
    ['IN', ({ input }) => names.coin(input), { align: 'right' }],
    ['OUT', ({ output }) => names.coin(output), { align: 'right' }],
    ['IMPACT', (hop) => formatBps(hop.price_impact_bps), { align: 'right' }],
    ['FEE', ({ fee }) => names.coin(fee), { align: 'right' }],
    ['LEVELS', (hop) => `${hop.levels_used}`, { align: 'right', drop: 2 }],
    ['DEPTH USED', (hop) => `${hop.depth_used_percent.toFixed(2)} %`, { align: 'right', drop: 1 }],
  ])
}

/** The next best routes with the difference to the best one. */
function otherLines(view: RouteView): readonly string[] {
  const { answer, names, style } = view
  const sells = answer.output.amount === undefined
  const others = answer.routes.slice(1)
  const form = formOf(style)
  if (others.length === 0) return []
  if (form === 'stacked') return others.flatMap((route, i) => stackedRoute(route, i, view))
  const isWide = form === 'wide'
  const head = (text: string) => (isWide ? text : '')
  const columns: Columns<RouteDocument> = [
    [head('OTHER ROUTES'), ({ path }) => names.path(path)],
    [head(sells ? 'OUT' : 'COST'), (each) => comparedText(each, answer, names), { align: 'right' }],
    [head('GAP'), (each) => gapText(each, style, answer), { align: 'right' }],
    isWide && [
      'IMPACT',
      (each) => renderImpact(each.price_impact_bps, style),
      { align: 'percent' },
    ],
  ]
  if (isWide) return table(others, style, columns)
  const title = sells ? '  Other routes' : '  Other routes, and what they cost'
  return [title, ...table(others, style, columns, 4)]
}

const stackedRoute = (
  route: RouteDocument,
  index: number,
  { names, answer, style }: RouteView,
): readonly string[] => {
  const figures = [comparedText(route, answer, names), gapText(route, style, answer)]
  return fields(style, [
    [index === 0 ? 'Others' : '', [names.path(route.path)]],
    ['', figures.map(withoutBreaks), ' '],
  ])
}
