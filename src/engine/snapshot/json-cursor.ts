import type { Coin } from '../market/token.js'
import { type Decimal, parseDecimal, parseUint128 } from '../math/decimal.js'
import { type Scaled, scaled } from '../math/scaled.js'

/** A document is malformed at one place. */
export class MalformedDocument extends Error {
  override readonly name = 'MalformedDocument'

  constructor(
    /** RFC 6901 JSON pointer to the first fault. */
    readonly pointer: string,
    message: string,
  ) {
    super(message)
  }
}

/**
 * A value inside a JSON document of unknown shape, with its position. Readers check before they
 * return. The position is kept as steps and formatted only for an error.
 */
export type JsonCursor = {
  readonly value: unknown
  readonly up: JsonCursor | undefined
  readonly key: string | number
}

/** The cursor of a whole document. */
export const rootCursor = (value: unknown): JsonCursor => ({ value, up: undefined, key: '' })

/** RFC 6901 JSON pointer to a node. */
const pointerTo = ({ up, key }: JsonCursor): string =>
  up === undefined ? '' : pointerTo(up) + pointerStep(key)

/** One step of an RFC 6901 JSON pointer: a member's name, or an index. */
export const pointerStep = (key: string | number): string =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

const fault = (node: JsonCursor, expected: string): never => {
  throw new MalformedDocument(pointerTo(node), `${expected}, not ${describeValue(node.value)}`)
}

/** A short description of the value found instead. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 40 ? `${text.slice(0, 37)}...` : text
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member of an object; absent members read as `undefined`. Never looks at the prototype. */
export function member(node: JsonCursor, key: string): JsonCursor {
  if (!isRecord(node.value)) return fault(node, 'must be an object')
  return { value: Object.hasOwn(node.value, key) ? node.value[key] : undefined, up: node, key }
}

export const isAbsent = (node: JsonCursor): boolean =>
  node.value === undefined || node.value === null

/** Members of an object as (key, node), in document order. */
export function entries(node: JsonCursor): readonly (readonly [string, JsonCursor])[] {
  if (!isRecord(node.value)) return fault(node, 'must be an object')
  return Object.keys(node.value).map((key) => [key, member(node, key)] as const)
}

export function items(node: JsonCursor): readonly JsonCursor[] {
  if (!Array.isArray(node.value)) return fault(node, 'must be a list')
  return node.value.map((value, key) => ({ value, up: node, key }))
}

/** What may be absent, read where it is there. */
export const optional = <T>(node: JsonCursor, read: (node: JsonCursor) => T): T | undefined =>
  isAbsent(node) ? undefined : read(node)

export const text = (node: JsonCursor): string =>
  typeof node.value === 'string' && node.value !== '' ? node.value : fault(node, 'must be text')

export const flag = (node: JsonCursor): boolean =>
  typeof node.value === 'boolean' ? node.value : fault(node, 'must be true or false')

/** An integer that JSON holds exactly, within bounds. */
export function integer(node: JsonCursor, least: number, most: number): number {
  const { value } = node
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most)
    return fault(node, `must be an integer from ${least} to ${most}`)
  return value
}

/** An amount in atomics: decimal digits in a string, at most 2^128 − 1. */
export const amount = (node: JsonCursor): bigint =>
  (typeof node.value === 'string' ? parseUint128(node.value) : undefined) ??
  fault(node, 'must be an amount (digits in a string, at most 2^128 - 1)')

export const coin = (node: JsonCursor): Coin => ({
  denom: text(member(node, 'denom')),
  amount: amount(member(node, 'amount')),
})

/** A decimal of at most 18 fractional digits, in a string. */
export const decimalOf = (node: JsonCursor): Decimal =>
  (typeof node.value === 'string' ? parseDecimal(node.value) : undefined) ??
  fault(node, 'must be a decimal (digits in a string, at most 18 after the point)')

/** Scales outside ±this are refused; those of real pools are far smaller. */
const MOST_SCALE = 1_000_000

/** A sum or product of a pool: `[mantissa, scale]`, the mantissa below 2^256 in a string. */
export function scaledOf(node: JsonCursor): Scaled {
  const [digits, scale, ...more] = items(node)
  if (digits === undefined || scale === undefined || more.length > 0)
    return refuse(node, 'must be [mantissa, scale]')
  const mantissa = /^(0|[1-9]\d{0,77})$/.test(text(digits)) ? BigInt(text(digits)) : -1n
  if (mantissa < 0n || mantissa >> 256n !== 0n)
    return refuse(digits, 'must be an integer below 2^256')
  return scaled(mantissa, integer(scale, -MOST_SCALE, MOST_SCALE))
}

export function oneOf<T extends string>(node: JsonCursor, words: readonly T[]): T {
  return (
    words.find((word) => word === node.value) ?? fault(node, `must be one of ${words.join(', ')}`)
  )
}

/** Throws `MalformedDocument` at this cursor. */
export const refuse = (node: JsonCursor, message: string): never => {
  throw new MalformedDocument(pointerTo(node), message)
}
