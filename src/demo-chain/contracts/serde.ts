import { type Decimal, formatDecimal, ONE, parseDecimal } from '../../engine/math/decimal.js'
import { MAX_UINT128 } from '../../engine/math/uint.js'
import { type Coin, ContractError } from '../modules/contract.js'

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

/**
 * Reads a value of a message or refuses it as the real contract does. `type` is the Rust path of the
 * whole message, which the error names.
 */
export type Read<T> = (type: string, value: unknown) => T

/** @throws ContractError `Error parsing into type <type>: <why>` */
export function refuse(type: string, why: string): never {
  throw new ContractError(`Error parsing into type ${type}: ${why}`)
}

/** serde-json-wasm's text for a value of another JSON type. */
const INVALID_TYPE = 'Invalid type'
const INVALID_NUMBER = 'Invalid number.'

/**
 * A message `{"variant": body}`.
 *
 * @throws ContractError when it is not JSON, or the variant none of these.
 */
export function parseVariant(
  type: string,
  text: string,
  variants: readonly string[],
): { readonly variant: string; readonly body: unknown } {
  const value = parseWire(text)
  if (value === undefined) refuse(type, 'Expected this character to start a JSON value.')
  return variantOf(variants)(type, value)
}

/** The value of an enum: its one key and the body under it; a bare string has no body. */
export const variantOf =
  (variants: readonly string[]): Read<{ readonly variant: string; readonly body: unknown }> =>
  (type, value) => {
    if (typeof value === 'string') {
      unknownVariant(type, value, variants)
      return { variant: value, body: undefined }
    }
    if (!isObject(value)) refuse(type, "Expected to parse either a 'true', 'false', or a 'null'.")
    const [variant, ...others] = Object.keys(value)
    if (variant === undefined) refuse(type, 'Expected this character to start a JSON string.')
    unknownVariant(type, variant, variants)
    if (others.length > 0) refuse(type, 'Expected this character to start a JSON value.')
    return { variant, body: value[variant] }
  }

function unknownVariant(type: string, variant: string, variants: readonly string[]): void {
  if (variants.includes(variant)) return
  const names = variants.map((name) => `\`${name}\``)
  const expected =
    names.length === 1
      ? names[0]
      : names.length === 2
        ? names.join(' or ')
        : `one of ${names.join(', ')}`
  refuse(type, `unknown variant \`${variant}\`, expected ${expected}`)
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const text: Read<string> = (type, value) =>
  typeof value === 'string' ? value : refuse(type, INVALID_TYPE)

const flag: Read<boolean> = (type, value) =>
  typeof value === 'boolean' ? value : refuse(type, INVALID_TYPE)

/** Rust reads leading zeros and a plus sign as well. */
const uint128: Read<bigint> = (type, value) => {
  const digits = text(type, value)
  if (/^\+?\d+$/.test(digits)) {
    const amount = BigInt(digits.replace('+', ''))
    if (amount <= MAX_UINT128) return amount
    invalidUint(type, digits, 'number too large to fit in target type')
  }
  const why =
    digits === '' ? 'cannot parse integer from empty string' : 'invalid digit found in string'
  return invalidUint(type, digits, why)
}

// The name of the type is missing in the real text, by an oversight in cosmwasm-std's macro.
const invalidUint = (type: string, digits: string, why: string): never =>
  refuse(type, `invalid $t '${digits}' - Generic error: Parsing u128: ${why}`)

const decimal18: Read<Decimal> = (type, value) => {
  const written = text(type, value)
  return (
    parseDecimal(written) ?? refuse(type, `Error parsing decimal '${written}': ${whyNot(written)}`)
  )
}

function whyNot(written: string): string {
  const [whole = '', fraction, ...others] = written.split('.')
  if (!/^\+?\d+$/.test(whole) || BigInt(whole) > MAX_UINT128)
    return 'Generic error: Error parsing whole'
  if (others.length > 0) return 'Generic error: Unexpected number of dots'
  if (fraction !== undefined && !/^\+?\d+$/.test(fraction))
    return 'Generic error: Error parsing fractional'
  if (fraction !== undefined && fraction.length > String(ONE).length - 1)
    return 'Generic error: Cannot parse more than 18 fractional digits'
  return 'Generic error: Value too big'
}

const binary: Read<Uint8Array> = (type, value) => {
  const encoded = text(type, value)
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('base64') !== encoded) refuse(type, `invalid base64: ${encoded}`)
  return bytes
}

