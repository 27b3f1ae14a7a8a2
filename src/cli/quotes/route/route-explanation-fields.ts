import type { Explanation } from '../../../operations/route/explain.js'
import { namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import { type Entry, entryLines } from '../../pipe-lines.js'
import type { RouteContext } from './route-view.js'

/** The complete explanation for a pipe: one field a line, named as in the document. */
export function renderExplainPlain(explanation: Explanation, context: RouteContext): string {
  const { text } = namesOf(context, plainStyle)
  const { examined, levels, lost, rejected } = explanation
  return entryLines([
    ['explain.examined', examined],
    ...levels.flatMap((hop, i) => hopEntries(`explain.hop.${i + 1}`, hop)),
    ...lost.flatMap((each, i) => lostEntries(`explain.lost.${i + 1}`, each)),
    ...rejectedEntries(rejected, text),
  ])
}

/** Refused paths, in the order of the document. */
export const rejectedEntries = (
  rejected: Explanation['rejected'],
  text: (foreign: string) => string,
): readonly Entry[] =>
  rejected.flatMap(({ path, reason, detail }, i): readonly Entry[] => [
    [`explain.rejected.${i + 1}.path`, path.join(' > ')],
    [`explain.rejected.${i + 1}.reason`, text(reason)],
    [`explain.rejected.${i + 1}.detail`, text(detail)],
  ])

/** A hop's levels below a key. */
export const hopEntries = (
  key: string,
  { address, levels }: Explanation['levels'][number],
): readonly Entry[] => [
  [`${key}.address`, address],
  ...levels.flatMap(({ rate, sold, bought, parts }, i): readonly Entry[] => [
    [`${key}.level.${i + 1}.rate`, rate],
    [`${key}.level.${i + 1}.sold`, sold],
    [`${key}.level.${i + 1}.bought`, bought],
    ...parts.flatMap((part, n): readonly Entry[] => [
      [`${key}.level.${i + 1}.part.${n + 1}.source`, part.source],
      [`${key}.level.${i + 1}.part.${n + 1}.sold`, part.sold],
      [`${key}.level.${i + 1}.part.${n + 1}.bought`, part.bought],
    ]),
  ]),
]

const lostEntries = (key: string, lost: Explanation['lost'][number]): readonly Entry[] => [
  [`${key}.id`, lost.id],
  [`${key}.gap_bps`, lost.gap_bps],
  [`${key}.impact_bps`, lost.impact_bps],
  [`${key}.venue_fees_bps`, lost.venue_fees_bps],
  [`${key}.hops`, lost.hops],
]
