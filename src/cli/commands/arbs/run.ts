import { counted } from '../../../engine/math/counted.js'
import type {
  ArbsAnswer,
  ArbsRequest,
  OpportunityDocument,
} from '../../../operations/arbitrage/arbitrage-documents.js'
import { arbs } from '../../../operations/arbitrage/arbs.js'
import { dollarCell, formatDollarsAndCents } from '../../../render/amount.js'
import { type CsvColumn, memberColumns, tabRows } from '../../../render/csv.js'
import {
  fields,
  formOf,
  paragraph,
  suggesting,
  titledSections,
  withoutBreaks,
} from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { bar, rangeOf } from '../../../render/picture.js'
import type { Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { membersOf } from '../../flags/request-flags.js'
import { namingIn, printAnswer } from '../../print-answer.js'
import { estimateLines } from '../../quotes/route/route-headline.js'
import { cutRow, cutShort } from '../../quotes/route/route-notes.js'
import { venueName } from '../../quotes/route/route-view.js'
import { isWatched } from '../../watch/watch-options.js'
import { arbsCsv, BAR, loopHops, profitHundredths } from './loop.js'

/** Exit status of `--exit-code` if no loop is profitable. */
const NOTHING = 3

export const runArbs: Run = async (context, _args, flags) => {
  const { app, form, out } = context
  if (isWatched(flags)) {
    const { watchArbs } = await import('./watch-arbs.js')
    return watchArbs(context, flags, arbsRequestOf(context, flags))
  }
  const answer = await arbs(app, arbsRequestOf(context, flags))
  if (flags['exitCode'] === true && answer.opportunities.length === 0) out.exit(NOTHING)
  const naming = await namingIn(context)
  // Rows do not show it.
  if (
    answer.search_cut !== undefined &&
    form.kind !== 'json' &&
    !(form.kind === 'human' && out.style.tty)
  )
    out.note(cutShort(SMALLER))
  return printAnswer(context, answer, {
    quiet: () => answer.opportunities.map(({ id }) => id).join('\n'),
    csv: () => arbsCsv(answer, naming),
    human: () => renderArbs(answer, naming, out.style),
  })
}

function arbsRequestOf({ config }: Context, flags: FlagValues): ArbsRequest {
  return {
    ...membersOf('arbs', ['minPercent', 'min_profit_usd', 'limit'], flags),
    max_hops: loopHops(config.values.maxHops),
  }
}

/** The hint names a capital so many times the fixed amount, which is worth some dollars. */
const CAPITAL = 1000n

/** Profitable loops: a table on a terminal, tab-separated rows without a heading in a pipe. */
export function renderArbs(answer: ArbsAnswer, context: Naming, style: Style): string {
  if (!style.tty) return tabRows(answer.opportunities, rowColumns)
  const names = namesOf(context, style)
  const sections = [loopLines(answer, names), noteLines(answer, names)]
  return titledSections(titleOf(answer), answer, style, sections)
}

function titleOf({ opportunities, examined, min_percent }: ArbsAnswer): string {
  const { length } = opportunities
  const what = length === 0 ? 'nothing pays' : counted(length, 'profitable loop')
  const above = min_percent > 0 ? ` more than ${min_percent} %` : ''
  return `${what}${above}, of ${examined} examined`
}

function loopLines({ opportunities }: ArbsAnswer, names: Names): readonly string[] {
  const { style } = names
  if (opportunities.length === 0) return []
  if (formOf(style) === 'stacked') return opportunities.flatMap((each) => stackedRow(each, names))
  const [, most] = rangeOf(opportunities.map(profitHundredths))
  const venuesOf = ({ hops }: OpportunityDocument) =>
    hops.map((hop) => venueName(hop, names)).join(', ')
  return table(opportunities, style, [
    ['LOOP', ({ path }) => names.path(path)],
    ['IN', ({ input }) => names.payment(input), { align: 'right' }],
    ['PROFIT', ({ profit }) => names.coin(profit), { align: 'right', isWide: true }],
    ['PROFIT %', (each) => style.good(each.profit_percent.toFixed(2)), { align: 'right' }],
    ['PROFIT $', ({ profit_usd }) => dollarCell(profit_usd, style), { align: 'right' }],
    ['', (each) => bar(profitHundredths(each), most, BAR, style), { drop: 2 }],
    ['VENUES', venuesOf, { drop: 1, isWide: true }],
  ])
}

const stackedRow = (
  { path, input, profit, profit_percent, profit_usd }: OpportunityDocument,
  names: Names,
): readonly string[] => {
  const { style } = names
  const usd = formatDollarsAndCents(profit_usd, style)
  const amounts = [names.payment(input), `+${names.coin(profit)}`, usd].map(withoutBreaks)
  return fields(style, [
    [`${profit_percent.toFixed(2)} %`, [names.path(path)]],
    ['', amounts, '  '],
  ])
}

/** What makes a search smaller. */
const SMALLER = 'lower --max-hops or raise --min-percent'

const noteLines = (answer: ArbsAnswer, names: Names): readonly string[] => [
  ...estimateLines(
    answer.opportunities.every(({ exact }) => exact),
    names.style,
  ),
  ...loopNotes(answer, names),
  ...fields(names.style, [cutRow(answer, SMALLER, names.style)]),
]

function loopNotes({ opportunities, tried }: ArbsAnswer, names: Names): readonly string[] {
  const { style } = names
  const [best] = opportunities
  const coins = tried.map((coin) => names.coin(coin)).join(', ')
  const inputs = coins && `Tried with ${coins}. `
  if (best === undefined) return paragraph(`${inputs}Try a capital: swap arbroute`, style)
  const more = { ...best.input, amount: `${BigInt(best.input.amount) * CAPITAL}` }
  const token = names.text(names.typed(best.input.denom))
  const call = suggesting(`swap arbroute ${names.units(more)} ${token}`, style)
  const text = `${inputs}After venue and protocol fees. The sizes that pay most: ${withoutBreaks(call)}`
  return paragraph(text, style).map(style.muted)
}

/** A loop in a pipe: amounts in atomics, dollars empty if not known. */
const rowColumns: readonly CsvColumn<OpportunityDocument>[] = [
  ...memberColumns('id'),
  ['path', ({ path }) => path.join(' > ')],
  ['denom', ({ input }) => input.denom],
  ['in', ({ input }) => input.amount],
  ['out', ({ output }) => output.amount],
  ['profit', ({ profit }) => profit.amount],
  ...memberColumns('profit_percent', 'profit_usd', 'exact'),
]
