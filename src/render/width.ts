import { stripVTControlCharacters } from 'node:util'

/**
 * Columns a text takes: one for each character, none for colour codes. True of ASCII and of every
 * glyph in `style.ts`; wide scripts and emoji are not printed by this program.
 */
export const displayWidth = (text: string): number => {
  let columns = 0
  for (const _ of stripVTControlCharacters(text)) columns += 1
  return columns
}

/** Fills up with spaces on the right; a text that is too long stays whole. Colour codes are free. */
export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)))

/** Fills up with spaces on the left: for numbers. A text that is too long stays whole. */
export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - displayWidth(text))) + text

/** Cuts the end so that at most `width` columns are used. For words, never for numbers. No colour. */
export function truncate(text: string, width: number, ellipsis = '…'): string {
  const characters = [...text]
  if (characters.length <= width) return text
  const mark = ellipsis.slice(0, Math.max(0, width))
  return characters.slice(0, Math.max(0, width) - mark.length).join('') + mark
}

/**
 * Cuts the middle, keeping both ends, which is what people compare in addresses and denoms. The
 * front keeps the odd character. For plain text without colour.
 *
 * @example shortenMiddle('thor1gys8lu7cdxlpcmqu3wwajp', 15) // 'thor1gy…u3wwajp'
 */
export function shortenMiddle(text: string, width: number, ellipsis = '…'): string {
  const characters = [...text]
  if (characters.length <= width) return text
  const kept = width - ellipsis.length
  if (kept < 2) return truncate(text, width, ellipsis)
  const front = Math.ceil(kept / 2)
  return characters.slice(0, front).join('') + ellipsis + characters.slice(front - kept).join('')
}

/**
 * Breaks at spaces into lines of at most `width` columns. Line breaks of the text stay; so do runs
 * of spaces inside a line. A longer word (a denom, a hash) stays whole, so that it can be copied.
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

/**
 * Makes visible what would move the cursor, colour the screen or turn the writing direction, so
 * that text from outside cannot forge output. Line breaks included.
 *
 * @example printable('a\u001b[31m') // 'a\\u{1b}[31m'
 */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

/** What somebody typed, in quotes, for a message: harmless, and at most 60 characters of it. */
export const quote = (text: string): string => {
  // Cut before making printable too: the work must not grow with a text of megabytes.
  const head = text.length > 240 ? text.slice(0, 120) + text.slice(-120) : text
  return `"${shortenMiddle(printable(head), 60)}"`
}
