import type { ReactElement, ReactNode } from 'react'
import { counted } from '../../engine/math/counted.js'
import type { RouteDocument } from '../../operations/route/route-documents.js'
import type { LegDocument, SplitDocument } from '../../operations/split/split-documents.js'
import { formatChange } from '../../render/amount.js'
import { formOf } from '../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../render/names.js'
import { glyphsOf, type Style } from '../../render/style.js'
import { displayWidth } from '../../render/width.js'
import { answerFrame, Field, type FrameContext, stepText, Table } from '../watch/frame.js'
import { paidOrReceived, type QuoteAnswer } from './quote.js'
import { costPieces, UNKNOWN_BOOKS } from './route/route-headline.js'
import { comparedText, dollarsBeside, gapText, pathPieces } from './route/route-view.js'
import { shareColumns } from './split/legs.js'

type WatchedQuote = { readonly quote: QuoteAnswer; readonly naming: Naming }

/** A frame of a quote at one block. `last` is that of the last block. */
export function quoteFrame(
  { quote: answer, naming }: WatchedQuote,
  last: WatchedQuote | undefined,
  watching: FrameContext,
  style: Style,
): ReactElement {
  const names = namesOf(naming, style)
  const { arrow } = glyphsOf(style)
  const exactOut = answer.output.amount !== undefined
  const path = exactOut
    ? `${names.symbol(answer.input.denom)} ${arrow} ${names.coin({ ...answer.output, amount: answer.output.amount! })}`
    : `${names.payment(answer.input)} ${arrow} ${names.symbol(answer.output.denom)}`
  const coin = paidOrReceived(answer)
  const coinText = exactOut ? names.payment : names.coin
  const format = (value: bigint) => coinText({ ...coin, amount: `${value}` })
  const [best] = answer.routes
  const usd = exactOut ? answer.input_usd : best!.expected_output_usd
  const change = (value: bigint) => {
    const decimals = names.decimals(coin.denom)
    const shown = formatChange(value, BigInt(coin.amount), decimals, style)
    return `${shown} ${names.symbol(coin.denom)}`
  }
  const step = stepText(watching, change, style, exactOut ? 'down' : 'up')
  const now = [`${style.bold(coinText(coin))}${dollarsBeside(usd, style)}`, step]
  return answerFrame(watching, style, {
    title: path,
    place: answer,
    figures: (
      <>
        <Field label={exactOut ? 'You pay' : 'Now'} pieces={now} style={style} />
        {/* On its own line, since beside steps of varying length it would move from block to block. */}
        <Field label="Cost" pieces={costPieces(best!.cost, style)} gap={1} style={style} />
        <Estimate of={'legs' in best! ? best.legs : [best!]} style={style} />
        {answer.slippage && (
          <Field label="Slippage" pieces={answer.slippage.reason} style={style} />
        )}
      </>
    ),
    format,
    body: (room) =>
      watching.compares ? (
        <Alternatives answer={answer} names={names} room={room} style={style} />
      ) : (
        <Legs answer={answer} last={last?.quote} names={names} room={room} style={style} />
      ),
    keys: ['enter takes this quote', watching.compares ? 'c shows the path' : 'c compares'],
  })
}

/** A warning where something that the numbers of a frame rest on is unknown. */
export const Estimate = ({
  of,
  style,
}: {
  readonly of: readonly { readonly exact: boolean }[]
  readonly style: Style
}): ReactNode =>
  of.every(({ exact }) => exact) ? null : (
    <Field label={style.warning('Estimate')} pieces={UNKNOWN_BOOKS} style={style} />
  )

type QuoteProps = {
  readonly answer: QuoteAnswer
  readonly names: Names
  readonly room: number
  readonly style: Style
}

/** The path of a quote, or the legs of a split with the changes of their shares. */
function Legs({
  answer,
  last,
  names,
  room,
  style,
}: QuoteProps & { readonly last: QuoteAnswer | undefined }): ReactElement {
  const best = answer.routes[0]!
  if (!('legs' in best)) return <Field label="Path" pieces={chain(best, names)} style={style} />
  const before = sharesOf(last)
  const withVenues = (leg: LegDocument) => chain(leg, names)
  // Where one does not fit, none has venues: a row that wraps would be cut in its middle on a small screen.
  const fits = best.legs.every((leg) => displayWidth(withVenues(leg)) <= style.width - BESIDE_CHAIN)
  return (
    <Table
      items={best.legs}
      fold={{ room, noun: 'leg' }}
      columns={[
        ...shareColumns(answer.input.amount, style),
        ['', fits ? withVenues : ({ path }) => names.path(path)],
        ['', (leg) => (before ? changeText(leg, before) : ''), { align: 'right', drop: 1 }],
      ]}
      style={style}
    />
  )
}

/** Columns of the margin and of a leg's share, before its path. */
const BESIDE_CHAIN = 11

/** A path with the venues between its tokens, on one line. */
function chain({ path, hops }: Pick<LegDocument, 'path' | 'hops'>, names: Names): string {
  const { style } = names
  const { line, arrow } = glyphsOf(style)
  if (formOf(style) === 'stacked') return names.path(path)
  return pathPieces(path, hops, names, { dash: line, arrow }).join(' ')
}

/** The venues of a leg, which identify it from block to block. */
const venuesOf = ({ hops }: Pick<LegDocument, 'hops'>): string =>
  hops.map(({ address }) => address).join()

function sharesOf(last: QuoteAnswer | undefined): ReadonlyMap<string, number> | undefined {
  const [best] = last?.routes ?? []
  if (best === undefined || !('legs' in best)) return undefined
  return new Map(best.legs.map((leg) => [venuesOf(leg), shareOf(leg)]))
}

/** A share in hundredths of a percent, as it is displayed. */
const shareOf = ({ split }: LegDocument): number => Math.round(Number(split.fraction) * 10_000)

/** The change of a leg's displayed share since the last answer, in percent. @example '+0.57' */
function changeText(leg: LegDocument, before: ReadonlyMap<string, number>): string {
  const was = before.get(venuesOf(leg))
  if (was === undefined) return 'new'
  const change = shareOf(leg) - was
  if (change === 0) return ''
  const percent = (change / 100).toFixed(change % 100 === 0 ? 0 : 2)
  return change > 0 ? `+${percent}` : percent
}

/** The best quote and its alternatives. */
function Alternatives({ answer, names, room, style }: QuoteProps): ReactElement {
  const routes: readonly (RouteDocument | SplitDocument)[] = answer.routes
  const compared = (each: RouteDocument | SplitDocument) =>
    'legs' in each
      ? names.coin({ denom: answer.output.denom, amount: each.expected_output })
      : comparedText(each, answer, names)
  return (
    <Table
      items={routes}
      fold={{ room, noun: 'route' }}
      columns={[
        ['', (each) => ('legs' in each ? counted(each.legs.length, 'leg') : names.path(each.path))],
        ['', compared, { align: 'right' }],
        [
          '',
          (each) => gapText(each, style, 'legs' in each ? undefined : answer),
          { align: 'right' },
        ],
      ]}
      style={style}
    />
  )
}
