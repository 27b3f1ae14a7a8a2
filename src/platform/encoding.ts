import { attempt } from './attempt.js'
import { utf8Text } from './bytes.js'
import { isObject } from './json-object.js'

/** Bytes as lower-case hexadecimal digits. */
export const toHex = (bytes: Uint8Array): string => viewOf(bytes).toString('hex')

/** Bytes as upper-case hexadecimal digits, as chains write hashes. */
export const toUpperHex = (bytes: Uint8Array): string => toHex(bytes).toUpperCase()

/** Bytes of hexadecimal digits, up to the first other character. */
export const fromHex = (text: string): Buffer => Buffer.from(text, 'hex')

/** Bytes in base64 with padding. */
export const toBase64 = (bytes: Uint8Array): string => viewOf(bytes).toString('base64')

/** Bytes of base64, in the alphabet of URLs as well; other letters are skipped. */
export const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64')

/** Bytes of base64 in the standard alphabet with its padding; `undefined` for anything else. */
export function strictBase64(text: string): Buffer | undefined {
  const bytes = fromBase64(text)
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const isWhole = bytes.length === (text.length / 4) * 3 - padding
  return isWhole && !text.includes('-') && !text.includes('_') ? bytes : undefined
}

/** Bytes of base64 exactly as `toBase64` writes them; `undefined` for any other text. */
export function canonicalBase64(text: string): Buffer | undefined {
  const bytes = fromBase64(text)
  return toBase64(bytes) === text ? bytes : undefined
}

/** Whether bytes contain a text, without a copy of them. */
export const includesText = (bytes: Uint8Array, text: string): boolean =>
  viewOf(bytes).includes(text)

/** The JSON value of bytes in UTF-8; `undefined` for anything else. */
export const jsonOf = (bytes: Uint8Array): unknown => attempt(() => JSON.parse(utf8Text(bytes)))

/** JSON text with the members of every object sorted by name. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    isObject(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

/** The SHA-256 of texts and bytes, one after the other. Most commands need none, and start without the module. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** A 32-bit number for a text; different texts rarely share one (FNV-1a). */
export function textHash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value
}

/** A view of the same memory. */
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
