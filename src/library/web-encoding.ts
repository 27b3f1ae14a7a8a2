/** Encodings of bytes without Node: the library's build puts them in the place of `platform/encoding`. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Bytes as lower-case hexadecimal digits. */
export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => HEX[byte]).join('')

/** Bytes as upper-case hexadecimal digits, as chains write hashes. */
export const toUpperHex = (bytes: Uint8Array): string => toHex(bytes).toUpperCase()

/** Bytes of hexadecimal digits, up to the first other character. */
export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(/^(?:[\da-f]{2})*/i.exec(text)![0].match(/../g) ?? [], (pair) =>
    Number.parseInt(pair, 16),
  )

/** Bytes in base64 with padding. */
export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** Bytes of base64. @throws DOMException for anything else */
export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

/** Bytes of base64 in the standard alphabet with its padding; `undefined` for anything else. */
export function strictBase64(text: string): Uint8Array | undefined {
  try {
    const bytes = fromBase64(text)
    return toBase64(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
