import type { RouteDocument } from '../../../operations/route/route-answer.js'
import { formatBps, renderImpact } from '../../../render/amount.js'
import { field, flow, formOf, indentOf, unbroken } from '../../../render/layout.js'
import { glyphsOf } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { comparedOf, gapText, pathPieces, type RouteView, venueName } from './route-view.js'

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
  if (form === 'stacked') return field('Path', [names.path(best.path)], style)
  const dash = form === 'wide' ? heavyLine.repeat(4) : line.repeat(2)
  const arrow = dash + arrowHead
  const indent = indentOf(style)
  const pieces = pathPieces(best.path, best.hops, names, { dash, arrow })
  return flow(pieces, ' ', style.width - indent - 2).map(
    (text, i) => ' '.repeat(i === 0 ? indent : indent + 2) + text,
  )
}

/** A table of hops, on wide terminals. */
export function hopLines({ best, names, style }: RouteView): readonly string[] {
  if (formOf(style) !== 'wide') return []
  const columns = [
    { head: 'HOP' },
    { head: 'VENUE' },
    { head: 'IN', align: 'right' },
    { head: 'OUT', align: 'right' },
    { head: 'IMPACT', align: 'right' },
    { head: 'FEE', align: 'right' },
    { head: 'LEVELS', align: 'right', drop: 2 },
    { head: 'DEPTH USED', align: 'right', drop: 1 },
  ] as const
  const rows = best.hops.map((hop, i) => [
    `${i + 1}`,
    venueName(hop, names) + (hop.exact ? '' : ' (estimate)'),
    names.coin(hop.input),
    names.coin(hop.output),
    formatBps(hop.price_impact_bps),
    names.coin(hop.fee),
    `${hop.levels_used}`,
    `${hop.depth_used_percent.toFixed(2)} %`,
  ])
  return table(columns, rows, style)
}

/** The next best routes with the difference to the best one. */
export function otherLines(view: RouteView): readonly string[] {
  const { answer, names, style } = view
  const sells = answer.output.amount === undefined
  const others = answer.routes.slice(1)
  const form = formOf(style)
  if (others.length === 0) return []
  if (form === 'stacked') return others.flatMap((route, i) => stackedRoute(route, i, view))
  const rows = others.map((route) => [
    names.path(route.path),
    names.coin(comparedOf(route, view.answer)),
    gapText(route, view.style, view.answer),
    ...(form === 'wide' ? [renderImpact(route.price_impact_bps, style)] : []),
  ])
  if (form === 'wide') return table(wideColumns(sells ? 'OUT' : 'COST'), rows, style)
  const title = sells ? '  Other routes' : '  Other routes, and what they cost'
  return [title, ...table(plainColumns, rows, style, 4)]
}

const wideColumns = (amount: string) =>
  [
    { head: 'OTHER ROUTES' },
    { head: amount, align: 'right' },
    { head: 'GAP', align: 'right' },
    { head: 'IMPACT' },
  ] as const

const plainColumns = wideColumns('')
  .slice(0, 3)
  .map((column) => ({ ...column, head: '' }))

const stackedRoute = (route: RouteDocument, index: number, view: RouteView): readonly string[] => [
  ...field(index === 0 ? 'Others' : '', [view.names.path(route.path)], view.style),
  ...field(
    '',
    [view.names.coin(comparedOf(route, view.answer)), gapText(route, view.style, view.answer)].map(
      unbroken,
    ),
    view.style,
    ' ',
  ),
]
