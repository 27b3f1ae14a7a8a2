import { readSnapshot, writeDocument } from '../../../chain/market/snapshot-file.js'
import { counted } from '../../../engine/math/counted.js'
import { encodeSnapshot } from '../../../engine/snapshot/encode.js'
import type { PairSummary, SnapshotAnswer } from '../../../operations/book/book-documents.js'
import { snapshot } from '../../../operations/book/snapshot-summary.js'
import { openOnce } from '../../../operations/context.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import { reasonText } from '../../../operations/names.js'
import { printable } from '../../../platform/printable.js'
import { formatBps, orDash } from '../../../render/amount.js'
import {
  amountColumns,
  type CsvColumn,
  csv,
  memberColumns,
  tabRows,
  tokenColumns,
  untrustedCell,
} from '../../../render/csv.js'
import {
  fields,
  formatTime,
  formOf,
  hangingEntry,
  indentOf,
  paragraph,
  sentence,
  stackedEntry,
  titledSections,
  withoutBreaks,
} from '../../../render/layout.js'
import { type Names, type Naming, namesOf, shortCoin, type View } from '../../../render/names.js'
import { plainStyle, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import type { Context, Run } from '../../command.js'
import { clashing } from '../../invalid-request.js'
import { printAnswer } from '../../print-answer.js'

/** Shows the market that quotes are computed from, or a saved one. */
export const show: Run = async (context, [file], flags) => {
  const { app, config, out, surroundings } = context
  const other = ['height', 'tape', 'snapshot'].find((name) => flags[name] !== undefined)
  if (file !== undefined && other !== undefined)
    throw clashing(`--${other}`, 'the file', 'both name the market', `/${other}`)
  const shown = file === undefined ? app : openOnce(() => readSnapshot(file, surroundings.stdin))
  const answer = await snapshot(shown)
  return printAnswer(context, answer, {
    quiet: () => `${answer.height}`,
    csv: async () => snapshotCsv(answer, { tokens: (await shown.openMarket()).market.tokens }),
    async human() {
      const { tokens } = (await shown.openMarket()).market
      return renderSnapshot(answer, { tokens, aliases: config.aliases }, out.style)
    },
  })
}

/** Saves the market as one document. */
export async function save(context: Context, [file = '']: readonly string[]): Promise<void> {
  const { app, out } = context
  const { market } = await app.openMarket()
  const document = encodeSnapshot(market)
  if (file === '-') return out.result(JSON.stringify(document))
  const bytes = writeDocument(file, document)
  const { network, height } = market
  const [pairs, excluded] = [market.books.size, market.excluded.length]
  const saved = `saved ${printable(file)}: ${network} at block ${height}, ${counted(pairs, 'pair')}, ${excluded} left out, ${counted(bytes, 'byte')}`
  const facts = { path: file, bytes, network, height, pairs, excluded }
  const forms = { quiet: () => file, human: () => sentence(saved, out.style) }
  return printAnswer(context, facts, forms)
}

type SnapshotView = View<SnapshotAnswer>

/** A market with its pairs and exclusions, for people; in a pipe tab-separated rows. */
export function renderSnapshot(answer: SnapshotAnswer, context: Naming, style: Style): string {
  if (!style.tty) return renderSnapshotPlain(answer, context)
  const view = { answer, context, names: namesIn(answer, context, style), style }
  const { pairs, tokens, excluded } = answer
  const title = `${counted(pairs.length, 'pair')}, ${counted(tokens, 'token')}, ${excluded.length} left out`
  return titledSections(title, answer, style, [
    factLines(view),
    pairLines(view),
    legendLines(view),
    excludedLines(view),
  ])
}

const namesIn = ({ pairs }: SnapshotAnswer, context: Naming, style: Style): Names =>
  namesOf({ ...context, pairs: new Map(pairs.map((pair) => [pair.address, pair])) }, style)

function factLines({ answer, names, style }: SnapshotView): readonly string[] {
  const { chain_id, time, router } = answer
  const address = names.short(router.address, 24)
  const fee = `protocol fee ${formatBps(router.fee_bps)}`
  return fields(style, [
    ['Chain', [names.text(chain_id), formatTime(time)]],
    ['Router', [address, names.text(router.dialect), withoutBreaks(fee)]],
  ])
}

/** A pair's figures as texts; a dash for an empty side. */
function figuresOf(pair: PairSummary, names: Names) {
  const price = (text: string) => names.price(text, pair)
  const depth = (coin: CoinDocument) => shortCoin(coin, names)
  return {
    name: `${names.pair(pair.address, pair)}${pair.exact ? '' : ' *'}`,
    bid: orDash(pair.best_bid, price),
    ask: orDash(pair.best_ask, price),
    spread: orDash(pair.spread_bps, (bps) => bps.toFixed(2)),
    bids: orDash(pair.bid_depth, depth),
    asks: orDash(pair.ask_depth, depth),
    makers: `${pair.makers}`,
  }
}

function pairLines({ answer, names, style }: SnapshotView): readonly string[] {
  const figures = answer.pairs.map((pair) => figuresOf(pair, names))
  if (formOf(style) === 'stacked')
    return figures.flatMap(({ name, bid, ask, spread, bids, asks }) => {
      const pieces = [`bid ${bid}`, `ask ${ask}`, `spread ${spread}`, `depth ${bids}, ${asks}`]
      return stackedEntry(name, pieces, style)
    })
  return table(figures, style, [
    ['PAIR', ({ name }) => name],
    ['BID', ({ bid }) => bid, { align: 'right' }],
    ['ASK', ({ ask }) => ask, { align: 'right' }],
    ['SPREAD', ({ spread }) => spread, { align: 'right', drop: 1 }],
    ['BID DEPTH', ({ bids }) => bids, { align: 'right', drop: 2 }],
    ['ASK DEPTH', ({ asks }) => asks, { align: 'right', drop: 3 }],
    ['MAKERS', ({ makers }) => makers, { align: 'right', drop: 4 }],
  ])
}

function legendLines({ answer, style }: SnapshotView): readonly string[] {
  const isExact = answer.pairs.every(({ exact }) => exact)
  const legend = [
    `Prices in the quote token, spreads in bps. Depth is what rests within ${withoutBreaks('2 %')} of the mid.`,
    isExact
      ? 'Every pair is known in full: quotes are exact.'
      : '* not everything of this pair is known: quotes over it are estimates.',
  ]
  return answer.pairs.length === 0 ? [] : legend.flatMap((text) => paragraph(text, style))
}

function excludedLines({ answer, names, style }: SnapshotView): readonly string[] {
  if (answer.excluded.length === 0) return []
  const indent = indentOf(style)
  const reasons = answer.excluded.flatMap(({ address, reason }) => {
    const text = `${names.short(address, 24)}  ${names.text(reasonText(reason))}`
    return hangingEntry(text, style, indent + 2)
  })
  return [`${' '.repeat(indent)}Left out`, ...reasons]
}

/** A pair of the market, or an excluded one. */
type Listed = { readonly address: string; readonly pair?: PairSummary; readonly reason?: string }

const listedPairs = ({ pairs, excluded }: SnapshotAnswer): readonly Listed[] => [
  ...pairs.map((pair) => ({ address: pair.address, pair })),
  ...excluded,
]

/** Columns of a pair between address and reason; empty for an excluded one. */
const listedColumns = (
  columns: readonly CsvColumn<PairSummary>[],
  textOf: (text: string) => string,
): readonly CsvColumn<Listed>[] => [
  ['address', ({ address }) => textOf(address)],
  ...columns.map(
    ([head, cell]): CsvColumn<Listed> => [head, ({ pair }) => (pair ? cell(pair) : null)],
  ),
  ['left_out', ({ reason }) => (reason === undefined ? null : textOf(reason))],
]

/** Prices of a pair in units. */
function priceColumns(names: Names): readonly CsvColumn<PairSummary>[] {
  const price = (name: 'best_bid' | 'best_ask' | 'mid_price'): CsvColumn<PairSummary> => [
    name,
    (pair) => pair[name] && names.unitPrice(pair[name], pair),
  ]
  return [price('best_bid'), price('best_ask'), price('mid_price'), ...memberColumns('spread_bps')]
}

/** A row for each pair, then one for each excluded one; depths in units of quote and base. */
function renderSnapshotPlain(answer: SnapshotAnswer, context: Naming): string {
  const names = namesIn(answer, context, plainStyle)
  const columns: readonly CsvColumn<PairSummary>[] = [
    ['name', (pair) => names.pair(pair.address, pair)],
    ...memberColumns('base', 'quote'),
    ...priceColumns(names),
    ['bid_depth', ({ bid_depth }) => bid_depth && names.units(bid_depth)],
    ['ask_depth', ({ ask_depth }) => ask_depth && names.units(ask_depth)],
    ...memberColumns('makers', 'exact'),
  ]
  return tabRows(listedPairs(answer), listedColumns(columns, String))
}

/** The same for a spreadsheet, depths in atomics as well. */
export function snapshotCsv(answer: SnapshotAnswer, context: Naming): string {
  const names = namesOf(context, plainStyle)
  const columns: readonly CsvColumn<PairSummary>[] = [
    ...tokenColumns<PairSummary>('base', names, ({ base }) => base),
    ...tokenColumns<PairSummary>('quote', names, ({ quote }) => quote),
    ['fin_version', ({ fin_version }) => fin_version && untrustedCell(fin_version)],
    ...memberColumns('makers'),
    ...priceColumns(names),
    ...amountColumns<PairSummary>('bid_depth', names, ({ bid_depth }) => bid_depth),
    ...amountColumns<PairSummary>('ask_depth', names, ({ ask_depth }) => ask_depth),
    ...memberColumns('exact'),
  ]
  return csv(listedPairs(answer), listedColumns(columns, untrustedCell))
}
