/** Longest text of one value that comes from a chain or a node, in characters. */
const MOST = 200

/**
 * A text of foreign origin for the short text of an answer: one line, without control characters, direction marks and
 * other invisible characters, at most 200 characters. It is data for the reader, never an instruction.
 */
export function dataText(text: string, most = MOST): string {
  // The pattern below takes a millisecond to compile.
  if (text.length <= most && /^[!-~]*$/.test(text)) return text
  // Cut before the search too, so that the work does not grow with the text.
  const clean = text
    .slice(0, most * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  const characters = [...clean]
  return characters.length <= most ? clean : `${characters.slice(0, most - 1).join('')}…`
}
