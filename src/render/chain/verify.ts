import type { Verification, VerifiedRoute } from '../../app/chain/verify.js'
import type { RouteAnswer } from '../../app/route.js'
import { table } from '../columns.js'
import { field, indentOf } from '../layout.js'
import { type Names, type Naming, namesOf } from '../names.js'
import { type Entry, entryLines } from '../route-plain.js'
import { plainStyle, type Style } from '../style.js'
import { comparisonCells, verdictOf } from './comparison.js'

/** What the contracts say of a quote; of the best route in full, of the others one line. */
export function renderVerification(
  verification: Verification,
  answer: RouteAnswer,
  context: Naming & { readonly human?: boolean | undefined },
  style: Style,
): string {
  if (!style.tty && !context.human) return renderVerificationPlain(verification)
  const names = namesOf(context, style)
  const [best] = verification.routes
  const others = verification.routes.slice(1)
  return [
    `${' '.repeat(indentOf(style))}Asked the contracts at block ${verification.height}`,
    ...(best === undefined ? [] : bestLines(best, answer, names, style)),
    ...(others.length === 0 ? [] : field('Others', [othersText(others)], style)),
  ].join('\n')
}

const columns = [
  { head: 'CONTRACT' },
  { head: 'OUR MODEL', align: 'right' },
  { head: 'CONTRACT SAYS', align: 'right' },
  { head: 'DIFF', align: 'right' },
  { head: 'VERDICT' },
] as const

function bestLines(
  route: VerifiedRoute,
  answer: RouteAnswer,
  names: Names,
  style: Style,
): readonly string[] {
  const { path } = answer.routes[0]!
  const hops = route.hops.map((hop, i) => [
    names.pair(hop.address),
    ...comparisonCells(hop, path[i + 1]!, names),
    verdictOf(hop.agrees, hop, 0, style),
  ])
  const { router } = route
  const whole = [
    'router',
    ...comparisonCells(router, path.at(-1)!, names),
    verdictOf(router.agrees, router, 0, style),
  ]
  return table(columns, [...hops, whole], style)
}

function othersText(routes: readonly VerifiedRoute[]): string {
  const count = (agrees: boolean | null) => routes.filter((route) => route.agrees === agrees).length
  return [
    [count(true), 'the same'],
    [count(false), 'not the same'],
    [count(null), 'not told in full (query gas)'],
  ]
    .filter(([number]) => number !== 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(', ')
}

/** Keys as in the document; routes and hops count from 1. */
function renderVerificationPlain({ agrees, routes }: Verification): string {
  const { text } = namesOf({ tokens: new Map() }, plainStyle)
  const entriesOf = (key: string, each: VerifiedRoute['router']): readonly Entry[] => [
    [`${key}.simulated_output`, each.simulated_output],
    [`${key}.returned`, each.returned],
    [`${key}.difference`, each.difference],
    [`${key}.agrees`, each.agrees],
    [`${key}.refused`, each.refused === null ? null : text(each.refused)],
  ]
  return entryLines([
    ['verify.agrees', agrees],
    ...routes.flatMap((route, i) => [
      [`verify.${i + 1}.agrees`, route.agrees] as const,
      ...route.hops.flatMap((hop, n) => entriesOf(`verify.${i + 1}.hop.${n + 1}`, hop)),
      ...entriesOf(`verify.${i + 1}.router`, route.router),
    ]),
  ])
}
