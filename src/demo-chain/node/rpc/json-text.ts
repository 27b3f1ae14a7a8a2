/**
 * Why a text is not JSON, in the words of Go's decoder for the two mistakes that clients make: a text
 * that ends early, and one that does not begin as JSON does. `undefined` when it is JSON.
 */
export function jsonError(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const [char] = text.trimStart()
    return char === undefined || /end of JSON|Unterminated/.test(String(error))
      ? 'unexpected end of JSON input'
      : `invalid character '${char}' looking for beginning of value`
  }
}

/** The kind of a JSON value in the words of Go's decoder. */
export const jsonKind = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value

/** JSON text as Go writes it: safe inside HTML. */
export const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
