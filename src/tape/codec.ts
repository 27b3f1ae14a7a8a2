import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type Frame, sha256 } from './frames.js'
import { applyDelta, type Delta, deltaOf, type JsonValue } from './json-delta.js'

/** A snapshot document. */
export type SnapshotDocument = { readonly height: number; readonly [name: string]: JsonValue }

/** Blocks from one whole snapshot to the next: reading a block replays at most so many deltas. */
export const KEY_EVERY = 100

/** The most that deflate looks back. */
const WINDOW = 32_768

/** Bytes that a payload may have when inflated. */
const MOST_BYTES = 256 * 1024 * 1024

/** What the next frame builds on. */
type Before = { readonly document: SnapshotDocument; readonly text: Buffer; readonly age: number }

/** A payload's dictionary: the end of the text before it, whose words and numbers it repeats. */
const dictionaryOf = (text: Buffer) => ({ dictionary: text.subarray(-WINDOW) })

/** Turns consecutive snapshots into frames. */
export function frameEncoder(): (document: SnapshotDocument) => Frame {
  let before: Before | undefined
  return (document) => {
    const isKey = before === undefined || before.age + 1 >= KEY_EVERY
    const whole = JSON.stringify(document)
    const text = Buffer.from(isKey ? whole : JSON.stringify(deltaOf(before!.document, document)))
    const options = isKey ? {} : dictionaryOf(before!.text)
    const payload = deflateRawSync(text, { level: 9, ...options })
    before = { document, text, age: isKey ? 0 : before!.age + 1 }
    return { height: document.height, isKey, digest: sha256(whole), payload }
  }
}

/** Turns consecutive frames, from one that holds a whole snapshot on, back into snapshots. */
export function frameDecoder(): (frame: Frame) => SnapshotDocument {
  let before: Before | undefined
  return ({ isKey, payload }) => {
    if (!isKey && before === undefined) throw new TypeError('a delta without a snapshot before it')
    const options = isKey ? {} : dictionaryOf(before!.text)
    const text = inflateRawSync(payload, { maxOutputLength: MOST_BYTES, ...options })
    const value: unknown = JSON.parse(text.toString('utf8'))
    const document = isKey ? value : applyDelta(before!.document, value as Delta)
    before = { document: document as SnapshotDocument, text, age: 0 }
    return before.document
  }
}

/** Whether a snapshot has the bytes that were recorded. */
export const isAsRecorded = ({ digest }: Frame, document: SnapshotDocument): boolean =>
  sha256(JSON.stringify(document)).equals(digest)
