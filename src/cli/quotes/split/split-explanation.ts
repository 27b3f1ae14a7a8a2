import type { SplitAnswer, SplitExplanation } from '../../../operations/split/split-documents.js'

import { counted, renderImpact } from '../../../render/amount.js'
import { joinSections, paragraph } from '../../../render/layout.js'
import { type Names, namesOf } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { renderExplainPlain } from '../pipe-fields.js'
import { levelSections } from '../route/consumed-levels.js'
import { refusedSections } from '../route/route-explanation.js'
import { gapText, type RouteContext } from '../route/route-view.js'
import { sharesText } from './alternatives.js'
import { shareText } from './split-view.js'

type View = {
  readonly explanation: SplitExplanation
  readonly answer: SplitAnswer
  readonly names: Names
  readonly style: Style
}

/** Explains a division: levels consumed by each leg, marginal outputs, paths without a share. */
export function renderSplitExplain(
  explanation: SplitExplanation,
  answer: SplitAnswer,
  context: RouteContext,
  style: Style,
): string {
  if (!style.tty) return renderExplainPlain(explanation)
  const view = { explanation, answer, names: namesOf(context, style), style }
  const { legs } = answer.routes[0]!
  const levels = explanation.legs.flatMap((leg, i) =>
    levelSections(leg.levels, {
      ...view,
      hops: legs[i]!.hops,
      label: (number) => `L${i + 1}.${number}`,
    }),
  )
  return joinSections(
    [
      ...levels,
      lastLines(view),
      lostLines(view),
      unusedLines(view),
      ...refusedSections(explanation.rejected, view),
    ],
    style,
  )
}

/** What each leg's last step adds to the whole: near the best division they add about the same. */
function lastLines({ explanation, answer, names, style }: View): readonly string[] {
  const { input, output, routes } = answer
  const step = names.coin({ denom: input.denom, amount: explanation.step })
  const columns = [
    { head: 'LEG' },
    { head: 'SHARE', align: 'right' },
    { head: `ITS LAST ${step} ADDS`, align: 'right' },
  ] as const
  const rows = explanation.legs.map(({ last_output }, i) => [
    `L${i + 1}`,
    shareText(routes[0]!.legs[i]!.split.amount, input.amount),
    last_output === null ? '-' : names.coin({ denom: output.denom, amount: last_output }),
  ])
  return table(columns, rows, style)
}

function lostLines({ explanation, answer, style }: View): readonly string[] {
  const columns = [
    { head: 'WHY OTHERS LOST' },
    { head: 'SHARES', drop: 1 },
    { head: 'GAP', align: 'right' },
    { head: 'IMPACT' },
  ] as const
  const rows = explanation.lost.map((lost) => {
    const division = answer.routes.find(({ id }) => id === lost.id)
    return [
      counted(lost.legs, 'leg'),
      division === undefined ? '-' : sharesText(division.legs, { answer }),
      gapText(lost, style),
      renderImpact(lost.impact_bps, style),
    ]
  })
  return rows.length === 0
    ? paragraph('No other division was found.', style)
    : table(columns, rows, style)
}

/** Paths without a share, and the loss from giving them one. */
function unusedLines({ explanation, names, style }: View): readonly string[] {
  const columns = [
    { head: 'PATHS WITHOUT A SHARE' },
    { head: 'WITH THE WEAKEST STEP', align: 'right' },
    { head: 'HOPS', align: 'right', drop: 1 },
  ] as const
  const rows = explanation.unused.map(({ path, gap_bps, hops }) => [
    names.path(path),
    gapText({ gap_bps }, style),
    `${hops}`,
  ])
  return table(columns, rows, style)
}
