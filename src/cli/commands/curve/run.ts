import { givenFlags } from '../../../config/configured.js'
import { flagOf } from '../../../config/naming.js'
import { invalidRequest, SwapError } from '../../../engine/errors.js'
import type { Token } from '../../../engine/market/token.js'
import { counted } from '../../../engine/math/counted.js'
import { formatCoin } from '../../../operations/amount.js'
import type {
  CurveAnswer,
  CurveRequest,
  MaxAnswer,
  MaxRequest,
  SizeDocument,
} from '../../../operations/split/size-documents.js'
import { curve, max } from '../../../operations/split/sizes.js'
import {
  formatBps,
  formatPrice,
  hundredthsOf,
  orDash,
  renderImpact,
} from '../../../render/amount.js'
import { field, formOf, nextLine, titledSections, withoutBreaks } from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { denomNamed } from '../../arguments/pair-name.js'
import { callOf } from '../../arguments/swap-words.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { membersOf } from '../../flags/request-flags.js'
import { inFlag } from '../../invalid-request.js'
import { amountText, namingIn, printAnswer } from '../../print-answer.js'
import { sizeRows, sizesCsv } from '../../quotes/quote-csv.js'
import {
  estimateLines,
  type Figure,
  figureLines,
  inverseText,
} from '../../quotes/route/route-headline.js'
import { dollarsBeside } from '../../quotes/route/route-view.js'
import {
  listOf,
  pathNames,
  type Reader,
  type ReadRequest,
  readAmount,
  readerOf,
  stepOf,
} from '../../quotes/route-request.js'

/** The part of the limit below which an impact gets a hint: it jumps where a book is used up. */
const WELL_BELOW = 0.9

/**
 * Renders the largest amount within a limit; in a pipe one tab-separated row.
 *
 * @param searched the flags that chose the paths, which the command that quotes the amount repeats
 */
export function renderMax(
  answer: MaxAnswer,
  context: Naming,
  style: Style,
  searched: readonly string[] = [],
): string {
  if (!style.tty) return sizeRows([answer], context)
  const names = namesOf(context, style)
  const { arrow, dot } = glyphsOf(style)
  const { input, output, price, max_impact_bps, price_impact_bps, split } = answer
  const [from, to] = [names.symbol(input.denom), names.symbol(output!.denom)]
  const title = `${from} ${arrow} ${to} ${dot} the most within ${formatBps(max_impact_bps)}`
  const inverse = inverseText(input, output!, names)
  const figures: readonly Figure[] = [
    ['Sell', names.amount(input), from + dollarsBeside(answer.input_usd, style)],
    [
      'You get',
      names.amount(output!),
      to + dollarsBeside(answer.output_usd, style),
      ['Impact', renderImpact(price_impact_bps, style)],
    ],
    ['Price', formatPrice(price!, style), `${to} per ${from}`, ['Or', inverse]],
  ]
  const command = split ? 'sroute' : 'route'
  const typed = [input.denom, output!.denom].map((denom) => names.text(names.typed(denom)))
  const limit = ['--max-impact', `${max_impact_bps / 100}%`]
  const next = callOf(command, names.units(input), ...typed, ...limit, ...searched)
  const shown = [...figureLines(figures, style), ...estimateLines(answer.exact !== false, style)]
  const isBelow = (price_impact_bps ?? max_impact_bps) < max_impact_bps * WELL_BELOW
  const hint = `any more has an impact above ${formatBps(max_impact_bps)}, or no path takes it`
  const division = split ? '' : '; more may be possible with --split'
  const sections = [
    isBelow ? [...shown, ...field(style, 'Hint', [hint + division])] : shown,
    [nextLine(next, style)],
  ]
  return titledSections(title, answer, style, sections)
}

/** Quotes a ladder of sizes and prints it. */
export const runCurve: Run = async (context, args, flags) => {
  const answer = await curve(context.app, await curveRequestOf(context, args, flags))
  const view = await namingIn(context)
  return printAnswer(context, answer, {
    quiet: () =>
      answer.points.map(({ output }) => amountText(context, output, view.tokens)).join('\n'),
    csv: () => sizesCsv(answer.points, view),
    human: () => renderCurve(answer, view, context.out.style),
  })
}

/** Finds the largest amount within a limit and prints it. */
export const runMax: Run = async (context, args, flags) => {
  const answer = await max(context.app, await maxRequestOf(context, args, flags))
  const view = await namingIn(context)
  return printAnswer(context, answer, {
    quiet: () => amountText(context, answer.input, view.tokens),
    csv: () => sizesCsv([answer], view),
    human: () => renderMax(answer, view, context.out.style, searchFlags(context, flags)),
  })
}

