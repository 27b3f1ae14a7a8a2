import { counted } from '../engine/math/counted.js'
import type { SizeDocument } from '../operations/split/size-documents.js'
import { formatPayment } from '../render/amount.js'
import { byId, listEntry, svg, write } from './dom.js'
import { type DepthPicture, depthPicture, flowPicture, PLOT } from './pictures.js'
import type { Quote } from './quoter.js'
import {
  bpsText,
  coinText,
  decimalText,
  estimateText,
  type Names,
  pathText,
  shareText,
} from './text.js'

/** Other routes that are listed below the best one. */
const OTHERS = 4

/** Colours of legs, by class. */
const COLOURS = 6

/** Shows the paths of a quote as a picture and as a list. */
export function showPaths(answer: Quote, to: string, names: Names): void {
  const isSplit = answer.kind === 'sroute'
  const legs = isSplit ? answer.document.routes[0]!.legs : answer.document.routes.slice(0, 1)
  write(
    byId('split-title'),
    isSplit && legs.length > 1 ? `Split over ${legs.length} paths` : 'Path',
  )
  drawFlow(legs, names)
  const figures = ({ expected_output, price_impact_bps, hops }: (typeof legs)[number]) =>
    `${coinText({ denom: to, amount: expected_output }, names)} · impact ${bpsText(price_impact_bps)} · ${counted(hops.length, 'pair')}`
  const items = isSplit
    ? answer.document.routes[0]!.legs.map((leg, i) =>
        listEntry(
          pathText(leg.path, names),
          shareText(leg.split.fraction),
          `${coinText({ denom: leg.path[0]!, amount: leg.split.amount }, names, formatPayment)} → ${figures(leg)}`,
          { class: `leg-${i % COLOURS}` },
        ),
      )
    : answer.document.routes
        .slice(0, OTHERS + 1)
        .map((route, i) =>
          listEntry(
            pathText(route.path, names),
            i === 0 ? 'best' : `−${bpsText(route.gap_bps)}`,
            figures(route),
            { class: i === 0 ? 'leg-0' : 'other' },
          ),
        )
  byId('legs').replaceChildren(...items)
}

/** Pixels from which a label fits into its band. */
const THICK = 15

function drawFlow(legs: Parameters<typeof flowPicture>[0], names: Names): void {
  const host = byId('flow')
  const { width, height, barTop, barHeight, bands } = flowPicture(legs, widthOf(host), names)
  const bar = (x: number) =>
    svg('rect', { class: 'bar', x, y: barTop, width: 6, height: barHeight, rx: 2 })
  const drawing = svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
    ...bands.map(({ path, thickness }, i) =>
      svg('path', { class: `band leg-${i % COLOURS}`, d: path, 'stroke-width': thickness }),
    ),
    bar(0),
    bar(width - 6),
    ...bands.map(({ share, via, y, thickness }) =>
      svg(
        'text',
        { class: thickness < THICK ? 'thin' : '', x: width / 2, y: y + 4, 'text-anchor': 'middle' },
        `${share}  ${via}`,
      ),
    ),
  )
  host.replaceChildren(drawing)
}

/** Inputs of the price chart. */
type PriceCurve = {
  readonly points: readonly SizeDocument[]
  readonly amount: string
  readonly price: string
  readonly isSplit: boolean
  readonly from: string
  readonly to: string
  readonly names: Names
}

const CURVE_HEIGHT = 190

/** Shows the results of sizes around the amount. */
export function showPrices({ points, amount, price, isSplit, from, to, names }: PriceCurve): void {
  const host = byId('curve')
  const first = points.find((point) => point.price !== null)
  if (first === undefined) {
    host.replaceChildren()
    return
  }
  const size = { width: widthOf(host), height: CURVE_HEIGHT }
  const sizeText = (atomics: bigint) => coinText({ denom: from, amount: `${atomics}` }, names)
  const picture = depthPicture(
    points,
    { amount, price },
    size,
    (atomics) => sizeText(atomics).split(' ')[0]!,
  )
  const unit = `${names(to).label} per ${names(from).label}`
  const last = points.findLast((point) => point.price !== null) ?? first
  const label = `Prices in ${unit}: ${decimalText(first.price!)} for ${coinText(first.input, names)}, ${decimalText(price)} for your ${sizeText(BigInt(amount))}, ${decimalText(last.price!)} for ${coinText(last.input, names)}.`
  const bottom = size.height - PLOT.bottom
  host.replaceChildren(
    svg(
      'svg',
      { viewBox: `0 0 ${size.width} ${size.height}`, ...size, role: 'img', 'aria-label': label },
      ...picture.prices.flatMap(({ text, at }) => [
        svg('line', { class: 'grid', x1: PLOT.left, x2: size.width - PLOT.right, y1: at, y2: at }),
        svg('text', { class: 'axis', x: PLOT.left - 8, y: at + 4, 'text-anchor': 'end' }, text),
      ]),
      ...picture.sizes.map(({ text, at }) =>
        svg('text', { class: 'axis', x: at, y: size.height - 6, 'text-anchor': 'middle' }, text),
      ),
      plot(picture, size.width, bottom),
      svg('line', {
        class: 'here',
        x1: picture.mark.x,
        x2: picture.mark.x,
        y1: picture.mark.y,
        y2: bottom,
      }),
      svg('circle', { class: 'mark', cx: picture.mark.x, cy: picture.mark.y, r: 5 }),
    ),
  )
  const end = points.find((point) => point.price === null)
  write(
    byId('curve-note'),
    [
      `${estimateText(points)}${unit}, by the amount of ${names(from).label}. The line is the best single path, the dot is your ${isSplit ? 'split' : 'quote'}.`,
      end === undefined ? '' : `No single path takes ${coinText(end.input, names)}.`,
    ].join(' '),
  )
}

/** The line and what is below it, cut off at the edges of its own picture. */
function plot({ line, area }: DepthPicture, width: number, bottom: number): SVGElement {
  const inner = width - PLOT.left - PLOT.right
  const box = {
    x: PLOT.left,
    y: 0,
    width: inner,
    height: bottom,
    viewBox: `${PLOT.left} 0 ${inner} ${bottom}`,
  }
  return svg(
    'svg',
    box,
    svg('path', { class: 'area', d: area }),
    svg('path', { class: 'line', d: line }),
  )
}

/** Width of an element in pixels; a width for phones while it is not laid out. */
const widthOf = (element: Element): number => Math.max(240, Math.floor(element.clientWidth) || 300)
