/** A parameter of a method, as Go's function has it. `?` marks one that may be left out (nil). */
export type ArgType = 'int64' | 'int64?' | 'int?' | 'string' | 'bool' | 'bytes' | 'hex'

/** The value of an argument; `undefined` when it was left out. */
export type Arg = bigint | string | boolean | Uint8Array | undefined

/** An argument of the wrong type or form. */
export class ArgumentError extends Error {
  override name = 'ArgumentError'
}

const LIMIT = 1n << 63n
const HEX = /^(?:[0-9a-fA-F]{2})*$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Whether a text is base64 in the standard alphabet, its padding included. */
export const isBase64 = (text: string): boolean => BASE64.test(text)

const invalid = (type: ArgType, value: unknown): ArgumentError =>
  new ArgumentError(`invalid ${type.replace('?', '')} ${JSON.stringify(value)}`)

/**
 * An argument as JSON has it.
 *
 * @param value as parsed; `undefined` and `null` when it was left out
 * @throws ArgumentError
 */
export function argOf(type: ArgType, value: unknown): Arg {
  if (value === undefined || value === null) return absent(type)
  if (type === 'bool') {
    if (typeof value === 'boolean') return value
    throw invalid(type, value)
  }
  if (typeof value !== 'string') throw invalid(type, value)
  if (type === 'string') return value
  if (type === 'hex') {
    if (!HEX.test(value)) throw invalid(type, value)
    return Buffer.from(value, 'hex')
  }
  if (type === 'bytes') {
    if (!isBase64(value)) throw invalid(type, value)
    return Buffer.from(value, 'base64')
  }
  const number = /^-?\d{1,19}$/.test(value) ? BigInt(value) : LIMIT
  if (number >= LIMIT || number < -LIMIT) throw invalid(type, value)
  return number
}

/** The value of a parameter that was left out. */
function absent(type: ArgType): Arg {
  if (type === 'int64') return 0n
  if (type === 'string') return ''
  if (type === 'bool') return false
  if (type === 'bytes' || type === 'hex') return new Uint8Array()
  return undefined
}

/**
 * An argument of a GET request: numbers bare or quoted, texts quoted, bytes as `0x…` or a quoted text.
 *
 * @throws ArgumentError
 */
export function argOfUri(type: ArgType, text: string): Arg {
  if (text === '') return absent(type)
  const [, quoted] = /^"(.*)"$/s.exec(text) ?? []
  const isBinary = type === 'bytes' || type === 'hex'
  if (isBinary && /^0x/i.test(text)) return argOf('hex', text.slice(2))
  if (isBinary && quoted !== undefined) return Buffer.from(quoted)
  if (type === 'bool') return argOf(type, text === 'true' || (text === 'false' ? false : text))
  if (quoted === undefined && (isBinary || type === 'string')) throw invalid(type, text)
  return argOf(type, quoted ?? text)
}
