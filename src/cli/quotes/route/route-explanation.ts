import type { RefusalReason } from '../../../engine/market/refusal.js'
import { append } from '../../../engine/math/grouped.js'
import type { Explanation, RouteAnswer } from '../../../operations/route/route-documents.js'
import { formatBps, renderImpact } from '../../../render/amount.js'
import {
  flow,
  formOf,
  hangingEntry,
  indentOf,
  joinSections,
  paragraph,
  withoutBreaks,
} from '../../../render/layout.js'
import { type Names, namesOf } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { levelSections } from './consumed-levels.js'
import { type ExplainView, gapText, type RouteContext } from './route-view.js'

/** Explains a quote: levels consumed, why other routes pay less, refused paths. */
export function renderExplain(
  explanation: Explanation,
  answer: RouteAnswer,
  context: RouteContext,
  style: Style,
): string {
  const view = { explanation, answer, names: namesOf(context, style), style }
  const { hops } = answer.routes[0]!
  const levels = levelSections(explanation.levels, { ...view, hops, label: String })
  const refused = refusedSections(explanation.rejected, view)
  return joinSections(style, [...levels, lostLines(view), ...refused])
}

function lostLines({ explanation, answer, names, style }: ExplainView): readonly string[] {
  const rows = explanation.lost.map((lost) => {
    const path = answer.routes.find(({ id }) => id === lost.id)?.path
    return {
      path: path === undefined ? lost.id : names.path(path),
      gap: gapText(lost, style, answer),
      impact: renderImpact(lost.impact_bps, style),
      fees: formatBps(lost.venue_fees_bps),
      hops: `${lost.hops}`,
    }
  })
  if (rows.length === 0) return paragraph('No other route was found.', style)
  if (formOf(style) !== 'stacked')
    return table(rows, style, [
      ['WHY OTHERS LOST', ({ path }) => path],
      ['GAP', ({ gap }) => gap, { align: 'right' }],
      ['IMPACT', ({ impact }) => impact, { align: 'percent' }],
      ['VENUE FEES', ({ fees }) => fees, { align: 'right', drop: 1 }],
      ['HOPS', ({ hops }) => hops, { align: 'right', drop: 2 }],
    ])
  return [
    'Why others lost',
    ...rows.flatMap(({ path, gap, impact, fees, hops }) => [
      ...paragraph(path, style, 2),
      ...flow(
        [gap, impact, `venues ${fees}`, `hops ${hops}`].map(withoutBreaks),
        '  ',
        style.width - 4,
      ).map((line) => `    ${line}`),
    ]),
  ]
}

/** Most refused paths shown for each reason. */
const EXAMPLES = 3

/** The refused paths by reason, the most frequent first, each reason with its meaning. */
export function refusedSections(
  rejected: Explanation['rejected'],
  view: Pick<ExplainView, 'names' | 'style'>,
): readonly (readonly string[])[] {
  if (rejected.length === 0) return [paragraph('No path was refused.', view.style)]
  const groups = new Map<string, Explanation['rejected'][number][]>()
  for (const each of rejected) append(groups, each.reason, each)
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
      return hangingEntry(`${pairs}: ${withPairNames(detail, names)}`, style, indent + 2)
    }),
    ...(more > 0
      ? paragraph(`${ellipsis} ${more} more (use --json for all)`, style, indent + 2)
      : []),
  ]
}

/** Replaces addresses of pairs by their names. Amounts stay atomics. */
const withPairNames = (detail: string, names: Names): string =>
  names.text(detail.replace(/\b[a-z]+1[02-9ac-hj-np-z]{38,}\b/g, (address) => names.pair(address)))

/** A sentence for each reason that a path is refused for. */
export const refusalTexts: Readonly<Record<RefusalReason, string>> = {
  beyond_depth:
    'The book cannot take the whole amount, and the rest would stay in the router, lost to you.',
  abort_window: 'The amount ends so close to emptying an order pool that the contract would abort.',
  overflow: 'The amount leaves the range of numbers that the contract can count with.',
  pool_precision: 'An order pool is so worn that the contract can no longer divide it.',
  empty_maker_message:
    'A market maker would be sent nothing, and the chain refuses such a payment.',
  maker_refuses: 'A market maker would pay less for the whole amount than its levels promise.',
  arb_capital: 'The pair would first trade against its own makers and cannot pay for it.',
  arb_endless: 'The pair would first trade against its own makers without end and run out of gas.',
  zero_total: 'The contract would divide by an order pool that is empty.',
  zero_output: 'The amount is so small that nothing would come out.',
  fees_exceed_output: 'The fees of the router would be more than the whole output.',
  below_min_return: 'The recipient would get less than the message demands.',
  invalid_denom: 'The pair does not trade the token that it would be offered.',
  quarantined: 'The pair was left out of the market: halted or not readable.',
}

/** The sentence of a reason; an unknown reason is returned as it is. */
export const meaningOf = (reason: string): string =>
  Object.hasOwn(refusalTexts, reason) ? refusalTexts[reason as RefusalReason] : reason
