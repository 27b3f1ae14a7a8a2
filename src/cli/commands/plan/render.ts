import { counted } from '../../../engine/math/counted.js'
import type {
  BacktestAnswer,
  DivisionDocument,
  PlanAnswer,
  PlanDocument,
} from '../../../operations/plan/plan-document.js'
import { printable } from '../../../platform/printable.js'
import { formatSignedBps } from '../../../render/amount.js'
import { field, formOf, joinSections } from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import type { Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { pipeLines } from '../../print-answer.js'

/** What a plan does, in a line. */
export const planTitle = (
  { input, output }: Pick<PlanDocument, 'input' | 'output'>,
  slices: number,
  names: Names,
): string => `${names.coin(input)} to ${names.symbol(output)} in ${counted(slices, 'slice')}`

/** What a division in time was worth, over several starts. */
export const gainPieces = (gain: NonNullable<BacktestAnswer['gain']>): readonly string[] => [
  `median ${formatSignedBps(gain.median_bps)}`,
  `5 % ${formatSignedBps(gain.p5_bps)}`,
  `95 % ${formatSignedBps(gain.p95_bps)}`,
]

/** A plan for people, a line a slice; in a pipe a line a member. */
export function renderPlan(answer: PlanAnswer, naming: Naming, style: Style): string {
  if (!style.tty) return pipeLines(answer)
  const { input, output, slices, estimate, received } = answer
  const names = namesOf(naming, style)
  const paid = (amount: string) => names.coin({ denom: output, amount })
  const done = slices.filter(({ state }) => state === 'done').length
  const line = (label: string, atomics: string | null, when: string) =>
    field(label, atomics === null ? ['more than the books hold'] : [paid(atomics), when], style)
  const head = [
    style.bold(planTitle(answer, slices.length, names)),
    ...field('File', [printable(answer.path)], style),
    ...field(
      'Done',
      [
        ...progressBar(done, slices.length, style),
        `${done} of ${slices.length}`,
        ...(done > 0 ? [paid(received)] : []),
      ],
      style,
    ),
    ...(estimate
      ? [
          ...line('At once', estimate.at_once, 'all of it now'),
          ...line('Apart', estimate.apart, 'if every slice finds the books of now'),
          ...(estimate.recorded ? field('Recorded', gainPieces(estimate.recorded), style) : []),
        ]
      : []),
  ]
  const rows = slices.map((slice, i) => [
    `${i + 1}`,
    slice.due.slice(0, 19).replace('T', ' '),
    names.coin({ denom: input.denom, amount: slice.amount }),
    slice.state,
    slice.received === null ? '' : paid(slice.received),
    slice.tx_hash?.slice(0, 8) ?? '',
  ])
  return joinSections(
    [
      head,
      ...(estimate?.divisions ? [divisionsTable(estimate.divisions, paid, style)] : []),
      table(
        [
          { head: '', align: 'right' },
          { head: 'due, UTC' },
          { head: 'sells', align: 'right' },
          { head: 'state' },
          { head: 'paid', align: 'right' },
          { head: 'transaction', drop: 1 },
        ],
        rows,
        style,
      ),
    ],
    style,
  )
}

/** Columns of the bar. */
const BAR = 24

/** The slices that are done, as a part of a line; nothing where the terminal is narrow. */
const progressBar = (done: number, all: number, style: Style): readonly string[] =>
  formOf(style) === 'stacked'
    ? []
    : [bar(BigInt(done), BigInt(all), BAR, style).padEnd(BAR, style.ascii ? '.' : '░')]

/** What each number of slices would have paid on a tape. */
function divisionsTable(
  divisions: readonly DivisionDocument[],
  paid: (amount: string) => string,
  style: Style,
): readonly string[] {
  const bps = (value: number | undefined) => (value === undefined ? '' : formatSignedBps(value))
  const rows = divisions.map(({ slices, received, gain }) => [
    `${slices}`,
    received === null ? 'fails' : paid(received),
    ...[bps(gain?.median_bps), bps(gain?.p5_bps), bps(gain?.p95_bps)],
  ])
  return table(
    [
      { head: 'slices', align: 'right' },
      { head: 'would have paid', align: 'right' },
      { head: 'gain', align: 'right' },
      { head: '5 %', align: 'right' },
      { head: '95 %', align: 'right' },
    ],
    rows,
    style,
  )
}
