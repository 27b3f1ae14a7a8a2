import { invalidRequest } from '../../../engine/errors.js'
import { counted } from '../../../engine/math/counted.js'
import { book, walk } from '../../../operations/book/book.js'
import type {
  BookAnswer,
  BookLevelDocument,
  SideDocument,
  WalkDocument,
} from '../../../operations/book/book-documents.js'
import { renderImpact } from '../../../render/amount.js'
import { type CsvColumn, csv, memberColumns, tabRows, untrustedCell } from '../../../render/csv.js'
import {
  field,
  flow,
  indentOf,
  paragraph,
  roomOf,
  titledSections,
  withoutBreaks,
} from '../../../render/layout.js'
import { type Names, type Naming, namesOf, type View } from '../../../render/names.js'
import { glyphsOf, plainStyle, type Style } from '../../../render/style.js'
import { layOutTable } from '../../../render/table.js'
import { displayWidth, quote } from '../../../render/width.js'
import { pairNamed } from '../../arguments/pair-name.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { levelsFlag } from '../../flags/command-flags.js'
import { inFlag } from '../../invalid-request.js'
import { marketNaming, printAnswer } from '../../print-answer.js'
import { readAmount, readerOf, splitGlued } from '../../quotes/route-request.js'
import { isWatched } from '../../watch/watch-options.js'
import { depthPlot } from './depth-picture.js'
import { levelTable } from './level-rows.js'

export const runBook: Run = async (context, [one = '', second], flags) => {
  const { app, out, form, config } = context
  const levels = levelsFlag.read(flags)
  const asked = second === undefined ? one : `${one}/${second}`
  if (isWatched(flags)) {
    const { watchBook } = await import('./watch-book.js')
    return watchBook(context, flags, { pair: asked, levels })
  }
  const { market } = await app.openMarket()
  const pair = pairNamed(context, market, asked)
  const full = await book(app, { pair, levels: levelsFlag.schema.maximum! })
  const naming = marketNaming(market, config)
  const amount = await amountOf(context, flags)
  const walked = amount && (await walk(app, full, amount))
  const answer: BookAnswer = {
    ...full,
    asks: first(full.asks, levels),
    bids: first(full.bids, levels),
    ...(walked && { walk: walked }),
  }
  // Levels and the mid price do not show it.
  const isShown = form.kind === 'json' || (form.kind === 'human' && out.style.tty)
  if (walked && form.quiet < 2 && (form.quiet === 1 || !isShown)) {
    const names = namesOf(naming, out.noteStyle)
    out.note(walkPieces(walked, full.pair, names).join(', ').replaceAll('\u00a0', ' '))
    if (walked.unsold !== '0') out.note(unsoldText(walked, names))
  }
  return printAnswer(context, answer, {
    quiet: () => answer.pair.mid_price ?? '',
    csv: () => bookCsv(answer, naming),
    human: () => renderBook(answer, { ...naming, full, walk: walked }, out.style),
  })
}

const first = ({ levels, more }: SideDocument, count: number): SideDocument => ({
  levels: levels.slice(0, count),
  more: more || levels.length > count,
})

/** `--amount 25000usdc`. */
async function amountOf(context: Context, { amount: text }: FlagValues) {
  if (typeof text !== 'string') return undefined
  const reader = await readerOf(context)
  const [amount = '', name] = splitGlued(text.replace(/\s+/, ''), reader.atomic)
  if (name === undefined)
    throw invalidRequest(`--amount ${quote(text)} names no token`, '/amount', {
      why: 'an amount of either side can be meant',
      hint: 'write e.g. --amount 25000usdc',
    })
  const token = reader.token(name, '/amount')
  return {
    denom: token.denom,
    amount: inFlag('--amount', () => readAmount(reader, amount, token, '/amount')),
  }
}

type BookContext = Naming & {
  /** All levels that there are, for the picture. */
  readonly full?: BookAnswer | undefined
  readonly walk?: WalkDocument | undefined
}

type BookView = View<BookAnswer, BookContext>

type Row = BookLevelDocument & { readonly side: 'ask' | 'bid' }

/** A pair level by level: asks above, bids below; tab-separated rows in a pipe. */
export function renderBook(answer: BookAnswer, context: BookContext, style: Style): string {
  if (!style.tty) return renderBookPlain(answer, context)
  const names = namesOf(context, style)
  const view = { answer, context, names, style }
  const { pair } = answer
  const { full, walk } = context
  const version = pair.fin_version === null ? '' : ` (contract ${names.text(pair.fin_version)})`
  return titledSections(names.pair(pair.address, pair) + version, answer, style, [
    field(style, 'Contract', [
      names.short(pair.address, roomOf(style)),
      pair.makers > 0 && withoutBreaks(counted(pair.makers, 'maker')),
    ]),
    levelLines(view),
    full === undefined ? [] : depthPlot(full, walk, names, style),
    walkLines(view),
    legendLines(view),
  ])
}

