import type {
  ArbrouteAnswer,
  ArbsAnswer,
  ExecutionDocument,
} from '../../../operations/arbitrage/arbitrage-documents.js'

import { amountColumns, type CsvColumn, csv, foreign } from '../../../render/csv.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import type { ArbrouteContext } from './loop.js'

type LoopRow = Pick<ExecutionDocument, 'input' | 'output'> & { readonly path: readonly string[] }

/** The columns of a loop: its path, its token, and what goes in and comes out. */
const loopColumns = (names: Names): readonly CsvColumn<LoopRow>[] => [
  ['path', ({ path }) => foreign(names, path.join(' > '))],
  ['symbol', ({ input }) => foreign(names, names.ticker(input.denom))],
  ['denom', ({ input }) => foreign(names, input.denom)],
  ...amountColumns<LoopRow>('in', names, ({ input }) => input),
  ...amountColumns<LoopRow>('out', names, ({ output }) => output),
]

/** One row for each profitable loop, the best percentage first. */
export function arbsCsv({ opportunities }: ArbsAnswer, context: Naming): string {
  const names = namesOf(context, plainStyle)
  type Row = ArbsAnswer['opportunities'][number]
  const columns: readonly CsvColumn<Row>[] = [
    ['id', ({ id }) => id],
    ...loopColumns(names),
    ...amountColumns<Row>('profit', names, ({ profit }) => profit),
    ['profit_percent', ({ profit_percent }) => profit_percent],
    ['profit_usd', ({ profit_usd }) => profit_usd],
  ]
  return csv(columns, opportunities)
}

/** One row for each execution, in order. */
export function arbrouteCsv({ steps }: ArbrouteAnswer, context: ArbrouteContext): string {
  const names = namesOf(context, plainStyle)
  type Row = ExecutionDocument & { readonly step: number; readonly path: readonly string[] }
  const columns: readonly CsvColumn<Row>[] = [
    ['quote_id', () => context.quoteId ?? null],
    ['step', ({ step }) => step],
    ...loopColumns(names),
    ...amountColumns<Row>('min_return', names, ({ min_return }) => min_return),
  ]
  const rows = steps.flatMap(({ executions, path }, i) =>
    executions.map((each): Row => ({ ...each, step: i + 1, path })),
  )
  return csv(columns, rows)
}
