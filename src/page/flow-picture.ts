import type { LegDocument } from '../operations/split/split-documents.js'
import { type Names, shareText, viaText } from './text.js'

/** One leg as a band from the input to the output; lengths in pixels. */
export type Band = {
  readonly share: string
  readonly via: string
  readonly path: string
  readonly thickness: number
  /** The middle of the band between its ends. */
  readonly y: number
}

export type FlowPicture = {
  readonly width: number
  readonly height: number
  readonly barTop: number
  readonly barHeight: number
  readonly bands: readonly Band[]
}

/** A leg as far as the picture needs it. */
export type FlowLeg = {
  readonly path: readonly string[]
  readonly split?: LegDocument['split']
}

/** Height of all bands together, the least height of a row and of a band, and width of the bars. */
const [TOTAL, ROW, LEAST, BAR] = [96, 30, 2, 6]

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
  let [stacked, top] = [barTop, 0]
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
