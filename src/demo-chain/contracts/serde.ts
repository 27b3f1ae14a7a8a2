import { type Decimal, MAX_UINT128, parseDecimal } from '../../engine/math/decimal.js'
import { attempt } from '../../platform/attempt.js'
import { fromBase64, toBase64 } from '../../platform/encoding.js'
import { isObject } from '../../platform/json-object.js'
import { type Coin, ContractError } from '../modules/contract.js'

/**
 * Decodes a value of a message, with the errors of the real contract. `type` is the Rust path of the whole message, for
 * the error.
 */
export type ReadValue<T> = (type: string, value: unknown) => T

/** @throws ContractError `Error parsing into type <type>: <why>` */
export function refuse(type: string, why: string): never {
  throw new ContractError(`Error parsing into type ${type}: ${why}`)
}

/** serde-json-wasm's text for a value of another JSON type. */
const INVALID_TYPE = 'Invalid type'

/**
 * A message `{"variant": body}`.
 *
 * @throws ContractError if it is not JSON, or has another variant
 */
export function parseVariant(
  type: string,
  text: string,
  variants: readonly string[],
): { readonly variant: string; readonly body: unknown } {
  const value: unknown = attempt(() => JSON.parse(text))
  if (value === undefined) refuse(type, 'Expected this character to start a JSON value.')
  return variantOf(variants)(type, value)
}

/** The value of an enum: its one key and the body under it; a bare string has no body. */
export const variantOf =
  (variants: readonly string[]): ReadValue<{ readonly variant: string; readonly body: unknown }> =>
  (type, value) => {
    if (typeof value === 'string') {
      requireKnown(type, value, variants)
      return { variant: value, body: undefined }
    }
    const [member, ...others] = isObject(value) ? Object.entries(value) : []
    if (member === undefined || others.length > 0) refuse(type, INVALID_TYPE)
    const [variant, body] = member
    requireKnown(type, variant, variants)
    return { variant, body }
  }

function requireKnown(type: string, variant: string, variants: readonly string[]): void {
  if (variants.includes(variant)) return
  const names = variants.map((name) => `\`${name}\``)
  const expected = names.length > 2 ? `one of ${names.join(', ')}` : names.join(' or ')
  refuse(type, `unknown variant \`${variant}\`, expected ${expected}`)
}

const text: ReadValue<string> = (type, value) =>
  typeof value === 'string' ? value : refuse(type, INVALID_TYPE)

const uint128: ReadValue<bigint> = (type, value) => {
  const digits = text(type, value)
  const amount = /^\d+$/.test(digits) ? BigInt(digits) : undefined
  return amount !== undefined && amount <= MAX_UINT128
    ? amount
    : refuse(type, `invalid Uint128 '${digits}'`)
}

const decimal18: ReadValue<Decimal> = (type, value) => {
  const written = text(type, value)
  return parseDecimal(written) ?? refuse(type, `Error parsing decimal '${written}'`)
}

/** The original base64 text, after validation. */
const base64: ReadValue<string> = (type, value) => {
  const encoded = text(type, value)
  const isCanonical = toBase64(fromBase64(encoded)) === encoded
  return isCanonical ? encoded : refuse(type, `invalid base64: ${encoded}`)
}

const binary: ReadValue<Uint8Array> = (type, value) => fromBase64(base64(type, value))

const wholeNumber =
  (least: number, most: number): ReadValue<number> =>
  (type, value) => {
    if (typeof value !== 'number') refuse(type, INVALID_TYPE)
    if (!Number.isInteger(value) || value < least || value > most) refuse(type, 'Invalid number.')
    return value
  }

const list =
  <T>(read: ReadValue<T>): ReadValue<T[]> =>
  (type, value) =>
    Array.isArray(value) ? value.map((each) => read(type, each)) : refuse(type, INVALID_TYPE)

/** `null` counts as absent. */
const optional =
  <T>(read: ReadValue<T>): ReadValue<T | undefined> =>
  (type, value) =>
    value === null || value === undefined ? undefined : read(type, value)

/** The undecoded elements of a tuple of the given size. */
const tuple =
  (size: number): ReadValue<readonly unknown[]> =>
  (type, value) => {
    if (!Array.isArray(value)) refuse(type, INVALID_TYPE)
    if (value.length !== size) refuse(type, `invalid length, expected a tuple of size ${size}`)
    return value
  }

const coin: ReadValue<Coin> = (type, value) => {
  const fields = fieldsOf(type, value)
  return { denom: fields.text('denom'), amount: fields.uint128('amount') }
}

/** Readers of elements, by their Rust type. */
export const read = {
  text,
  uint128,
  decimal: decimal18,
  base64,
  binary,
  u8: wholeNumber(0, 255),
  i16: wholeNumber(-32_768, 32_767),
  list,
  optional,
  tuple,
  coin,
} as const

/** A struct's members. Unknown ones are ignored, as in the real contracts. */
export class Fields {
  constructor(
    readonly type: string,
    readonly members: { readonly [key: string]: unknown },
  ) {}

  /** A required member. */
  take<T>(name: string, reader: ReadValue<T>): T {
    if (!Object.hasOwn(this.members, name)) refuse(this.type, `missing field \`${name}\``)
    return reader(this.type, this.members[name])
  }

  /** A member that may be absent or `null`. */
  optional<T>(name: string, reader: ReadValue<T>): T | undefined {
    return Object.hasOwn(this.members, name)
      ? optional(reader)(this.type, this.members[name])
      : undefined
  }

  text = (name: string): string => this.take(name, text)
  uint128 = (name: string): bigint => this.take(name, uint128)
  decimal = (name: string): Decimal => this.take(name, decimal18)
  binary = (name: string): Uint8Array => this.take(name, binary)
  coin = (name: string): Coin => this.take(name, coin)
  list = <T>(name: string, reader: ReadValue<T>): T[] => this.take(name, list(reader))
}

/** The members of an object. @throws ContractError for another JSON type. */
export function fieldsOf(type: string, body: unknown): Fields {
  return isObject(body) ? new Fields(type, body) : refuse(type, INVALID_TYPE)
}

/** The JSON text of an answer or message; bigints are strings of digits, as in cosmwasm. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}` : each))

/** JSON text in base64, for nesting in other messages. */
export const asBinary = (value: unknown): string => Buffer.from(writeJson(value)).toString('base64')
