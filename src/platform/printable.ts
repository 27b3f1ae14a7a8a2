/**
 * Escapes characters that move the cursor, set colours or change the writing direction, line breaks
 * included, so that untrusted text cannot forge output. So it does with combining marks after the fourth of a
 * character, which take no columns of their own and cover the lines above and below.
 *
 * @example printable('a\u001b[31m') // 'a\\u{1b}[31m'
 */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|\p{M}(?<=\p{M}{5})/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

/**
 * Escapes, as JSON does, the characters that a terminal may obey and that `JSON.stringify` leaves as they are: a JSON text
 * keeps its meaning. Line breaks and escape codes stay.
 */
export const escapeObeyed = (json: string): string =>
  json.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
