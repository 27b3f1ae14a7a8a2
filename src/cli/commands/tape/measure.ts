import type { Market } from '../../../engine/market/market.js'
import { counted, groupThousands } from '../../../engine/math/counted.js'
import { openOnce } from '../../../operations/context.js'
import { backtestPlan } from '../../../operations/plan/backtest.js'
import type { BacktestAnswer } from '../../../operations/plan/plan-documents.js'
import { type DriftPair, drift } from '../../../operations/tape/drift.js'
import type { DriftAnswer } from '../../../operations/tape/tape-documents.js'
import { formatSignedBps } from '../../../render/amount.js'
import {
  amountColumns,
  csv,
  memberColumns,
  tokenColumns,
  untrustedCell,
} from '../../../render/csv.js'
import { field, indentOf, joinSections, paragraph, titleLines } from '../../../render/layout.js'
import { type Naming, namesOf } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import { plainStyle, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { padEnd, padStart } from '../../../render/width.js'
import { marketAt, marketsOf, readTape, recordedBlocks } from '../../../tape/tape.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { flagRefused } from '../../flags/checked-flag.js'
import { runsFlag } from '../../flags/command-flags.js'
import { marketNaming, pipeLines, printAnswer } from '../../print-answer.js'
import { listOf, readerOf } from '../../quotes/route-request.js'
import { readPlan } from '../plan/plan-file.js'
import { gainPieces, planTitle } from '../plan/render.js'

/** Measures how far executions on recorded books fall from their quotes. */
export const runDrift: Run = async (context, [file = ''], flags) => {
  const tape = readTape(file, context.out.note)
  const market = marketAt(tape)
  const pairs = await pairsOf(context, market, listOf(flags, 'pairs'))
  const sizes = textsOf(flags, 'size', '1000usd').map(dollarsOf)
  const later = textsOf(flags, 'blocks', '1,2,3').map(blocksOf)
  const request = { pairs, sizes, later: [...new Set(later)].sort((a, b) => a - b) }
  const answer = await context.out.whileWaiting(
    (seconds) => `replaying ${counted(tape.frames.length, 'block')}: ${seconds} s`,
    async () => drift(marketsOf(tape), request),
  )
  const naming = marketNaming(market, context.config)
  return printAnswer(context, answer, {
    quiet: () => `${answer.all.at(-1)?.p99_bps ?? ''}`,
    csv: () => driftCsv(answer, naming),
    human: () => renderDrift(answer, naming, context.out.style),
  })
}

/** Given pairs in both directions; by default every token against the dollar token. */
async function pairsOf(
  context: Context,
  market: Market,
  names: readonly string[],
): Promise<readonly DriftPair[]> {
  const app = openOnce(async () => market)
  const { graph } = await app.openMarket()
  const reader = await readerOf({ ...context, app })
  const both = (input: string, output: string): readonly DriftPair[] => [
    { input, output },
    { input: output, output: input },
  ]
  if (names.length === 0) {
    const { usd } = market
    const tokens = [...market.tokens.keys()].filter(
      (denom) => denom !== usd && graph.indexOf.has(denom),
    )
    return usd === undefined ? [] : tokens.flatMap((denom) => both(denom, usd))
  }
  return names.flatMap((name) => {
    const [left = '', right = '', ...more] = name.split('/')
    if (left === '' || right === '' || more.length > 0)
      throw flagRefused(name, '--pairs', 'it is two tokens with a slash', 'btc/usdc,rune/btc')
    return both(reader.token(left, '/pairs').denom, reader.token(right, '/pairs').denom)
  })
}

function textsOf(flags: FlagValues, name: string, usual: string): readonly string[] {
  const given = listOf(flags, name)
  return given.length === 0 ? usual.split(',') : given
}

function dollarsOf(text: string): string {
  const [, dollars] = /^\$?(\d{1,12}(?:\.\d{1,6})?)(?:usd)?$/.exec(text) ?? []
  if (dollars !== undefined && Number(dollars) > 0) return dollars
  throw flagRefused(text, '--size', 'it is dollars', '1000usd')
}

function blocksOf(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw flagRefused(text, '--blocks', 'it is numbers of blocks, 0 to 999', '1,2,3')
}

/** A quantile of executions; empty without any. */
const bps = (value: number | null, { executions }: { readonly executions: number }): string =>
  value?.toFixed(2) ?? (executions === 0 ? '' : 'fails')

/** Figures of each route and of all, with a histogram; in a pipe a line for each member. */
function renderDrift(answer: DriftAnswer, naming: Naming, style: Style): string {
  if (!style.tty) return pipeLines(answer)
  const names = namesOf(naming, style)
  const { routes, all, network, last: height } = answer
  const rows = [
    ...all.map((each, i) => ({ ...each, route: i === 0 ? 'all' : '', size: '' })),
    ...routes.flatMap(({ input, output, size_usd: size, later }) =>
      later.map((each, i) => ({
        ...each,
        ...(i === 0
          ? { route: names.path([input, output]), size: `$${groupThousands(size)}` }
          : { route: '', size: '' }),
      })),
    ),
  ]
  const lines = table(rows, style, [
    ['ROUTE', ({ route }) => route],
    ['SIZE', ({ size }) => size, { align: 'right', drop: 2 }],
    ['BLOCK', ({ blocks_later }) => `+${blocks_later}`, { align: 'right' }],
    ['SWAPS', (row) => groupThousands(`${row.executions}`), { align: 'right', drop: 1 }],
    ['FAILED', ({ failed }) => `${failed}`, { align: 'right', drop: 3 }],
    ['MEDIAN', (row) => bps(row.median_bps, row), { align: 'right' }],
    ['P95', (row) => bps(row.p95_bps, row), { align: 'right' }],
    ['P99', (row) => bps(row.p99_bps, row), { align: 'right' }],
    ['WORST', (row) => bps(row.worst_bps, row), { align: 'right' }],
  ])
  const title = `drift of ${counted(answer.blocks, 'recorded block')}`
  const bySize = answer.sizes.length > 1 ? sizeLines(answer, style) : []
  return [
    ...titleLines(title, { network, height }, style),
    ...lines,
    '',
    ...histogramLines(answer, style),
    ...(bySize.length > 0 ? ['', ...bySize] : []),
    '',
    ...paragraph('Basis points that an execution paid less than its quote; negative: more.', style),
  ].join('\n')
}

/** Columns of the longest bar. */
const BAR = 40
/** Columns of the labels beside the bars. */
const LABEL = 16

/** A bar with a label before it and a text after it. */
function barLine(
  [label, text]: readonly [label: string, text: string],
  [value, most]: readonly [value: number, most: number],
  style: Style,
): string {
  const width = Math.max(8, Math.min(BAR, style.width - LABEL - 14))
  const drawn = padEnd(bar(BigInt(value), BigInt(Math.max(1, most)), width, style), width)
  return `${' '.repeat(indentOf(style))}${padEnd(label, LABEL)}${drawn} ${text}`
}

function histogramLines({ histogram }: DriftAnswer, style: Style): readonly string[] {
  const total = histogram.reduce((sum, { executions }) => sum + executions, 0)
  const most = Math.max(...histogram.map(({ executions }) => executions))
  return histogram.map(({ above_bps: above, to_bps: to, executions }) => {
    const percent = total === 0 ? 0 : (executions * 100) / total
    return barLine(
      [rangeText(above, to), `${padStart(percent.toFixed(2), 6)} %`],
      [executions, most],
      style,
    )
  })
}

/** The label of a bar. The least bar has no lower end, the greatest no upper one. */
function rangeText(above: number | null, to: number | null): string {
  if (to === null) return `more than ${above}`
  return above === null ? `up to ${to}` : `to ${to}`
}

/** The slippage tolerance with which 99 % of the executions pass at the greatest distance, by size; none without any. */
function sizeLines({ sizes }: DriftAnswer, style: Style): readonly string[] {
  const rows = sizes.flatMap(({ size_usd: size, later }) => {
    const last = later.at(-1)
    return last === undefined || last.executions === 0
      ? []
      : [{ size, ...last, value: Math.round((last.p99_bps ?? 0) * 100) }]
  })
  const most = Math.max(...rows.map(({ value }) => value))
  const [first] = rows
  if (first === undefined) return []
  return [
    ...paragraph(
      `Slippage that 99 % of the executions need at block +${first.blocks_later}:`,
      style,
    ),
    ...rows.map(({ size, value, ...row }) =>
      barLine(
        [`$${groupThousands(size)}`, `${padStart(bps(row.p99_bps, row), 6)} bps`],
        [value, most],
        style,
      ),
    ),
  ]
}

/** A row for each route, size and number of blocks. */
function driftCsv({ routes }: DriftAnswer, naming: Naming): string {
  const names = namesOf(naming, plainStyle)
  const records = routes.flatMap(({ later, ...route }) =>
    later.map((figures) => ({ ...route, ...figures })),
  )
  return csv(records, [
    ['input_symbol', ({ input }) => untrustedCell(names.ticker(input))],
    ['output_symbol', ({ output }) => untrustedCell(names.ticker(output))],
    ['input_denom', ({ input }) => untrustedCell(input)],
    ['output_denom', ({ output }) => untrustedCell(output)],
    ...memberColumns('size_usd', 'quotes', 'blocks_later', 'executions', 'failed'),
    ...memberColumns('median_bps', 'p95_bps', 'p99_bps', 'worst_bps'),
  ])
}

/** Executes a plan on a tape, starting at several of its blocks. */
export const runBacktest: Run = async (context, [file = '', planFile = ''], flags) => {
  const { config, out } = context
  const tape = readTape(file, out.note)
  let newest: Market | undefined
  function* markets() {
    for (const market of marketsOf(tape)) {
      newest = market
      yield market
    }
  }
  const plan = await readPlan(planFile, context)
  const count = runsFlag.read(flags)
  const answer = await out.whileWaiting(
    (seconds) =>
      `executing ${counted(plan.slices.length, 'slice')} from ${counted(count, 'block')} on: ${seconds} s`,
    () => backtestPlan({ ...recordedBlocks(tape), markets }, plan, count),
  )
  const naming = marketNaming(newest!, config)
  return printAnswer(context, answer, {
    quiet: () => `${answer.gain?.median_bps ?? ''}`,
    csv: () => backtestCsv(answer, naming),
    human: () => renderBacktest(answer, naming, out.style),
  })
}

function backtestCsv({ output: denom, runs }: BacktestAnswer, naming: Naming): string {
  type Run = (typeof runs)[number]
  const names = namesOf(naming, plainStyle)
  return csv(runs, [
    ...memberColumns('height', 'time'),
    ...tokenColumns('out', names, () => denom),
    ...amountColumns('at_once', names, ({ at_once: amount }: Run) =>
      amount === null ? null : { denom, amount },
    ),
    ...amountColumns('in_time', names, ({ in_time: amount }: Run) => ({ denom, amount })),
    ...memberColumns('failed', 'gain_bps'),
  ])
}

function renderBacktest(answer: BacktestAnswer, naming: Naming, style: Style): string {
  if (!style.tty) return pipeLines(answer)
  const { network, last: height, output, slices, gain, runs } = answer
  const names = namesOf(naming, style)
  const paid = (amount: string) => names.coin({ denom: output, amount })
  const head = [
    ...titleLines(planTitle(answer, slices, names), { network, height }, style),
    ...field(style, 'Gain', gain === null ? ['no run can be compared'] : gainPieces(gain)),
  ]
  const failing = ({ failed }: (typeof runs)[number]) => `${failed} of ${slices} fail`
  const lines = table(runs, style, [
    ['BLOCK', (run) => groupThousands(`${run.height}`), { align: 'right' }],
    ['AT ONCE', ({ at_once }) => (at_once === null ? 'fails' : paid(at_once)), { align: 'right' }],
    ['IN TIME', (run) => (run.failed > 0 ? failing(run) : paid(run.in_time)), { align: 'right' }],
    ['GAIN', ({ gain_bps: bps }) => (bps === null ? '' : formatSignedBps(bps)), { align: 'right' }],
  ])
  return joinSections(style, [head, lines])
}
