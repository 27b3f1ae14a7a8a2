/** Bytes are no protobuf; the message is that of the Go library. */
export class WireError extends Error {
  override name = 'WireError'
}

export const VARINT = 0
const FIXED64 = 1
export const BYTES = 2
const START_GROUP = 3
const END_GROUP = 4
const FIXED32 = 5

const NAMES = ['varint', 'fixed64', 'bytes', 'start_group', 'end_group', 'fixed32']
/** A wire type as the SDK prints it. */
export const wireName = (wire: number): string => NAMES[wire] ?? `unknown type: ${wire}`

const TOO_SHORT = 'unexpected EOF'

type Varint = { readonly value: bigint; readonly size: number }

/** A 64-bit number in base 128. @throws WireError */
export function readVarint(bytes: Uint8Array, at: number): Varint {
  let value = 0n
  for (let size = 1; size <= 10; size++) {
    const byte = bytes[at + size - 1]
    if (byte === undefined) throw new WireError(TOO_SHORT)
    value |= BigInt(byte & 0x7f) << BigInt(7 * (size - 1))
    if (byte < 0x80) {
      if (value >> 64n) break
      return { value, size }
    }
  }
  throw new WireError('proto: variable length integer overflow')
}

/** Bytes that a number takes at least. */
export function varintSize(value: bigint): number {
  let size = 1
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) size++
  return size
}

export type Tag = { readonly number: number; readonly wire: number; readonly size: number }

/** A field's number and wire type. @throws WireError */
export function readTag(bytes: Uint8Array, at: number): Tag {
  const { value, size } = readVarint(bytes, at)
  const number = Number(value >> 3n)
  if (number < 1 || number > 0x1fffffff) throw new WireError('proto: invalid field number')
  return { number, wire: Number(value & 7n), size }
}

/** Size of a field's value, its length included. @throws WireError */
export function valueSize(bytes: Uint8Array, at: number, wire: number): number {
  const size = sizeOf(bytes, at, wire)
  if (at + size > bytes.length) throw new WireError(TOO_SHORT)
  return size
}

function sizeOf(bytes: Uint8Array, at: number, wire: number): number {
  if (wire === VARINT) return readVarint(bytes, at).size
  if (wire === FIXED64) return 8
  if (wire === FIXED32) return 4
  if (wire === BYTES) {
    const { value, size } = readVarint(bytes, at)
    if (value > BigInt(bytes.length)) throw new WireError(TOO_SHORT)
    return size + Number(value)
  }
  // No message of the SDK has groups: whoever sends one is not understood.
  if (wire === START_GROUP) throw new WireError(TOO_SHORT)
  if (wire === END_GROUP) throw new WireError('proto: mismatching end group marker')
  throw new WireError('proto: cannot parse reserved wire type')
}

/** What a field of wire type 2 holds. */
export function payload(bytes: Uint8Array, at: number): Uint8Array {
  const { value, size } = readVarint(bytes, at)
  return bytes.subarray(at + size, at + size + Number(value))
}
