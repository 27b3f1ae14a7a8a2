/**
 * Escapes characters that move the cursor, set colours or change the writing direction, line breaks
 * included, so that untrusted text cannot forge output.
 *
 * @example printable('a\u001b[31m') // 'a\\u{1b}[31m'
 */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
