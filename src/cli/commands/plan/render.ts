import { counted } from '../../../engine/math/counted.js'
import type {
  BacktestAnswer,
  DivisionDocument,
  PlanAnswer,
  PlanDocument,
} from '../../../operations/plan/plan-documents.js'
import { printable } from '../../../platform/printable.js'
import { formatSignedBps } from '../../../render/amount.js'
import { amountColumns, csv, memberColumns, tokenColumns } from '../../../render/csv.js'
import {
  fields,
  formatUtc,
  formOf,
  joinSections,
  nextLine,
  titleLines,
} from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import { plainStyle, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { pipeLines } from '../../print-answer.js'

/** A one-line summary of a plan. */
export const planTitle = (
  { input, output }: Pick<PlanDocument, 'input' | 'output'>,
  slices: number,
  names: Names,
): string => `${names.payment(input)} to ${names.symbol(output)} in ${counted(slices, 'slice')}`

/** The results of dividing an amount in time, over several starts. */
export const gainPieces = (gain: NonNullable<BacktestAnswer['gain']>): readonly string[] => [
  `median ${formatSignedBps(gain.median_bps)}`,
  `5 % ${formatSignedBps(gain.p5_bps)}`,
  `95 % ${formatSignedBps(gain.p95_bps)}`,
  ...(gain.left_out > 0 ? [`without ${counted(gain.left_out, 'run')} that failed`] : []),
]

/**
 * A plan for people, a line a slice; in a pipe a line a member.
 *
 * @param next the command that executes its next slice
 */
export function renderPlan(answer: PlanAnswer, next: string, naming: Naming, style: Style): string {
  if (!style.tty) return pipeLines(answer)
  const { input, output, slices, estimate, received } = answer
  const names = namesOf(naming, style)
  const paid = (amount: string) => names.coin({ denom: output, amount })
  const done = slices.filter(({ state }) => state === 'done').length
  const pays = (atomics: string | null, when: string) =>
    atomics === null ? ['more than the books hold'] : [paid(atomics), when]
  const bars = progressBar(done, slices.length, style)
  const head = [
    ...titleLines(planTitle(answer, slices.length, names), answer, style),
    ...fields(style, [
      ['File', [printable(answer.path)]],
      ['Done', [bars, `${done} of ${slices.length}`, done > 0 && paid(received)]],
      estimate !== undefined && ['At once', pays(estimate.at_once, 'all of it now')],
      estimate !== undefined && [
        'Apart',
        pays(estimate.apart, 'if every slice finds the books of now'),
      ],
      estimate?.recorded != null && ['Recorded', gainPieces(estimate.recorded)],
    ]),
  ]
  return joinSections(style, [
    head,
    ...(estimate?.divisions ? [divisionsTable(estimate.divisions, paid, style)] : []),
    table(slices, style, [
      ['', (_, i) => `${i + 1}`, { align: 'right' }],
      ['DUE UTC', ({ due }) => formatUtc(due)],
      ['SELLS', ({ amount }) => names.payment({ denom: input.denom, amount }), { align: 'right' }],
      ['STATE', ({ state }) => state],
      ['PAID', ({ received }) => (received === null ? '' : paid(received)), { align: 'right' }],
      ['TX', ({ tx_hash }) => tx_hash ?? '', { drop: 1, shrink: 9 }],
    ]),
    slices.some(({ state }) => state === 'due' || state === 'waiting')
      ? [nextLine(next, style)]
      : [],
  ])
}

export function planCsv({ input: { denom }, output, slices }: PlanAnswer, naming: Naming): string {
  const names = namesOf(naming, plainStyle)
  type Slice = PlanAnswer['slices'][number]
  return csv(slices, [
    ...memberColumns('due', 'state'),
    ...tokenColumns('in', names, () => denom),
    ...amountColumns('in', names, ({ amount }: Slice) => ({ denom, amount })),
    ...tokenColumns('out', names, () => output),
    ...amountColumns('out', names, ({ received }: Slice) =>
      received === null ? null : { denom: output, amount: received },
    ),
    ...memberColumns('tx_hash'),
  ])
}

/** Columns of the bar. */
const BAR = 24

/** The progress bar of a plan; none on a narrow terminal. */
const progressBar = (done: number, all: number, style: Style): string | false =>
  formOf(style) !== 'stacked' &&
  bar(BigInt(done), BigInt(all), BAR, style).padEnd(BAR, style.ascii ? '.' : '░')

/** The results of each number of slices on a tape. */
function divisionsTable(
  divisions: readonly DivisionDocument[],
  paid: (amount: string) => string,
  style: Style,
): readonly string[] {
  const bps = (value: number | undefined) => (value === undefined ? '' : formatSignedBps(value))
  return table(divisions, style, [
    ['SLICES', ({ slices }) => `${slices}`, { align: 'right' }],
    [
      'WOULD HAVE PAID',
      (each) => (each.received === null ? 'fails' : paid(each.received)),
      { align: 'right' },
    ],
    ['GAIN', ({ gain }) => bps(gain?.median_bps), { align: 'right' }],
    ['5 %', ({ gain }) => bps(gain?.p5_bps), { align: 'right' }],
    ['95 %', ({ gain }) => bps(gain?.p95_bps), { align: 'right' }],
    ['FAILED', ({ failed }) => `${failed}`, { align: 'right' }],
  ])
}
