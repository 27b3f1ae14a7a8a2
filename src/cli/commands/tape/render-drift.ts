import type { DriftAnswer, DriftFigures } from '../../../operations/tape/drift-answer.js'
import { groupThousands } from '../../../render/amount.js'
import { type CsvColumn, csv, foreign } from '../../../render/csv.js'
import { indentOf, paragraph, titleLines } from '../../../render/layout.js'
import { type Naming, namesOf } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import { plainStyle, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { padEnd, padStart } from '../../../render/width.js'
import { pipeLines } from '../../pipe-lines.js'

const bps = (value: number | null): string => (value === null ? 'fails' : value.toFixed(2))

const figureCells = ({ blocks_later: later, ...each }: DriftFigures): readonly string[] => [
  `+${later}`,
  groupThousands(`${each.executions}`),
  `${each.failed}`,
  bps(each.median_bps),
  bps(each.p95_bps),
  bps(each.p99_bps),
  bps(each.worst_bps),
]

const columns = [
  { head: 'ROUTE' },
  { head: 'SIZE', align: 'right', drop: 2 },
  { head: 'BLOCK', align: 'right' },
  { head: 'SWAPS', align: 'right', drop: 1 },
  { head: 'FAILED', align: 'right', drop: 3 },
  { head: 'MEDIAN', align: 'right' },
  { head: 'P95', align: 'right' },
  { head: 'P99', align: 'right' },
  { head: 'WORST', align: 'right' },
] as const

/** The figures of each route and of all, and a histogram; in a pipe a line a member. */
export function renderDrift(answer: DriftAnswer, naming: Naming, style: Style): string {
  if (!style.tty) return pipeLines(answer)
  const names = namesOf(naming, style)
  const { routes, all, network, last: height } = answer
  const rows = [
    ...all.map((each, i) => [i === 0 ? 'all' : '', '', ...figureCells(each)]),
    ...routes.flatMap(({ input, output, size_usd: size, later }) =>
      later.map((each, i) => [
        ...(i === 0 ? [names.path([input, output]), `$${groupThousands(size)}`] : ['', '']),
        ...figureCells(each),
      ]),
    ),
  ]
  const title = `drift of ${groupThousands(`${answer.blocks}`)} recorded blocks`
  return [
    ...titleLines(title, { network, height }, style),
    ...table(columns, rows, style),
    '',
    ...histogramLines(answer, style),
    '',
    ...paragraph('Basis points that an execution paid less than its quote; negative: more.', style),
  ].join('\n')
}

/** Columns of the bars and of the labels beside them. */
const [BAR, LABEL] = [40, 16] as const

function histogramLines({ histogram }: DriftAnswer, style: Style): readonly string[] {
  const total = histogram.reduce((sum, { executions }) => sum + executions, 0)
  const most = Math.max(1, ...histogram.map(({ executions }) => executions))
  const indent = ' '.repeat(indentOf(style))
  const width = Math.max(8, Math.min(BAR, style.width - LABEL - 14))
  return histogram.map(({ above_bps: above, to_bps: to, executions }) => {
    const label = to === null ? `more than ${above}` : above === null ? `up to ${to}` : `to ${to}`
    const drawn = padEnd(bar(BigInt(executions), BigInt(most), width, style), width)
    const percent = total === 0 ? 0 : (executions * 100) / total
    return `${indent}${padEnd(label, LABEL)}${drawn} ${padStart(percent.toFixed(2), 6)} %`
  })
}

/** A row for each route, size and number of blocks. */
export function driftCsv({ routes }: DriftAnswer, naming: Naming): string {
  const names = namesOf(naming, plainStyle)
  const records = routes.flatMap(({ later, ...route }) =>
    later.map((figures) => ({ ...route, ...figures })),
  )
  type Row = (typeof records)[number]
  const cells: readonly CsvColumn<Row>[] = [
    ['input_symbol', ({ input }) => foreign(names, names.ticker(input))],
    ['output_symbol', ({ output }) => foreign(names, names.ticker(output))],
    ['input_denom', ({ input }) => foreign(names, input)],
    ['output_denom', ({ output }) => foreign(names, output)],
    ['size_usd', (row) => row.size_usd],
    ['quotes', (row) => row.quotes],
    ['blocks_later', (row) => row.blocks_later],
    ['executions', (row) => row.executions],
    ['failed', (row) => row.failed],
    ['median_bps', (row) => row.median_bps],
    ['p95_bps', (row) => row.p95_bps],
    ['p99_bps', (row) => row.p99_bps],
    ['worst_bps', (row) => row.worst_bps],
  ]
  return csv(cells, records)
}
