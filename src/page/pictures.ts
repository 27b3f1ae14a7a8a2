import type { SizeDocument } from '../operations/split/size-documents.js'
import type { LegDocument } from '../operations/split/split-documents.js'
import { decimalText, type Names, shareText, viaText } from './text.js'

type Label = { readonly text: string; readonly at: number }

/** Prices by size; lengths in pixels. The horizontal scale is logarithmic. */
export type DepthPicture = {
  readonly line: string
  readonly area: string
  /** The price of the quote, at its size. */
  readonly mark: { readonly x: number; readonly y: number }
  readonly sizes: readonly Label[]
  readonly prices: readonly Label[]
}

type DepthSize = { readonly width: number; readonly height: number }

/** Prices below this share of the best one are cut off, unless the quote's own is: near the best they matter. */
const SHOWN = 0.92

/** Room for labels around the plot. */
export const PLOT = { left: 74, right: 12, top: 12, bottom: 24 } as const

/**
 * The line of what sizes pay on the best single path, with the quote marked.
 *
 * @param points smallest first, at least one of them with a price
 * @param quoted size and price of the quote
 * @param sizeText writes an amount of the input token
 */
export function depthPicture(
  points: readonly SizeDocument[],
  quoted: { readonly amount: string; readonly price: string },
  { width, height }: DepthSize,
  sizeText: (atomics: bigint) => string,
): DepthPicture {
  // Floats for drawing only, never for printed numbers.
  const priced = points.flatMap(({ input, price }) =>
    price === null ? [] : [{ size: Number(input.amount), price: Number(price) }],
  )
  const [least, most] = [Number(points[0]!.input.amount), Number(points.at(-1)!.input.amount)]
  const own = Number(quoted.price)
  const highest = Math.max(...priced.map(({ price }) => price), own)
  const lowest = Math.min(...priced.map(({ price }) => price), own)
  const [low, high] = padded(Math.max(lowest, Math.min(own, highest * SHOWN)), highest)
  const bottom = height - PLOT.bottom
  const x = (size: number) =>
    PLOT.left +
    ((Math.log(size) - Math.log(least)) / (Math.log(most) - Math.log(least) || 1)) *
      (width - PLOT.left - PLOT.right)
  const y = (price: number) => bottom - ((price - low) / (high - low)) * (bottom - PLOT.top)
  const line = priced
    .map(({ size, price }, i) => `${i === 0 ? 'M' : 'L'}${at(x(size))} ${at(y(price))}`)
    .join('')
  const last = priced.at(-1)
  return {
    line,
    area: last === undefined ? '' : `${line}L${at(x(last.size))} ${bottom}L${PLOT.left} ${bottom}Z`,
    mark: { x: x(Number(quoted.amount)), y: y(Number(quoted.price)) },
    sizes: ticksOf(BigInt(points[0]!.input.amount), BigInt(points.at(-1)!.input.amount)).map(
      (size) => ({ text: sizeText(size), at: x(Number(size)) }),
    ),
    prices: roundPrices(low, high).map((price) => ({
      text: decimalText(price),
      at: y(Number(price)),
    })),
  }
}

const at = (length: number): string => length.toFixed(1)

/** A margin of a tenth above and below; a flat line lies in the middle. */
function padded(low: number, high: number): readonly [number, number] {
  const margin = (high - low) / 10 || Math.abs(high) / 100 || 1
  return [low - margin, high + margin]
}

/** How many lines of prices there are, about. */
const LINES = 4

/** Round prices between two, as decimals: multiples of 1, 2 or 5 times a power of ten. */
function roundPrices(low: number, high: number): readonly string[] {
  const wanted = (high - low) / LINES
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = [1, 2, 5].map((each) => each * power).find((each) => each >= wanted) ?? 10 * power
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  const places = Math.max(0, -Math.floor(Math.log10(power)))
  return Array.from({ length: count }, (_, i) => ((first + i) * step).toFixed(places))
}

/** Powers of ten of atomics between two sizes. */
function ticksOf(least: bigint, most: bigint): readonly bigint[] {
  const ticks: bigint[] = []
  for (let size = 1n; size <= most; size *= 10n) if (size >= least) ticks.push(size)
  return ticks
}

/** One leg as a band from the input to the output; lengths in pixels. */
type LegBand = {
  readonly share: string
  readonly via: string
  readonly path: string
  readonly thickness: number
  /** The middle of the band between its ends. */
  readonly y: number
}

type FlowPicture = {
  readonly width: number
  readonly height: number
  readonly barTop: number
  readonly barHeight: number
  readonly bands: readonly LegBand[]
}

/** The parts of a leg that the picture needs. */
type FlowLeg = {
  readonly path: readonly string[]
  readonly split?: LegDocument['split']
}

/** Height of all bands together. */
const TOTAL = 96
/** Least height of a row. */
const ROW = 30
/** Least height of a band. */
const LEAST = 2
/** Width of the bars. */
const BAR = 6

/** How far a band is bent, as a share of the width. */
const BEND = 0.22

/**
 * Bands from a bar of the input to a bar of the output. Their thickness is their share; between the bars each has
 * a row of its own, so that its label can be read.
 */
export function flowPicture(legs: readonly FlowLeg[], width: number, names: Names): FlowPicture {
  const thicknesses = legs.map(({ split }) =>
    Math.max(LEAST, Number(split?.fraction ?? '1') * TOTAL),
  )
  const barHeight = thicknesses.reduce((sum, each) => sum + each, 0)
  const rows = thicknesses.map((each) => Math.max(ROW, each + 10))
  const height = rows.reduce((sum, each) => sum + each, 0)
  const barTop = (height - barHeight) / 2
  let stacked = barTop
  let top = 0
  const bands = legs.map(({ path, split }, i) => {
    const thickness = thicknesses[i]!
    const [end, y] = [stacked + thickness / 2, top + rows[i]! / 2]
    stacked += thickness
    top += rows[i]!
    const share = split === undefined ? '100 %' : shareText(split.fraction)
    return { share, via: viaText(path, names), thickness, y, path: bent(end, y, width) }
  })
  return { width, height, barTop, barHeight, bands }
}

/** From the left bar to the row, along it, and to the right bar. */
function bent(end: number, row: number, width: number): string {
  const [left, right, bend] = [BAR, width - BAR, width * BEND]
  const [inner, outer] = [left + bend, right - bend]
  const [a, b] = [left + bend / 2, right - bend / 2]
  return [
    `M${left} ${end}C${a} ${end} ${a} ${row} ${inner} ${row}`,
    `H${outer}C${b} ${row} ${b} ${end} ${right} ${end}`,
  ].join('')
}
