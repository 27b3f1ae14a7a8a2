import type { Market } from '../../../engine/market/market.js'
import { counted } from '../../../engine/math/counted.js'
import type {
  ArbrouteAnswer,
  ArbrouteRequest,
  CurvePoint,
  StepDocument,
} from '../../../operations/arbitrage/arbitrage-documents.js'
import { arbroute } from '../../../operations/arbitrage/arbroute.js'
import { formatDollarsAndCents, formatShort } from '../../../render/amount.js'
import {
  fields,
  flow,
  formOf,
  paragraph,
  titledSections,
  withoutBreaks,
} from '../../../render/layout.js'
import { type Names, namesOf, type View } from '../../../render/names.js'
import { plotLines, plotMargin, rangeOf } from '../../../render/picture.js'
import { glyphsOf, plainStyle, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { displayWidth, padStart } from '../../../render/width.js'
import { denomNamed } from '../../arguments/pair-name.js'
import { callOf, capitalWords } from '../../arguments/swap-words.js'
import type { Run } from '../../command.js'
import { membersOf } from '../../flags/request-flags.js'
import { pipeLines } from '../../print-answer.js'
import { withQuoteId } from '../../quotes/pipe-fields.js'
import { heldBySigner, printQuote } from '../../quotes/quote.js'
import { estimateLines } from '../../quotes/route/route-headline.js'
import { cutRow, quoteRow } from '../../quotes/route/route-notes.js'
import { pathPieces, type RouteContext } from '../../quotes/route/route-view.js'
import { type ReadRequest, readAmount, readerOf, splitGlued } from '../../quotes/route-request.js'
import { type ArbrouteContext, arbrouteCsv, loopHops } from './loop.js'

/** Default number of sizes in the plot. */
const PICTURE = 60

/** Quotes the profit of a capital, stores the quote and prints it. */
export const runArbroute: Run = async (context, args, flags) => {
  const held = heldBySigner(context)
  const request = await arbrouteRequestOf(context, args, flags)
  const { curve, ...quoted } = await arbroute(context.app, { curve: PICTURE, ...request })
  // The points of the plot are neither part of the request nor stored.
  const answer: ArbrouteAnswer = request.curve === undefined ? quoted : { ...quoted, curve: curve! }
  const viewed = (view: RouteContext, { router }: Market) => ({
    ...view,
    dialect: router.dialect,
    picture: curve ?? [],
  })
  return printQuote(context, answer, answer.profit, {
    csv: (view, market) => arbrouteCsv(answer, viewed(view, market)),
    human: (view, market) => renderArbroute(answer, viewed(view, market), context.out.style),
    held,
  })
}

const arbrouteRequestOf: ReadRequest<ArbrouteRequest> = async (context, args, flags) => {
  const reader = await readerOf(context)
  const words = args.flatMap((word) => splitGlued(word, reader.atomic))
  const { amount, token: name } = capitalWords(words)
  const pointer = '/input/denom'
  const denom = denomNamed(reader, name, pointer, (first) => callOf('arbroute', amount, first))
  const token = reader.token(denom, pointer)
  const { values } = context.config
  const atomics = readAmount(reader, amount, token, '/input/amount')
  return {
    input: { denom: token.denom, amount: `${atomics}` },
    slippage_bps: values.slippage,
    max_hops: loopHops(values.maxHops),
    ...membersOf('arbroute', ['curve'], flags),
  }
}

type ArbrouteView = View<ArbrouteAnswer, ArbrouteContext>

/** The profit of a capital: sections on a terminal, lines of key and value in a pipe. */
export function renderArbroute(
  answer: ArbrouteAnswer,
  context: ArbrouteContext,
  style: Style,
): string {
  if (!style.tty) return renderPlain(answer, context)
  const view = { answer, context, names: namesOf(context, style), style }
  const cut = fields(style, [cutRow(answer, 'lower --max-hops', style)])
  const sections =
    answer.steps.length === 0
      ? [
          paragraph(
            `No loop ${answer.search_cut ? 'that was found ' : ''}returns more than it takes: the capital stays as it is.`,
            style,
          ),
          cut,
        ]
      : [
          headline(view),
          stepLines(view),
          context.verbose ? chainLines(view) : [],
          profitPlot(context.picture, answer.steps[0]!.executions[0]!.input, view.names, style),
          noteLines(view),
          cut,
        ]
  return titledSections(titleOf(view), answer, style, sections)
}

function titleOf({ answer, names, style }: ArbrouteView): string {
  const { dot } = glyphsOf(style)
  const calls = answer.steps.reduce((sum, { count }) => sum + count, 0)
  return `${withoutBreaks(names.payment(answer.input))} ${dot} ${callsText(calls)}`
}

function callsText(calls: number): string {
  if (calls === 0) return 'nothing pays'
  return calls === 1 ? 'one loop, once' : `${calls} executions of loops`
}

function headline({ answer, names, style }: ArbrouteView): readonly string[] {
  const { profit, profit_percent, profit_usd, output, steps } = answer
  const gain = style.good(withoutBreaks(`+${names.coin(profit)}`))
  const percent = `${withoutBreaks(`${profit_percent.toFixed(2)} %`)} of the capital`
  const usd = profit_usd !== null && formatDollarsAndCents(profit_usd, style)
  const isExact = steps.every(({ executions }) => executions.every(({ exact }) => exact))
  const figures = fields(style, [
    ['Profit', [gain, percent, usd]],
    ['You end', [`with ${withoutBreaks(names.coin(output))}`]],
  ])
  return [...figures, ...estimateLines(isExact, style)]
}

function stepLines({ answer, names, style }: ArbrouteView): readonly string[] {
  if (formOf(style) === 'stacked')
    return answer.steps.flatMap((step) =>
      fields(style, [
        [counted(step.count, 'time'), [names.path(step.path)]],
        ['', [names.coin(step.input), `+${names.coin(profitOf(step))}`].map(withoutBreaks)],
      ]),
    )
  const capital = names.symbol(answer.input.denom)
  return table(answer.steps, style, [
    ['STEP', (_, i) => `${i + 1}`, { drop: 2 }],
    ['LOOP', ({ path }) => names.path(path)],
    ['TIMES', ({ count }) => `${count}`, { align: 'right', drop: 1 }],
    [`IN ${capital}`, ({ input }) => names.amount(input), { align: 'right' }],
    [`OUT ${capital}`, ({ output }) => names.amount(output), { align: 'right', drop: 3 }],
    ['PROFIT', (step) => names.coin(profitOf(step)), { align: 'right' }],
  ])
}

const profitOf = ({ input, output }: StepDocument) => ({
  denom: input.denom,
  amount: `${BigInt(output.amount) - BigInt(input.amount)}`,
})

/** The first loop with the venues between its tokens. */
function chainLines({ answer, context, names, style }: ArbrouteView): readonly string[] {
  const step = answer.steps[0]!
  if (formOf(style) === 'stacked') return []
  const { line, arrowHead } = glyphsOf(style)
  const dash = line.repeat(2)
  const { stages } = step.executions[0]!.tx.swap
  const hops = context.dialect === 'forward' ? stages : stages.toReversed()
  const pieces = pathPieces(step.path, hops, names, { dash, arrow: dash + arrowHead })
  return flow(pieces, ' ', style.width - 4).map(
    (text, i) => `${' '.repeat(i === 0 ? 2 : 4)}${text}`,
  )
}

function noteLines({ answer, context, names, style }: ArbrouteView): readonly string[] {
  const executions = answer.steps.flatMap((step) => step.executions)
  const least = executions.map(({ min_return }) => withoutBreaks(names.coin(min_return)))
  const shown = least.slice(0, 3).join(', ') + (least.length > 3 ? ', ...' : '')
  const reverts =
    executions.length > 1 ? 'these the transactions revert' : 'that the transaction reverts'
  const isVerbose = context.verbose === true
  const note = 'loops close within a block; other traders may take them first'
  return [
    ...fields(style, [
      ['Min return', [`${shown}: below ${reverts}`]],
      isVerbose && ['Note', [note]],
      quoteRow({ ...context, names, style }, isVerbose ? [] : ['-v']),
    ]),
  ]
}

function renderPlain(answer: ArbrouteAnswer, context: ArbrouteContext): string {
  const { excluded: _, steps, curve, ...members } = withQuoteId(answer, context)
  return pipeLines(
    { ...members, steps: steps.length, step: steps.map(stepMembers), curve },
    { names: namesOf(context, plainStyle) },
  )
}

const stepMembers = ({ path, executions, ...step }: StepDocument) => ({
  path: path.join(' > '),
  ...step,
  execution: executions.map(({ input, output, min_return, exact }) => ({
    input: input.amount,
    output: output.amount,
    min_return: min_return.amount,
    exact,
  })),
})

const ROWS = 5
const MOST_COLUMNS = 60

const unicode = { dot: '•', bar: '┃', up: '↑' } as const
const ascii = { dot: '*', bar: '|', up: '^' } as const

/**
 * Plots profit by size: a dot a column, a bar at the chosen size. Losses are below the plot.
 * Empty without room or without a profitable point.
 */
export function profitPlot(
  points: readonly CurvePoint[],
  best: { readonly denom: string; readonly amount: string },
  names: Names,
  style: Style,
): readonly string[] {
  const paying = points.filter(({ profit }) => profit !== null && BigInt(profit) > 0n)
  if (formOf(style) === 'stacked' || paying.length < 3) return []
  const marks = style.ascii ? ascii : unicode
  const { denom } = best
  const [, top] = rangeOf(paying.map(({ profit }) => BigInt(profit!)))
  const widest = BigInt(points.at(-1)!.input)
  const labels = Array.from({ length: ROWS }, (_, i) =>
    formatShort((top * BigInt(ROWS - 1 - i)) / BigInt(ROWS - 1), names.decimals(denom)),
  )
  const margin = plotMargin(labels)
  const columns = Math.min(MOST_COLUMNS, style.width - margin - 3)
  const columnOf = (size: string) =>
    Math.min(columns - 1, Number((BigInt(size) * BigInt(columns)) / (widest + 1n)))
  const chosen = columnOf(best.amount)
  const grid = labels.map(() => new Array<string>(columns).fill(' '))
  for (const row of grid) row[chosen] = marks.bar
  for (const { input, profit } of paying) {
    const height = Number((BigInt(profit!) * BigInt(2 * (ROWS - 1)) + top) / (2n * top))
    const at = columnOf(input)
    if (at !== chosen) grid[ROWS - 1 - height]![at] = marks.dot
  }
  const rows = grid.map((row) => ` ${row.join('')}`)
  const note = `${marks.up} ${names.coin(best)}, the best size`
  const fits = chosen + displayWidth(note) <= columns
  const below = fits
    ? ' '.repeat(chosen) + note
    : padStart(`${names.coin(best)}, the best size ${marks.up}`, chosen + 1)
  return [
    `  profit, ${names.symbol(denom)}`,
    ...plotLines(labels, rows, columns + 1, style),
    `${' '.repeat(margin + 1)}${below}`,
  ]
}
