import { counted } from '../../../engine/math/counted.js'
import type {
  FrontierPoint,
  SplitAnswer,
  SplitDocument,
  SplitExplanation,
} from '../../../operations/split/split-documents.js'
import { formatSignedBps, orDash, renderImpact } from '../../../render/amount.js'
import { fields, formOf, joinSections, paragraph, withoutBreaks } from '../../../render/layout.js'
import { namesOf } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { type Column, type Columns, table } from '../../../render/table.js'
import { levelSections } from '../route/consumed-levels.js'
import { refusedSections } from '../route/route-explanation.js'
import {
  type ExplainView,
  gapText,
  type RouteContext,
  type SplitView,
  shareText,
} from '../route/route-view.js'

type View = ExplainView<SplitAnswer>

/** Explains a split: levels consumed by each leg, marginal outputs, paths without a share. */
export function renderSplitExplain(
  explanation: SplitExplanation,
  answer: SplitAnswer,
  context: RouteContext,
  style: Style,
): string {
  const view = { explanation, answer, names: namesOf(context, style), style }
  const { legs } = answer.routes[0]!
  const levels = explanation.legs.flatMap((leg, i) =>
    levelSections(leg.levels, {
      ...view,
      hops: legs[i]!.hops,
      label: (number) => `L${i + 1}.${number}`,
    }),
  )
  return joinSections(style, [
    ...levels,
    lastLines(view),
    lostLines(view),
    unusedLines(view),
    ...refusedSections(explanation.rejected, view),
  ])
}

/** What each leg's last step adds to the whole: near the best split they add about the same. */
function lastLines({ explanation, answer, names, style }: View): readonly string[] {
  const { input, output } = answer
  const { legs } = answer.routes[0]!
  const step = names.coin({ denom: input.denom, amount: explanation.step })
  const coinText = (amount: string) => names.coin({ denom: output.denom, amount })
  return table(explanation.legs, style, [
    ['LEG', (_, i) => `L${i + 1}`],
    ['SHARE', (_, i) => shareText(legs[i]!.split.amount, input.amount), { align: 'right' }],
    [`ITS LAST ${step} ADDS`, (leg) => orDash(leg.last_output, coinText), { align: 'right' }],
  ])
}

function lostLines({ explanation, answer, style }: View): readonly string[] {
  const { lost } = explanation
  if (lost.length === 0) return paragraph('No other split was found.', style)
  const shares = (id: string) =>
    orDash(
      answer.routes.find((each) => each.id === id),
      (split) => sharesText(split.legs, { answer }),
    )
  return table(lost, style, [
    ['WHY OTHERS LOST', ({ legs }) => counted(legs, 'leg')],
    ['SHARES', ({ id }) => shares(id), { drop: 1 }],
    ['GAP', (each) => gapText(each, style), { align: 'right' }],
    ['IMPACT', ({ impact_bps }) => renderImpact(impact_bps, style), { align: 'percent' }],
  ])
}

/** Paths without a share, and the loss from giving them one. */
function unusedLines({ explanation, names, style }: View): readonly string[] {
  return table(explanation.unused, style, [
    ['PATHS WITHOUT A SHARE', ({ path }) => names.path(path)],
    ['WITH THE WEAKEST STEP', ({ gap_bps }) => gapText({ gap_bps }, style), { align: 'right' }],
    ['HOPS', ({ hops }) => `${hops}`, { align: 'right', drop: 1 }],
  ])
}

/** Most shares that are listed. */
const SHOWN = 6

/** The next best splits with the difference to the best one. */
export function otherLines(view: SplitView): readonly string[] {
  const { answer, names, style } = view
  const others = answer.routes.slice(1)
  if (others.length === 0) return []
  const legs = (each: SplitDocument) => counted(each.legs.length, 'leg')
  const shares = (each: SplitDocument) => sharesText(each.legs, view)
  const output = (each: SplitDocument) =>
    names.coin({ denom: answer.output.denom, amount: each.expected_output })
  const gap = (each: SplitDocument) => gapText(each, style)
  if (formOf(style) === 'stacked')
    return others.flatMap((each, i) =>
      fields(style, [
        [i === 0 ? 'Others' : '', [withoutBreaks(legs(each)), shares(each)], '  '],
        ['', [output(each), gap(each)].map(withoutBreaks), ' '],
      ]),
    )
  const columns: Columns<SplitDocument> = [
    ['', legs, { align: 'right' }],
    ['', shares, { drop: 1 }],
    ['', output, { align: 'right' }],
    ['', gap, { align: 'right' }],
  ]
  return ['  Other splits', ...table(others, style, columns, 4)]
}

/** @example '60 / 35 / 5 %' */
function sharesText(legs: FrontierPoint['legs'], { answer }: Pick<SplitView, 'answer'>): string {
  const shares = legs.map(({ split }) =>
    shareText(split.amount, answer.input.amount).replace(' %', ''),
  )
  if (shares.length > SHOWN) return `${shares.slice(0, SHOWN).join(' / ')} / ... %`
  return `${shares.join(' / ')} %`
}

/** The frontier of outputs by number of legs and by step, if requested. */
export function frontierSections(view: SplitView): readonly (readonly string[])[] {
  const { frontier } = view.answer
  if (frontier === undefined) return []
  return [
    pointTable(frontier.by_legs, ['MOST LEGS', ({ max_legs }) => `${max_legs}`], view),
    pointTable(frontier.by_steps, ['STEP', ({ split_step }) => `${split_step} %`], view),
  ]
}

function pointTable<Point extends FrontierPoint>(
  points: readonly Point[],
  [head, label]: Column<Point>,
  view: SplitView,
): readonly string[] {
  const { answer, names, style } = view
  const { denom } = answer.output
  return table(points, style, [
    [head, label, { align: 'right' }],
    ['OUT', (each) => names.coin({ denom, amount: each.expected_output }), { align: 'right' }],
    ['OVER SINGLE', (each) => formatSignedBps(each.gain_over_single_bps), { align: 'right' }],
    ['SHARES', (each) => sharesText(each.legs, view), { drop: 1 }],
  ])
}
