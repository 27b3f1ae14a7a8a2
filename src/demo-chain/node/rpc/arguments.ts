import { goRune } from '../search/search.js'
import { jsonError, jsonKind } from './json-text.js'

/** A parameter of a method, as Go's function has it. `?` marks one that may be left out (nil). */
export type ArgType = 'int64' | 'int64?' | 'int?' | 'uint' | 'string' | 'bool' | 'bytes' | 'hex'

/** The value of an argument; `undefined` when it was left out. */
export type Arg = bigint | string | boolean | Uint8Array | undefined

/** An argument of the wrong type or form; the message is Go's. */
export class ArgumentError extends Error {
  override name = 'ArgFault'
}

const GO: { readonly [type in ArgType]: string } = {
  int64: 'int64',
  'int64?': 'int64',
  'int?': 'int',
  uint: 'uint',
  string: 'string',
  bool: 'bool',
  bytes: '[]uint8',
  hex: 'bytes.HexBytes',
}

const isInteger = (type: ArgType): boolean =>
  type === 'int64' || type === 'int64?' || type === 'int?' || type === 'uint'

const LIMIT = 1n << 63n

/** @throws ArgFault */
function integer(text: string, type: ArgType): bigint {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"'))
    throw new ArgumentError(
      `invalid 64-bit integer encoding ${JSON.stringify(text)}, expected string`,
    )
  const inner = text.slice(1, -1)
  const fault = jsonError(inner)
  if (fault !== undefined) throw new ArgumentError(fault)
  const digits = inner.trim()
  const shape = type === 'uint' ? /^\d+$/ : /^-?\d+$/
  const value = shape.test(digits) && digits.length < 30 ? BigInt(digits) : undefined
  if (value === undefined || value >= LIMIT || value < -LIMIT) {
    const parsed: unknown = JSON.parse(inner)
    const what = typeof parsed === 'number' ? `number ${digits}` : jsonKind(parsed)
    throw new ArgumentError(`json: cannot unmarshal ${what} into Go value of type ${GO[type]}`)
  }
  return value
}

const BASE64 = /[A-Za-z0-9+/]/

/** Where Go finds standard base64 broken, line breaks left out; `undefined` when it is whole. */
export function base64Fault(text: string): number | undefined {
  const chars = [...text].flatMap((char, at) => (/[\r\n]/.test(char) ? [] : [{ char, at }]))
  for (let start = 0; start < chars.length; start += 4) {
    const group = chars.slice(start, start + 4)
    const odd = group.findIndex(({ char }) => !BASE64.test(char))
    const [, , third, fourth] = group
    if (odd < 0) {
      if (group.length < 4) return group[0]?.at
      continue
    }
    const padded =
      odd >= 2 && fourth?.char === '=' && (odd === 3 || third?.char === '=') && group.length === 4
    if (!padded) {
      const wrong = group[odd]
      return wrong?.char === '=' && odd >= 2 ? text.length : wrong?.at
    }
    const next = chars[start + 4]
    return next?.at
  }
  return undefined
}

/** @throws ArgFault */
function base64Bytes(text: string): Uint8Array {
  const fault = base64Fault(text)
  if (fault !== undefined) throw new ArgumentError(`illegal base64 data at input byte ${fault}`)
  return Buffer.from(text, 'base64')
}

/** @throws ArgFault */
function hexBytes(text: string): Uint8Array {
  const wrong = /[^0-9a-fA-F]/u.exec(text)?.[0]
  if (wrong !== undefined) throw new ArgumentError(`encoding/hex: invalid byte: ${goRune(wrong)}`)
  if (text.length % 2 === 1) throw new ArgumentError('encoding/hex: odd length hex string')
  return Buffer.from(text, 'hex')
}

/**
 * An argument as JSON has it.
 *
 * @param json one JSON value's text
 * @throws ArgFault
 */
export function argOf(type: ArgType, json: string): Arg {
  if (json === 'null') return absent(type)
  if (isInteger(type)) return integer(json, type)
  const fault = jsonError(json)
  if (fault !== undefined) throw new ArgumentError(fault)
  const value: unknown = JSON.parse(json)
  if (type === 'hex') {
    if (typeof value !== 'string') throw new ArgumentError(`invalid hex string: ${json}`)
    return hexBytes(value)
  }
  const wanted = type === 'bool' ? 'boolean' : 'string'
  if (typeof value !== wanted)
    throw new ArgumentError(
      `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${GO[type]}`,
    )
  return type === 'bytes' ? base64Bytes(value as string) : (value as string | boolean)
}

/** The value of a parameter that was left out. */
export function absent(type: ArgType): Arg {
  if (type === 'int64' || type === 'uint') return 0n
  if (type === 'string') return ''
  if (type === 'bool') return false
  if (type === 'bytes' || type === 'hex') return new Uint8Array()
  return undefined
}

/**
 * An argument of a GET request: numbers bare or quoted, texts quoted, bytes as `0x…` or a quoted text.
 *
 * @throws ArgFault
 */
export function argOfUri(type: ArgType, text: string): Arg {
  if (text === '') return absent(type)
  if (isInteger(type) && /^-?\d+$/.test(text)) return integer(`"${text}"`, type)
  const binary = type === 'bytes' || type === 'hex'
  if (/^0x/i.test(text)) {
    if (!binary && type !== 'string')
      throw new ArgumentError(`got a hex string arg, but expected '${GO[type]}'`)
    const bytes = hexBytes(text.slice(2))
    return binary ? bytes : Buffer.from(bytes).toString()
  }
  if (binary && text.length > 1 && text.startsWith('"') && text.endsWith('"')) {
    const fault = jsonError(text)
    if (fault !== undefined) throw new ArgumentError(fault)
    return Buffer.from(JSON.parse(text) as string)
  }
  return argOf(type, text)
}
