import type { RouteAnswer } from '../../operations/route/route.js'
import type { Verification, VerifiedCall } from '../../operations/route/verify.js'
import type { SplitAnswer } from '../../operations/split/split.js'
import type { SplitVerification } from '../../operations/split/verify-split.js'
import { field, indentOf, paragraph } from '../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../render/names.js'
import type { Style } from '../../render/style.js'
import { table } from '../../render/table.js'
import { renderVerifyPlain } from './pipe-fields.js'
import { comparisonCells, verdictOf } from './render-comparison.js'
import type { RouteContext } from './route/route-view.js'

/** Simulations by the contracts: of the best route in full, of the others in one line. */
export function renderVerification(
  verification: Verification,
  answer: RouteAnswer,
  context: Naming,
  style: Style,
): string {
  if (!style.tty) return renderVerifyPlain(verification)
  const names = namesOf(context, style)
  const [best] = verification.routes
  const { path } = answer.routes[0]!
  return [
    askedLine(verification.height, style),
    ...(best === undefined ? [] : table(columns, callRows(best, path, names, style), style)),
    ...othersLines(verification.routes.slice(1), style),
  ].join('\n')
}

/** The height of the simulations. */
export const askedLine = (height: number, style: Style): string =>
  `${' '.repeat(indentOf(style))}Asked the contracts at block ${height}`

/** The number of other routes that agree. */
export const othersLines = (
  others: readonly Pick<VerifiedCall, 'agrees'>[],
  style: Style,
): readonly string[] => (others.length === 0 ? [] : field('Others', [othersText(others)], style))

/** Columns of the table of simulations. */
export const columns = [
  { head: 'CONTRACT' },
  { head: 'OUR MODEL', align: 'right' },
  { head: 'CONTRACT SAYS', align: 'right' },
  { head: 'DIFF', align: 'right' },
  { head: 'VERDICT' },
] as const

/** A row for each hop of a call, and one for the call. */
export function callRows(
  call: VerifiedCall,
  path: readonly string[],
  names: Names,
  style: Style,
): readonly (readonly string[])[] {
  const hops = call.hops.map((hop, i) => [
    names.pair(hop.address),
    ...comparisonCells(hop, path[i + 1]!, names),
    verdictOf(hop.agrees, hop, 0, style),
  ])
  const { router } = call
  const whole = [
    'router',
    ...comparisonCells(router, path.at(-1)!, names),
    verdictOf(router.agrees, router, 0, style),
  ]
  return [...hops, whole]
}

function othersText(routes: readonly Pick<VerifiedCall, 'agrees'>[]): string {
  const count = (agrees: boolean | null) => routes.filter((route) => route.agrees === agrees).length
  return [
    [count(true), 'the same'],
    [count(false), 'not the same'],
    [count(null), 'incomplete (query gas limit)'],
  ]
    .filter(([number]) => number !== 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(', ')
}

/** Simulations by the contracts: of the best division leg by leg, of the others in one line. */
export function renderSplitVerification(
  verification: SplitVerification,
  answer: SplitAnswer,
  context: RouteContext,
  style: Style,
): string {
  if (!style.tty) return renderVerifyPlain(verification)
  const names = namesOf(context, style)
  const [best] = verification.routes
  const { legs } = answer.routes[0]!
  const rows = best?.legs.flatMap((call, i) =>
    callRows(call, legs[i]!.path, names, style).map((row) => [`L${i + 1}`, ...row]),
  )
  const isShared = legs.length > 1
  return [
    askedLine(verification.height, style),
    ...table([{ head: 'LEG' }, ...columns], rows ?? [], style),
    ...(isShared ? paragraph('Each leg is asked for by itself, on untouched books.', style) : []),
    ...othersLines(verification.routes.slice(1), style),
  ].join('\n')
}