/** The levels that the amount of `--amount` takes. */
function walkLines({ answer, context: { walk }, names, style }: BookView): readonly string[] {
  if (walk === undefined) return []
  const pieces = walkPieces(walk, answer.pair, names)
  return field(style, 'Amount', [...pieces, walk.unsold !== '0' && unsoldText(walk, names)])
}

function walkPieces(
  { input, output, side, rate, depth_used_percent, price_impact_bps }: WalkDocument,
  pair: BookAnswer['pair'],
  names: Names,
): readonly string[] {
  return [
    `${withoutBreaks(names.payment(input))} walks the ${side}s ${withoutBreaks(`to ${names.price(rate, pair)}`)}`,
    `takes ${withoutBreaks(`${depth_used_percent.toFixed(2)} %`)} of them`,
    withoutBreaks(`impact ${renderImpact(price_impact_bps, names.style)}`),
    `for ${withoutBreaks(names.coin(output))}`,
  ]
}

/** The part of the amount that the pair does not take. */
const unsoldText = ({ input, unsold }: WalkDocument, names: Names): string =>
  `${names.coin({ denom: input.denom, amount: unsold })} of the amount does not fit`

/** Asks, the mid price on a line of its own, and bids. */
function levelLines({ answer, names, style }: BookView): readonly string[] {
  const { levels, columns } = levelTable(answer, names, style)
  const { head, rows } = layOutTable(levels, style, columns)
  const width = Math.max(...[head, ...rows].flat().map(displayWidth))
  const middle = midLines(answer, names, width)
  return [head, ...rows.toSpliced(answer.asks.levels.length, 0, middle)].flat()
}

/** @example '  ── mid 78,606.05 USDC · spread 8.74 bps ───' */
function midLines(answer: BookAnswer, names: Names, width: number): readonly string[] {
  const { style } = names
  const { mid_price, spread_bps, quote } = answer.pair
  const { line, dot } = glyphsOf(style)
  const pieces =
    mid_price === null || spread_bps === null
      ? ['no mid price: a side is empty']
      : [
          `mid ${names.price(mid_price, answer.pair)} ${names.symbol(quote)}`,
          `spread ${spread_bps.toFixed(2)} bps`,
        ]
  const front = `${' '.repeat(indentOf(style))}${line.repeat(2)} `
  return flow(pieces, ` ${dot} `, style.width - displayWidth(front)).map((text) => {
    const rest = width - displayWidth(front) - displayWidth(text) - 1
    return `${style.muted(front)}${style.bold(text)}${rest > 0 ? ` ${style.muted(line.repeat(rest))}` : ''}`
  })
}

/** Asks from the dearest down, then bids from the best down: prices fall from line to line. */
const rowsOf = ({ asks, bids }: BookAnswer): readonly Row[] => [
  ...asks.levels.map((level) => ({ ...level, side: 'ask' as const })).reverse(),
  ...bids.levels.map((level) => ({ ...level, side: 'bid' as const })),
]

function legendLines({ answer: { asks, bids, pair }, style }: BookView): readonly string[] {
  const shown = Math.max(asks.levels.length, bids.levels.length)
  const most = levelsFlag.schema.maximum!
  const flag = shown < most ? `: --levels ${Math.min(shown * 10, most)}` : ''
  const more = asks.more || bids.more ? [`More levels follow${flag}.`] : []
  const estimate = pair.exact ? [] : ['Not everything of this pair is known.']
  return [...more, ...estimate].flatMap((text) => paragraph(text, style))
}

/** A row for each level: side, price, amount, depth (units) and sources. */
function renderBookPlain(answer: BookAnswer, context: BookContext): string {
  const names = namesOf(context, plainStyle)
  const columns: readonly CsvColumn<Row>[] = [
    ...memberColumns('side'),
    ['price', ({ rate }) => names.unitPrice(rate, answer.pair)],
    ['amount', ({ amount }) => names.units(amount)],
    ['depth', ({ amount, depth }) => names.units({ ...amount, amount: depth })],
    ['denom', ({ amount }) => amount.denom],
    ['sources', ({ sources }) => sources.map(({ source }) => source).join(',')],
  ]
  return tabRows(rowsOf(answer), columns)
}

function bookCsv(answer: BookAnswer, context: BookContext): string {
  const names = namesOf(context, plainStyle)
  return csv(rowsOf(answer), [
    ['network', () => untrustedCell(answer.network)],
    ['height', () => answer.height],
    ['pair', () => answer.pair.address],
    ...memberColumns('side', 'rate'),
    ['price', ({ rate }) => names.unitPrice(rate, answer.pair)],
    ['denom', ({ amount }) => untrustedCell(amount.denom)],
    ['amount', ({ amount }) => amount.amount],
    ['amount_human', ({ amount }) => names.units(amount)],
    ['depth', ({ depth }) => depth],
    ['depth_human', ({ amount, depth }) => names.units({ ...amount, amount: depth })],
    ['sources', ({ sources }) => sources.map(({ source }) => source).join(' ')],
  ])
}
