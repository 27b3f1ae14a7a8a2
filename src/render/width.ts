import cliTruncate from 'cli-truncate'
import stringWidth from 'string-width'
import { printable } from '../platform/printable.js'

/**
 * Terminal columns that a text takes: 2 for a character of a wide script or an emoji, 0 for combining
 * marks and colour codes, 1 for every glyph in `style.ts`.
 */
export const displayWidth = (text: string): number =>
  NARROW.test(text) ? text.length : stringWidth(text)

/** Printable ASCII and the glyphs of `style.ts`: most texts, which need no segmentation. */
const NARROW = /^[ -~\u2500-\u259f·•…–—→▶✓✗▲▼↑↓]*$/

/** Pads with spaces on the right up to `width` columns; a longer text is returned whole. */
export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)))

/** Pads with spaces on the left up to `width` columns; a longer text is returned whole. */
export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - displayWidth(text))) + text

/** Cuts the end so that the text fits `width` columns. For words, never for numbers. */
export const truncate = (text: string, width: number, ellipsis = '…'): string =>
  cut(text, width, 'end', ellipsis.slice(0, Math.max(0, width)))

/**
 * Cuts the middle so that the text fits `width` columns: addresses and denoms are compared by their
 * two ends. The front gets the odd column.
 *
 * @example shortenMiddle('thor1gys8lu7cdxlpcmqu3wwajp', 15) // 'thor1gy…u3wwajp'
 */
export function shortenMiddle(text: string, width: number, ellipsis = '…'): string {
  if (displayWidth(text) <= width) return text
  const kept = width - ellipsis.length
  if (kept < 2) return truncate(text, width, ellipsis)
  const front = Math.ceil(kept / 2)
  return cut(text, front, 'end', '') + ellipsis + cut(text, kept - front, 'start', '')
}

function cut(text: string, width: number, position: 'start' | 'end', mark: string): string {
  if (width <= 0) return ''
  const shortened = cliTruncate(text, width, { position, truncationCharacter: mark })
  // cli-truncate 5.2 keeps a wide character of which only the first column fits.
  return displayWidth(shortened) <= width ? shortened : cut(text, width - 1, position, mark)
}

/**
 * Breaks lines at spaces so that they fit `width` columns. Line breaks and runs of spaces inside a
 * line are kept. A longer word (a denom, a hash) is kept whole, so that it can be copied.
 */
export const wrap = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) => wrapLine(line, width))

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const [, gap = '', word = ''] of line.matchAll(/( *)([^ ]+)/g)) {
    const longer = current + gap + word
    if (current !== '' && displayWidth(longer) > width) {
      lines.push(current)
      current = word
    } else current = longer
  }
  return [...lines, current]
}

/** User input in quotes for a message: escaped, and at most 60 columns of it. */
export const quote = (text: string): string => {
  // Cut before escaping too, so that the work does not grow with an input of megabytes.
  const head = text.length > 240 ? text.slice(0, 120) + text.slice(-120) : text
  return `"${shortenMiddle(printable(head), 60)}"`
}
