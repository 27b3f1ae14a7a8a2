import type { FrontierPoint } from '../../../operations/split/split-documents.js'
import { counted, formatSignedBps } from '../../../render/amount.js'
import { field, formOf, unbroken } from '../../../render/layout.js'
import { table } from '../../../render/table.js'
import { gapText } from '../route/route-view.js'
import { type SplitView, shareText } from './split-view.js'

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
export function sharesText(
  legs: FrontierPoint['legs'],
  { answer }: Pick<SplitView, 'answer'>,
): string {
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
