import { counted } from '../../../engine/math/counted.js'
import type {
  FrontierPoint,
  SplitAnswer,
  SplitExplanation,
} from '../../../operations/split/split-documents.js'
import { formatSignedBps, renderImpact } from '../../../render/amount.js'
import { field, formOf, joinSections, paragraph, unbroken } from '../../../render/layout.js'
import { type Names, namesOf } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { renderExplainPlain } from '../pipe-fields.js'
import { levelSections } from '../route/consumed-levels.js'
import { refusedSections } from '../route/route-explanation.js'
import { gapText, type RouteContext, type SplitView, shareText } from '../route/route-view.js'

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

/** Most shares that are listed. */
const SHOWN = 6

/** The next best divisions with the difference to the best one. */
export function otherLines(view: SplitView): readonly string[] {
  const { answer, names, style } = view
  const others = answer.routes.slice(1)
  if (others.length === 0) return []
  const rows = others.map((each) => [
    counted(each.legs.length, 'leg'),
    sharesText(each.legs, view),
    names.coin({ denom: answer.output.denom, amount: each.expected_output }),
    gapText(each, style),
  ])
  if (formOf(style) === 'stacked')
    return rows.flatMap(([legs = '', shares = '', out = '', gap = ''], i) => [
      ...field(i === 0 ? 'Others' : '', [unbroken(legs), shares], style, '  '),
      ...field('', [out, gap].map(unbroken), style, ' '),
    ])
  return ['  Other divisions', ...table(plain, rows, style, 4)]
}

const plain = [
  { head: '', align: 'right' },
  { head: '', drop: 1 },
  { head: '', align: 'right' },
  { head: '', align: 'right' },
] as const

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
    pointTable(
      'MOST LEGS',
      frontier.by_legs.map((each) => [`${each.max_legs}`, each]),
      view,
    ),
    pointTable(
      'STEP',
      frontier.by_steps.map((each) => [`${each.split_step} %`, each]),
      view,
    ),
  ]
}

function pointTable(
  head: string,
  points: readonly (readonly [string, FrontierPoint])[],
  view: SplitView,
): readonly string[] {
  const { answer, names, style } = view
  const columns = [
    { head, align: 'right' },
    { head: 'OUT', align: 'right' },
    { head: 'OVER SINGLE', align: 'right' },
    { head: 'SHARES', drop: 1 },
  ] as const
  const rows = points.map(([label, point]) => [
    label,
    names.coin({ denom: answer.output.denom, amount: point.expected_output }),
    formatSignedBps(point.gain_over_single_bps),
    sharesText(point.legs, view),
  ])
  return table(columns, rows, style)
}
