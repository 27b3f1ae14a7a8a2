import { invalidRequest } from '../../../engine/errors.js'
import type {
  ArbrouteAnswer,
  ArbsAnswer,
  CurvePoint,
  ExecutionDocument,
  OpportunityDocument,
} from '../../../operations/arbitrage/arbitrage-documents.js'
import { hundredthsOf } from '../../../render/amount.js'
import {
  amountColumns,
  type CsvColumn,
  csv,
  memberColumns,
  untrustedCell,
} from '../../../render/csv.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import type { RouteContext } from '../../quotes/route/route-view.js'

export type ArbrouteContext = RouteContext & {
  /** How the router writes its stages: in order of execution, or the last one first. */
  readonly dialect: 'forward' | 'stack'
  /** Profit by size of the first loop, for the plot. */
  readonly picture: readonly CurvePoint[]
}

/** Checks `--max-hops` of a loop, which has at least two hops. @throws SwapError INVALID_REQUEST */
export function loopHops(maxHops: number): number {
  if (maxHops >= 2) return maxHops
  throw invalidRequest('one hop does not make a loop', '/max_hops', {
    why: 'an arbitrage loop has at least two hops',
    hint: 'write --max-hops 2, or leave it out for 4',
  })
}

/** Terminal columns of the longest bar. */
export const BAR = 12

/** Profit of a loop in hundredths of a percent. */
export const profitHundredths = ({ profit_percent }: OpportunityDocument): bigint =>
  hundredthsOf(profit_percent)

type LoopRow = Pick<ExecutionDocument, 'input' | 'output'> & { readonly path: readonly string[] }

/** The columns of a loop: its path, its token, and what goes in and comes out. */
const loopColumns = (names: Names): readonly CsvColumn<LoopRow>[] => [
  ['path', ({ path }) => untrustedCell(path.join(' > '))],
  ['symbol', ({ input }) => untrustedCell(names.ticker(input.denom))],
  ['denom', ({ input }) => untrustedCell(input.denom)],
  ...amountColumns<LoopRow>('in', names, ({ input }) => input),
  ...amountColumns<LoopRow>('out', names, ({ output }) => output),
]

/** One row for each profitable loop, the best percentage first. */
export function arbsCsv({ opportunities }: ArbsAnswer, context: Naming): string {
  const names = namesOf(context, plainStyle)
  type Row = ArbsAnswer['opportunities'][number]
  return csv(opportunities, [
    ['id', ({ id }) => id],
    ...loopColumns(names),
    ...amountColumns<Row>('profit', names, ({ profit }) => profit),
    ...memberColumns('profit_percent', 'profit_usd', 'exact'),
  ])
}

/** One row for each execution, in order. */
export function arbrouteCsv({ steps }: ArbrouteAnswer, context: ArbrouteContext): string {
  const names = namesOf(context, plainStyle)
  type Row = ExecutionDocument & { readonly step: number; readonly path: readonly string[] }
  const rows = steps.flatMap(({ executions, path }, i) =>
    executions.map((each): Row => ({ ...each, step: i + 1, path })),
  )
  return csv(rows, [
    ['quote_id', () => context.quoteId ?? null],
    ['step', ({ step }) => step],
    ...loopColumns(names),
    ...amountColumns<Row>('min_return', names, ({ min_return }) => min_return),
    ...memberColumns('exact'),
  ])
}
