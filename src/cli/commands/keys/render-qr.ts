import { encode } from 'uqr'
import type { Style } from '../../../render/style.js'

/** Modules of nothing around it, as readers want them. */
const BORDER = 2

/**
 * A QR code as lines of text, for a camera at the screen. Where there is colour it is black on white
 * whatever the terminal's own colours are; without, what is light is drawn, as on a dark screen.
 */
export function qrLines(text: string, style: Style): readonly string[] {
  const { data, size } = encode(text, { border: BORDER })
  const isDark = (y: number, x: number): boolean => data[y]?.[x] ?? false
  const columns = Array.from({ length: size }, (_, x) => x)
  if (style.ascii)
    return data.map((_, y) => columns.map((x) => (isDark(y, x) ? '  ' : '##')).join(''))
  // Below an odd last row there is nothing, which is light.
  const isDrawn = (y: number, x: number): boolean => isDark(y, x) === style.color
  return data.flatMap((_, y) => {
    if (y % 2 === 1) return []
    const line = columns.map((x) => half(isDrawn(y, x), isDrawn(y + 1, x))).join('')
    return [style.paper(line)]
  })
}

/** Two modules, one above the other, as one character. */
const half = (upper: boolean, lower: boolean): string =>
  upper ? (lower ? '█' : '▀') : lower ? '▄' : ' '
