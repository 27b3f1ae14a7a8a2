import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sha256 } from '../platform/encoding.js'
import { parseWithin } from '../platform/json-limits.js'
import { applyDelta, type Delta, deltaOf, type JsonValue } from './json-delta.js'

/** The first bytes of every tape. */
export const TAPE_HEAD = Buffer.from('swap.tape/1\n')

/** Bytes of a frame before its payload (docs/tape.md#format), before the check of these, and before the payload's check. */
const HEADER = 55
const HEADER_CHECK = 43
const PAYLOAD_CHECK = 47

/** One block in the format of a tape. */
export type Frame = {
  readonly height: number
  /** Contains a whole snapshot; other frames contain the changes since the frame before. */
  readonly isKey: boolean
  /** SHA-256 of the block's snapshot document. */
  readonly digest: Buffer
  /** The compressed payload. */
  readonly payload: Buffer
}

/** Trailing bytes of a file that are not a complete frame. */
export type Remainder = {
  readonly bytes: number
  /** Whether nothing but zeros follows the damaged block; otherwise valid blocks may. */
  readonly isTorn: boolean
}

/** The bytes of a frame: length, kind, height, digest, their check, the payload's check, payload. */
export function encodeFrame({ height, isKey, digest, payload }: Frame): Buffer {
  const header = Buffer.alloc(HEADER)
  header.writeUInt32BE(payload.length, 0)
  header.writeUInt8(isKey ? 1 : 0, 4)
  header.writeUIntBE(height, 5, 6)
  digest.copy(header, 11)
  sha256(header.subarray(0, HEADER_CHECK)).copy(header.subarray(HEADER_CHECK, PAYLOAD_CHECK))
  sha256(payload).copy(header.subarray(PAYLOAD_CHECK))
  return Buffer.concat([header, payload])
}

/**
 * The frames of a tape up to the first incomplete or corrupt one, and the remaining bytes.
 *
 * @returns `undefined` if the bytes do not begin like a tape
 */
export function readFrames(
  bytes: Buffer,
): { readonly frames: readonly Frame[]; readonly rest: Remainder | undefined } | undefined {
  if (!bytes.subarray(0, TAPE_HEAD.length).equals(TAPE_HEAD.subarray(0, bytes.length)))
    return undefined
  const frames: Frame[] = []
  let offset = TAPE_HEAD.length
  if (bytes.length < offset) return { frames, rest: remainder(bytes, 0, offset) }
  while (offset < bytes.length) {
    const header = bytes.subarray(offset, offset + HEADER)
    const checked = header.subarray(0, HEADER_CHECK)
    const isWhole = header.length === HEADER
    if (!isWhole || !startsWith(sha256(checked), header.subarray(HEADER_CHECK, PAYLOAD_CHECK)))
      return { frames, rest: remainder(bytes, offset, offset + HEADER) }
    const end = offset + HEADER + header.readUInt32BE(0)
    const payload = bytes.subarray(offset + HEADER, end)
    if (!startsWith(sha256(payload), header.subarray(PAYLOAD_CHECK, HEADER)))
      return { frames, rest: remainder(bytes, offset, end) }
    const height = header.readUIntBE(5, 6)
    // Of another tape, or of this one, whose bytes were appended.
    if (height <= (frames.at(-1)?.height ?? -1))
      return { frames, rest: remainder(bytes, offset, offset) }
    frames.push({
      height,
      isKey: header.readUInt8(4) === 1,
      digest: header.subarray(11, HEADER_CHECK),
      payload,
    })
    offset = end
  }
  return { frames, rest: undefined }
}

const startsWith = (hash: Buffer, check: Buffer): boolean =>
  hash.subarray(0, check.length).equals(check)

/**
 * The bytes from a block on. After a power loss the file system may leave zeros for those that were not written, from
 * anywhere within a block on.
 *
 * @param end where the damaged block ends
 */
const remainder = (bytes: Buffer, offset: number, end: number): Remainder => ({
  bytes: bytes.length - offset,
  isTorn: bytes.subarray(end).every((byte) => byte === 0),
})

export type SnapshotDocument = { readonly height: number; readonly [name: string]: JsonValue }

/** Blocks from one whole snapshot to the next: reading a block replays at most so many deltas. */
export const KEY_EVERY = 100

/** The window size of deflate. */
const WINDOW = 32_768

/** Maximum bytes of an inflated payload. */
const MOST_BYTES = 256 * 1024 * 1024

/** The previous block, which the next frame refers to. */
type Before = { readonly document: SnapshotDocument; readonly text: Buffer; readonly age: number }

/** A payload's dictionary: the end of the preceding text, which shares its words and numbers. */
const dictionaryOf = (text: Buffer) => ({ dictionary: text.subarray(-WINDOW) })

/** Encodes consecutive snapshots as frames. */
export function frameEncoder(): (document: SnapshotDocument) => Frame {
  let before: Before | undefined
  return (document) => {
    const isKey = before === undefined || before.age + 1 >= KEY_EVERY
    const fullText = JSON.stringify(document)
    const text = Buffer.from(isKey ? fullText : JSON.stringify(deltaOf(before!.document, document)))
    const options = isKey ? {} : dictionaryOf(before!.text)
    const payload = deflateRawSync(text, { level: 9, ...options })
    before = { document, text, age: isKey ? 0 : before!.age + 1 }
    return { height: document.height, isKey, digest: sha256(fullText), payload }
  }
}

/** Decodes consecutive frames, from one with a whole snapshot on, to snapshots. */
export function frameDecoder(): (frame: Frame) => SnapshotDocument {
  let before: Before | undefined
  return ({ height, isKey, payload }) => {
    if (!isKey && before === undefined) throw new TypeError('a delta without a snapshot before it')
    const options = isKey ? {} : dictionaryOf(before!.text)
    const text = inflateRawSync(payload, { maxOutputLength: MOST_BYTES, ...options })
    const value = parseWithin(text.toString('utf8'))
    const document = (
      isKey ? value : applyDelta(before!.document, value as Delta)
    ) as SnapshotDocument
    if (document.height !== height) throw new TypeError('the document of another block')
    before = { document, text, age: 0 }
    return document
  }
}

/** Whether a snapshot's bytes match the recorded digest. */
export const isAsRecorded = ({ digest }: Frame, document: SnapshotDocument): boolean =>
  sha256(JSON.stringify(document)).equals(digest)