/** The flags of a call that decide which paths its amounts take. */
const searchFlags = ({ config }: Pick<Context, 'config'>, flags: FlagValues): readonly string[] => [
  ...(['via', 'exclude'] as const).flatMap((name) =>
    listOf(flags, name).flatMap((text) => [`--${name}`, text]),
  ),
  ...(['maxLegs', 'splitStep'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [flagOf(name), `${flags[name]}`],
  ),
  ...givenFlags(config, ['maxHops', 'affiliate']),
]

/** Terminal columns of the longest bar. */
const BAR = 16

/** A ladder of sizes: a table for people; in a pipe tab-separated rows without a heading. */
export function renderCurve(answer: CurveAnswer, context: Naming, style: Style): string {
  if (!style.tty) return sizeRows(answer.points, context)
  const names = namesOf(context, style)
  const { arrow, dot } = glyphsOf(style)
  const [from, to] = [names.symbol(answer.input.denom), names.symbol(answer.output.denom)]
  const how = answer.split ? 'divided' : 'single paths'
  const title = `${from} ${arrow} ${to} ${dot} ${counted(answer.points.length, 'size')}, ${how}`
  const lines =
    formOf(style) === 'stacked'
      ? answer.points.flatMap((point) => stackedRow(point, names))
      : pointTable(answer, names)
  const isExact = answer.points.every(({ exact }) => exact !== false)
  return titledSections(title, answer, style, [lines, estimateLines(isExact, style)])
}

function pointTable(answer: CurveAnswer, names: Names): readonly string[] {
  const { style } = names
  const { points, input, output } = answer
  const [from, to] = [names.symbol(input.denom), names.symbol(output.denom)]
  const worst = hundredthsOf(Math.max(...points.map((each) => each.price_impact_bps ?? 0)))
  const impactOf = ({ output: paid, price_impact_bps: bps }: SizeDocument) =>
    paid === null ? NO_PATH : renderImpact(bps, style)
  const priceText = (price: string) => formatPrice(price, style)
  return table(points, style, [
    [`IN ${from}`, (each) => names.amount(each.input), { align: 'point' }],
    [`OUT ${to}`, (each) => orDash(each.output, names.amount), { align: 'right' }],
    [`PRICE ${to}`, (each) => orDash(each.price, priceText), { align: 'right', drop: 1 }],
    ['IMPACT', impactOf, { align: 'percent' }],
    ['', (each) => bar(hundredthsOf(each.price_impact_bps ?? 0), worst, BAR, style), { drop: 2 }],
  ])
}

const NO_PATH = 'no path takes it'

const stackedRow = (point: SizeDocument, names: Names): readonly string[] =>
  field(
    names.style,
    names.amount(point.input),
    point.output === null
      ? [NO_PATH]
      : [names.coin(point.output), renderImpact(point.price_impact_bps, names.style)].map(
          withoutBreaks,
        ),
    '  ',
  )

const curveRequestOf: ReadRequest<CurveRequest> = async (context, args, flags) => {
  const reader = await readerOf(context)
  const [input, output] = tokensOf(reader, args, (...pair) => callOf('curve', ...pair))
  const { from, to } = membersOf('curve', ['from', 'to'], flags)
  const read = (name: 'from' | 'to', text: string | number | undefined) =>
    text === undefined
      ? undefined
      : inFlag(`--${name}`, () => readAmount(reader, `${text}`, input, `/input/${name}`))
  const [low, high] = [read('from', from), read('to', to)]
  if (low !== undefined && high !== undefined && high < low)
    throw descending(reader, input, low, high)
  const sizes = {
    ...(low !== undefined && { from: `${low}` }),
    ...(high !== undefined && { to: `${high}` }),
  }
  return {
    input: { denom: input.denom, ...sizes, ...stepOf(flags) },
    output: { denom: output.denom },
    ...membersOf('curve', ['points'], flags),
    ...limitsOf(context, reader, flags),
  }
}

/** The error for `--from` above `--to`, in the units of the command line. */
function descending({ market, atomic }: Reader, { denom }: Token, low: bigint, high: bigint) {
  const text = (amount: bigint) => (atomic ? `${amount}` : formatCoin(market, denom, amount))
  const why = `${text(low)} is above ${text(high)}`
  return new SwapError('INVALID_REQUEST', '--from and --to clash', {
    why,
    hint: 'begin with the smaller size',
    members: { errors: ['from', 'to'].map((name) => ({ pointer: `/input/${name}`, detail: why })) },
  })
}

const maxRequestOf: ReadRequest<MaxRequest> = async (context, args, flags) => {
  const reader = await readerOf(context)
  const { max_impact_bps } = membersOf('max', ['max_impact_bps'], flags)
  if (max_impact_bps === undefined)
    throw invalidRequest('--max-impact is missing', '/max_impact_bps', {
      why: 'the largest amount is that with at most this price impact',
      hint: `write e.g. ${callOf('max', ...args, '--max-impact', '1%')}`,
    })
  const limit = ['--max-impact', `${max_impact_bps / 100}%`]
  const [input, output] = tokensOf(reader, args, (...pair) => callOf('max', ...pair, ...limit))
  return {
    input: { denom: input.denom, ...stepOf(flags) },
    output: { denom: output.denom },
    max_impact_bps,
    ...limitsOf(context, reader, flags),
  }
}

function tokensOf(
  reader: Reader,
  [from = '', to = '']: readonly string[],
  call: (first: string, second: string) => string,
): readonly [input: Token, output: Token] {
  const named = (text: string, pointer: string) =>
    reader.token(denomNamed(reader, text, pointer, call), pointer)
  return [named(from, '/input/denom'), named(to, '/output/denom')]
}

function limitsOf({ config }: Context, reader: Reader, flags: FlagValues) {
  const stray = (['maxLegs', 'splitStep'] as const).find((name) => flags[name] !== undefined)
  if (stray !== undefined && flags['split'] !== true)
    throw invalidRequest(`${flagOf(stray)} goes with --split`, '/split', {
      why: 'a single path is not divided',
      hint: 'add --split',
    })
  return {
    max_hops: config.values.maxHops,
    ...(config.values.affiliate !== undefined && { affiliate: config.values.affiliate }),
    ...pathNames(reader, flags, 'via', 'exclude'),
    ...membersOf('curve', ['max_legs', 'split'], flags),
  }
}
