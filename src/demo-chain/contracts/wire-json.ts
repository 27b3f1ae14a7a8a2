/** A bare number outside of strings, or something that looks like one inside: then look closer. */
const NUMBER_NEARBY = /(?:^|[:,[])\s*-?\d/

/** A string (with the colon that makes it a key), or a bare number. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g

/**
 * JSON as it came over the wire, without losing digits: whole numbers are bigints, others numbers.
 *
 * @returns `undefined` when the text is not JSON.
 */
export function parseWire(text: string): unknown {
  try {
    // Validates, and is the answer for most messages, whose amounts are strings.
    const plain: unknown = JSON.parse(text)
    if (!NUMBER_NEARBY.test(text)) return plain
    const marked = text.replace(TOKEN, (token, colon: string | undefined) =>
      !token.startsWith('"') ? `"#${token}"` : colon === undefined ? `"$${token.slice(1)}` : token,
    )
    return JSON.parse(marked, (_key, value: unknown) =>
      typeof value !== 'string'
        ? value
        : value.startsWith('$')
          ? value.slice(1)
          : numberOf(value.slice(1)),
    )
  } catch {
    return undefined
  }
}

const numberOf = (digits: string): bigint | number =>
  /^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits)
