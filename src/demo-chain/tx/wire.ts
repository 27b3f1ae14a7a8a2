/** Bytes are no protobuf; the message is that of the Go library. */
export class WireError extends Error {
  override name = 'WireError'
}

const VARINT = 0
const FIXED64 = 1
export const BYTES = 2
const START_GROUP = 3
const END_GROUP = 4
const FIXED32 = 5

const NAMES = ['varint', 'fixed64', 'bytes', 'start_group', 'end_group', 'fixed32']
/** A wire type as the SDK prints it. */
const wireName = (wire: number): string => NAMES[wire] ?? `unknown type: ${wire}`

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
  // No message of the SDK has groups.
  if (wire === START_GROUP) throw new WireError(TOO_SHORT)
  if (wire === END_GROUP) throw new WireError('proto: mismatching end group marker')
  throw new WireError('proto: cannot parse reserved wire type')
}

/** The contents of a field of wire type 2. */
export function payload(bytes: Uint8Array, at: number): Uint8Array {
  const { value, size } = readVarint(bytes, at)
  return bytes.subarray(at + size, at + size + Number(value))
}

/** Fields of one protobuf message by number: how they are written, and what is inside. */
export type Shape = {
  /** As the SDK prints its type. */
  readonly name: string
  readonly fields: { readonly [number: number]: Slot }
}
type Slot = typeof VARINT | typeof BYTES | (() => Shape) | 'any'

const coin: Shape = { name: '*types.Coin', fields: { 1: BYTES, 2: BYTES } }
const party = (name: string): Shape => ({ name, fields: { 1: BYTES, 2: () => coin } })
const input = party('*types.Input')
const output = party('*types.Output')
const anyShape: Shape = { name: '*types.Any', fields: { 1: BYTES, 2: BYTES } }
const bits: Shape = { name: '*types.CompactBitArray', fields: { 1: VARINT, 2: BYTES } }
const single: Shape = { name: '*tx.ModeInfo_Single', fields: { 1: VARINT } }
const multi: Shape = { name: '*tx.ModeInfo_Multi', fields: { 1: () => bits, 2: () => modeInfo } }
const modeInfo: Shape = { name: '*tx.ModeInfo', fields: { 1: () => single, 2: () => multi } }
const signerInfo: Shape = {
  name: '*tx.SignerInfo',
  fields: { 1: 'any', 2: () => modeInfo, 3: VARINT },
}
const fee: Shape = { name: '*tx.Fee', fields: { 1: () => coin, 2: VARINT, 3: BYTES, 4: BYTES } }
const tip: Shape = { name: '*tx.Tip', fields: { 1: () => coin, 2: BYTES } }
const timestamp: Shape = { name: '*types.Timestamp', fields: { 1: VARINT, 2: VARINT } }

export const txRaw: Shape = { name: '*tx.TxRaw', fields: { 1: BYTES, 2: BYTES, 3: BYTES } }
export const txBody: Shape = {
  name: '*tx.TxBody',
  fields: {
    1: 'any',
    2: BYTES,
    3: VARINT,
    4: VARINT,
    5: () => timestamp,
    1023: 'any',
    2047: 'any',
  },
}
export const authInfo: Shape = {
  name: '*tx.AuthInfo',
  fields: { 1: () => signerInfo, 2: () => fee, 3: () => tip },
}

const keyShape = (name: string): Shape => ({ name, fields: { 1: BYTES } })

