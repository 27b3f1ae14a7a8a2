import type { RouteAnswer } from '../../operations/route/route.js'
import type { CoinDocument } from '../../operations/route-document.js'
import type { SplitAnswer } from '../../operations/split/split.js'
import type { LegDocument } from '../../operations/split/split-document.js'
import { renderImpact } from '../../render/amount.js'
import { field, formOf, titleLines, unbroken } from '../../render/layout.js'
import { type Names, namesOf } from '../../render/names.js'
import { bar } from '../../render/picture.js'
import { glyphsOf, type Style } from '../../render/style.js'
import { table } from '../../render/table.js'
import { type FrameContext, footLines, frameOf, sessionLines, stepText } from '../watch/frame.js'
import { gapText, type RouteContext, venueName } from './route/route-view.js'
import { shareText } from './split/split-view.js'

/** A watched quote: of a single path or of a division. */
export type WatchedQuote = RouteAnswer | SplitAnswer

/** The watched amount: the output, or the input of an exact-out quote. */
export const watchedCoin = (answer: WatchedQuote): CoinDocument =>
  answer.output.amount === undefined
    ? { denom: answer.output.denom, amount: answer.routes[0]!.expected_output }
    : answer.input

/** A frame of a quote at one block. `last` is the answer of the last block. */
export function quoteFrame(
  answer: WatchedQuote,
  last: WatchedQuote | undefined,
  context: RouteContext,
  watching: FrameContext,
  style: Style,
): readonly string[] {
  const names = namesOf(context, style)
  const { dot, arrow } = glyphsOf(style)
  const exactOut = answer.output.amount !== undefined
  const path = exactOut
    ? `${names.symbol(answer.input.denom)} ${arrow} ${names.coin({ ...answer.output, amount: answer.output.amount! })}`
    : `${names.coin(answer.input)} ${arrow} ${names.symbol(answer.output.denom)}`
  const coin = watchedCoin(answer)
  const text = (value: bigint) => names.amount({ ...coin, amount: `${value}` })
  const [best] = answer.routes
  const figures = [
    ...field(
      exactOut ? 'You pay' : 'Now',
      [
        style.bold(unbroken(names.coin(coin))),
        stepText(watching, text, style, exactOut ? 'down' : 'up'),
      ].filter((piece) => piece !== ''),
      style,
    ),
    // On its own line, since beside steps of varying length it would move from block to block.
    ...field('Impact', [unbroken(renderImpact(best!.price_impact_bps, style))], style),
    ...sessionLines(watching, text, style),
  ]
  const body = watching.compares ? others(answer, names, style) : ways(answer, last, names, style)
  return frameOf(
    {
      title: titleLines(`${path} ${dot} ${watching.pace}`, answer, style),
      figures,
      body,
      foot: footLines(
        watching,
        ['enter takes this quote', watching.compares ? 'c shows the way' : 'c compares'],
        style,
      ),
    },
    watching.lines,
  )
}

function ways(
  answer: WatchedQuote,
  last: WatchedQuote | undefined,
  names: Names,
  style: Style,
): readonly string[] {
  const [best] = answer.routes
  if (best !== undefined && 'legs' in best)
    return legLines(answer as SplitAnswer, last, names, style)
  const route = (answer as RouteAnswer).routes[0]!
  return field('Path', [chain(route, names, style)], style)
}

/** A path with the venues between its tokens, on one line. */
function chain(
  { path, hops }: Pick<LegDocument, 'path' | 'hops'>,
  names: Names,
  style: Style,
): string {
  const { line, arrow } = glyphsOf(style)
  if (formOf(style) === 'stacked') return names.path(path)
  const steps = hops.map(
    (hop) => ` ${line} ${venueName(hop, names)} ${arrow} ${names.symbol(hop.output.denom)}`,
  )
  return names.symbol(path[0]!) + steps.join('')
}

/** Terminal columns of the longest bar. */
const BAR = 14

function legLines(
  answer: SplitAnswer,
  last: WatchedQuote | undefined,
  names: Names,
  style: Style,
): readonly string[] {
  const total = BigInt(answer.input.amount)
  const before = sharesOf(last)
  const rows = answer.routes[0]!.legs.map((leg) => [
    shareText(leg.split.amount, answer.input.amount),
    bar(BigInt(leg.split.amount), total, BAR, style),
    chain(leg, names, style),
    before === undefined ? '' : changeText(leg, before),
  ])
  const columns = [
    { head: '', align: 'right' },
    { head: '', drop: 2 },
    { head: '' },
    { head: '', align: 'right', drop: 1 },
  ] as const
  return table(columns, rows, style)
}

const wayOf = ({ hops }: Pick<LegDocument, 'hops'>): string =>
  hops.map(({ address }) => address).join()

function sharesOf(last: WatchedQuote | undefined): ReadonlyMap<string, number> | undefined {
  const [best] = last?.routes ?? []
  if (best === undefined || !('legs' in best)) return undefined
  return new Map(best.legs.map((leg) => [wayOf(leg), percentOf(leg)]))
}

/** A share in whole percent, for displayed changes only. */
const percentOf = ({ split }: LegDocument): number => Math.round(Number(split.fraction) * 100)

/** The change of a leg's share since the last block, in percent. @example '+1' */
function changeText(leg: LegDocument, before: ReadonlyMap<string, number>): string {
  const was = before.get(wayOf(leg))
  if (was === undefined) return 'new'
  const change = percentOf(leg) - was
  return change === 0 ? '' : change > 0 ? `+${change}` : `${change}`
}

function others(answer: WatchedQuote, names: Names, style: Style): readonly string[] {
  const rows = answer.routes.map((each) => [
    'legs' in each
      ? `${each.legs.length} ${each.legs.length === 1 ? 'leg' : 'legs'}`
      : names.path(each.path),
    names.coin({ denom: answer.output.denom, amount: each.expected_output }),
    gapText(each, style),
  ])
  const columns = [
    { head: '' },
    { head: '', align: 'right' },
    { head: '', align: 'right' },
  ] as const
  return table(columns, rows, style)
}