const whole =
  (least: bigint, most: bigint): Read<number> =>
  (type, value) => {
    if (typeof value !== 'bigint')
      refuse(type, typeof value === 'number' ? INVALID_NUMBER : INVALID_TYPE)
    if (value < least || value > most) refuse(type, INVALID_NUMBER)
    return Number(value)
  }

const list =
  <T>(read: Read<T>): Read<T[]> =>
  (type, value) =>
    Array.isArray(value) ? value.map((each) => read(type, each)) : refuse(type, INVALID_TYPE)

/** `null` counts as absent. */
const optional =
  <T>(read: Read<T>): Read<T | undefined> =>
  (type, value) =>
    value === null || value === undefined ? undefined : read(type, value)

/** The elements of a tuple of this many, still to be read. */
const tuple =
  (size: number): Read<readonly unknown[]> =>
  (type, value) => {
    if (!Array.isArray(value)) refuse(type, INVALID_TYPE)
    if (value.length < size)
      refuse(type, `invalid length ${value.length}, expected a tuple of size ${size}`)
    if (value.length > size)
      refuse(type, 'JSON has non-whitespace trailing characters after the value.')
    return value
  }

const coin: Read<Coin> = (type, value) => {
  const fields = fieldsOf(type, value)
  return { denom: fields.text('denom'), amount: fields.uint128('amount') }
}

/** One element of a message, by what it is in Rust. */
export const read = {
  text,
  flag,
  uint128,
  decimal: decimal18,
  binary,
  u8: whole(0n, 255n),
  u32: whole(0n, 4_294_967_295n),
  i16: whole(-32_768n, 32_767n),
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

  /** A member that has to be there. */
  take<T>(name: string, reader: Read<T>): T {
    if (!Object.hasOwn(this.members, name)) refuse(this.type, `missing field \`${name}\``)
    return reader(this.type, this.members[name])
  }

  /** A member that may be absent or `null`. */
  optional<T>(name: string, reader: Read<T>): T | undefined {
    return Object.hasOwn(this.members, name)
      ? optional(reader)(this.type, this.members[name])
      : undefined
  }

  text = (name: string): string => this.take(name, text)
  uint128 = (name: string): bigint => this.take(name, uint128)
  decimal = (name: string): Decimal => this.take(name, decimal18)
  binary = (name: string): Uint8Array => this.take(name, binary)
  coin = (name: string): Coin => this.take(name, coin)
  u8 = (name: string): number => this.take(name, read.u8)
  list = <T>(name: string, reader: Read<T>): T[] => this.take(name, list(reader))
  fields = (name: string): Fields => this.take(name, fieldsOf)
}

/** The members of an object. @throws ContractError for another JSON type. */
export function fieldsOf(type: string, body: unknown): Fields {
  return isObject(body) ? new Fields(type, body) : refuse(type, INVALID_TYPE)
}

/** An answer's or a message's JSON text: bigints as strings of digits, as cosmwasm writes them. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}` : each))

/** JSON text in base64, as it is nested in other messages. */
export const asBinary = (value: unknown): string => Buffer.from(writeJson(value)).toString('base64')

/** A coin as messages carry it. */
export const wireCoin = ({ denom, amount }: Coin): { denom: string; amount: string } => ({
  denom,
  amount: `${amount}`,
})

/** A decimal as messages carry it. */
export const wireDecimal = (value: bigint): string => formatDecimal(value as Decimal)