/** The messages and keys that an `Any` of a transaction may hold. */
const resolved: { readonly [typeUrl: string]: Shape } = {
  '/cosmos.bank.v1beta1.MsgSend': {
    name: '*types.MsgSend',
    fields: { 1: BYTES, 2: BYTES, 3: () => coin },
  },
  '/cosmos.bank.v1beta1.MsgMultiSend': {
    name: '*types.MsgMultiSend',
    fields: { 1: () => input, 2: () => output },
  },
  '/cosmwasm.wasm.v1.MsgExecuteContract': {
    name: '*types.MsgExecuteContract',
    fields: { 1: BYTES, 2: BYTES, 3: BYTES, 5: () => coin },
  },
  '/cosmos.crypto.secp256k1.PubKey': keyShape('*secp256k1.PubKey'),
  '/cosmos.crypto.secp256r1.PubKey': keyShape('*secp256r1.PubKey'),
  '/cosmos.crypto.ed25519.PubKey': keyShape('*ed25519.PubKey'),
  '/cosmos.crypto.multisig.LegacyAminoPubKey': {
    name: '*multisig.LegacyAminoPubKey',
    fields: { 1: VARINT, 2: 'any' },
  },
}

/** Fields with this bit may be unknown to a node that lets them pass. */
const NON_CRITICAL = 1 << 10

/** How deep messages may hold messages. */
const MAX_DEPTH = 32

const wireOf = (slot: Slot): number => (slot === VARINT ? VARINT : BYTES)

/**
 * Refuses bytes with fields that the message does not have, messages within included.
 *
 * @param lenient whether unknown fields that are marked as not critical may pass
 * @returns whether there were such fields
 * @throws WireError
 */
export function checkShape(bytes: Uint8Array, shape: Shape, lenient: boolean, depth = 0): boolean {
  if (depth > MAX_DEPTH) throw new WireError('too many nested messages')
  let unknown = false
  for (let at = 0; at < bytes.length; ) {
    const tag = tagAt(bytes, at)
    const slot = shape.fields[tag.number]
    if (slot === undefined) {
      if (!(tag.number & NON_CRITICAL) || !lenient)
        throw new WireError(
          `errUnknownField "${shape.name}": {TagNum: ${tag.number}, WireType:"${wireName(tag.wire)}"}`,
        )
      unknown = true
    } else if (wireOf(slot) !== tag.wire)
      throw new WireError(
        `Mismatched "${shape.name}": {TagNum: ${tag.number}, GotWireType: "${wireName(tag.wire)}" != WantWireType: "${wireName(wireOf(slot))}"}`,
      )
    at += tag.size
    const size = sizeAt(bytes, at, tag.number, tag.wire)
    if (slot !== undefined && slot !== VARINT && slot !== BYTES)
      if (checkWithin(payload(bytes, at), slot, lenient, depth + 1)) unknown = true
    at += size
  }
  return unknown
}

function checkWithin(
  bytes: Uint8Array,
  slot: 'any' | (() => Shape),
  lenient: boolean,
  depth: number,
): boolean {
  if (slot !== 'any') return checkShape(bytes, slot(), lenient, depth)
  const outer = checkShape(bytes, anyShape, lenient, depth)
  const { typeUrl, value } = readAny(bytes)
  const shape = Object.hasOwn(resolved, typeUrl) ? resolved[typeUrl] : undefined
  if (!shape) throw new WireError(`unable to resolve type URL ${typeUrl}`)
  const inner = checkShape(value, shape, lenient, depth)
  return outer || inner
}

function readAny(bytes: Uint8Array): { typeUrl: string; value: Uint8Array } {
  let [typeUrl, value] = ['', new Uint8Array()]
  for (let at = 0; at < bytes.length; ) {
    const { number, wire, size } = readTag(bytes, at)
    at += size
    if (number === 1) typeUrl = Buffer.from(payload(bytes, at)).toString()
    if (number === 2) value = Uint8Array.from(payload(bytes, at))
    at += valueSize(bytes, at, wire)
  }
  return { typeUrl, value }
}

function tagAt(bytes: Uint8Array, at: number): ReturnType<typeof readTag> {
  try {
    return readTag(bytes, at)
  } catch (error) {
    throw error instanceof WireError ? new WireError('invalid length') : error
  }
}

function sizeAt(bytes: Uint8Array, at: number, number: number, wire: number): number {
  try {
    return valueSize(bytes, at, wire)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    throw new WireError(
      `could not consume field value for tagNum: ${number}, wireType: "${wireName(wire)}"; ${error.message}`,
    )
  }
}
