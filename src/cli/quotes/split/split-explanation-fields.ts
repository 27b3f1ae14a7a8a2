import type { SplitExplanation } from '../../../operations/split/explain-split.js'
import { namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import { hopEntries, rejectedEntries } from '../route/route-explanation-fields.js'
import { type Entry, entryLines } from '../route/route-fields.js'
import type { RouteContext } from '../route/route-view.js'

/** The complete explanation for a pipe: one field a line, named as in the document. */
export function renderSplitExplainPlain(
  explanation: SplitExplanation,
  context: RouteContext,
): string {
  const { text } = namesOf(context, plainStyle)
  const { examined, step, legs, lost, unused, rejected } = explanation
  return entryLines([
    ['explain.examined', examined],
    ['explain.step', step],
    ...legs.flatMap((leg, i) => legEntries(`explain.leg.${i + 1}`, leg)),
    ...lost.flatMap((each, i): readonly Entry[] => [
      [`explain.lost.${i + 1}.id`, each.id],
      [`explain.lost.${i + 1}.legs`, each.legs],
      [`explain.lost.${i + 1}.gap_bps`, each.gap_bps],
      [`explain.lost.${i + 1}.impact_bps`, each.impact_bps],
    ]),
    ...unused.flatMap((each, i): readonly Entry[] => [
      [`explain.unused.${i + 1}.id`, each.id],
      [`explain.unused.${i + 1}.path`, each.path.map(text).join(' > ')],
      [`explain.unused.${i + 1}.hops`, each.hops],
      [`explain.unused.${i + 1}.gap_bps`, each.gap_bps],
    ]),
    ...rejectedEntries(rejected, text),
  ])
}

const legEntries = (key: string, leg: SplitExplanation['legs'][number]): readonly Entry[] => [
  [`${key}.id`, leg.id],
  [`${key}.last_output`, leg.last_output],
  ...leg.levels.flatMap((hop, i) => hopEntries(`${key}.hop.${i + 1}`, hop)),
]
