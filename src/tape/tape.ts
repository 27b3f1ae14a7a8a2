import { closeSync, fstatSync, readFileSync, readSync } from 'node:fs'
import { errorCode, SwapError } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import { counted } from '../engine/math/counted.js'
import { type DecodedParts, decodeSnapshot, InvalidSnapshot } from '../engine/snapshot/decode.js'
import type { TapeAnswer, TapeVerifyAnswer } from '../operations/tape/tape-documents.js'
import { attempt } from '../platform/attempt.js'
import { openForReading } from '../platform/file-stream.js'
import { printable } from '../platform/printable.js'
import {
  type Frame,
  frameDecoder,
  isAsRecorded,
  type Remainder,
  readFrames,
  type SnapshotDocument,
  TAPE_HEAD,
} from './frames.js'

/** Recorded blocks of one network, in the order of their heights. */
export type Tape = {
  readonly path: string
  readonly bytes: number
  readonly frames: readonly Frame[]
  /** The bytes after the last readable block. */
  readonly rest: Remainder | undefined
}

/** Which blocks to read: heights, both included. */
export type HeightRange = { readonly from?: number | undefined; readonly to?: number | undefined }

/** A tape that cannot be read or written. */
export class InvalidTape extends SwapError {
  constructor(path: string, why: string, cli = 'record one with: swap tape record <file>') {
    super('INVALID_SNAPSHOT', `${path} is not a tape that can be used`, {
      why,
      hint: { cli, http: undefined },
      members: { path, pointer: '' },
    })
  }
}

export const withoutBlock = (path: string): InvalidTape =>
  new InvalidTape(path, 'it holds no block')

/** Whether a file begins like a tape; false if it cannot be opened, which reading it reports. */
export function isTape(path: string): boolean {
  const head = Buffer.alloc(TAPE_HEAD.length)
  attempt(() => withFile(path, (file) => readSync(file, head)))
  return head.equals(TAPE_HEAD)
}

/** Only for regular files: a pipe could be read once only, and might block. */
function withFile<T>(path: string, read: (file: number) => T): T {
  const file = openForReading(path)
  try {
    const info = fstatSync(file)
    if (info.isFile()) return read(file)
    throw new InvalidTape(path, info.isDirectory() ? 'it is a folder' : 'it is not a regular file')
  } finally {
    closeSync(file)
  }
}

/** Reads a tape's frames, and notes what is left out; no block is unpacked yet. @throws InvalidTape */
export function readTape(path: string, note?: (text: string) => void): Tape {
  const bytes = fileBytes(path)
  const content = readFrames(bytes)
  if (content === undefined) throw new InvalidTape(path, 'it does not begin as a tape')
  const dropped = remainderText(content)
  if (dropped !== undefined) note?.(`${printable(path)}: ${dropped}`)
  return { path, bytes: bytes.length, ...content }
}

function fileBytes(path: string): Buffer {
  try {
    return withFile(path, (file) => readFileSync(file))
  } catch (error) {
    if (error instanceof InvalidTape) throw error
    const code = errorCode(error) ?? 'unknown'
    throw new InvalidTape(
      path,
      code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`,
    )
  }
}

/** A sentence on the part left out at the end of a tape; `undefined` for a complete one. */
export function remainderText({ frames, rest }: Pick<Tape, 'frames' | 'rest'>): string | undefined {
  if (rest === undefined) return undefined
  const after = frames.length === 0 ? 'no block' : `block ${frames.at(-1)!.height}`
  return rest.isTorn
    ? `the last block is incomplete and left out: ${counted(rest.bytes, 'byte')} after ${after}`
    : `the tape is damaged and its end left out: ${counted(rest.bytes, 'byte')} after ${after}`
}

/** @throws InvalidTape if more than the last block is lost */
export function requireUndamaged({ path, frames, rest }: Tape): void {
  if (rest === undefined || rest.isTorn) return
  const hint =
    frames.length > 0 ? 'save the blocks before it: swap tape cut <file> <new file>' : undefined
  throw new InvalidTape(path, remainderText({ frames, rest })!, hint)
}

/** Unpacks blocks one after the other. @throws InvalidTape */
export function* documentsOf(
  { path, frames }: Pick<Tape, 'path' | 'frames'>,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: HeightRange = {},
): Generator<{ readonly frame: Frame; readonly document: SnapshotDocument }> {
  const decode = frameDecoder()
  const first = frames.findLastIndex(({ isKey, height }) => isKey && height <= from)
  for (const frame of frames.slice(Math.max(0, first))) {
    if (frame.height > to) return
    const document = attempt(() => decode(frame))
    if (document === undefined)
      throw new InvalidTape(path, `block ${frame.height} cannot be unpacked: its data are damaged`)
    if (frame.height >= from) yield { frame, document }
  }
}

/** Turns consecutive snapshot documents into markets; unchanged pairs keep the same books. */
function marketDecoder(path: string): (document: SnapshotDocument) => Market {
  let tokens: unknown
  const emptyParts = (): DecodedParts => ({ pairs: new WeakMap(), pools: new WeakMap() })
  let decoded = emptyParts()
  return (document) => {
    if (document['tokens'] !== tokens) decoded = emptyParts()
    tokens = document['tokens']
    try {
      return decodeSnapshot(document, path, decoded)
    } catch (error) {
      if (!(error instanceof InvalidSnapshot)) throw error
      throw new InvalidTape(path, `block ${document.height}: ${error.why}`)
    }
  }
}

/** The markets of a range. @throws InvalidTape */
export function* marketsOf(tape: Tape, range: HeightRange = {}): Generator<Market> {
  const decode = marketDecoder(tape.path)
  for (const { document } of documentsOf(tape, range)) yield decode(document)
}

/** The heights of a tape, its first and last block, and its markets, read again by each call. @throws InvalidTape */
export function recordedBlocks(tape: Tape) {
  const heights = tape.frames.map(({ height }) => height)
  const head = (height = 0) => {
    const { value } = documentsOf(tape, { from: height, to: height }).next()
    if (value === undefined) throw withoutBlock(tape.path)
    const { chain_id, time } = value.document
    return { height, chainId: String(chain_id), time: String(time) }
  }
  const [first, last] = [head(heights[0]), head(heights.at(-1))]
  return { heights, first, last, markets: () => marketsOf(tape) }
}

/** The market of one block; the last one without a height. @throws SwapError NOT_FOUND, InvalidTape */
export function marketAt(tape: Tape, height?: number): Market {
  const [earliest, latest] = [tape.frames[0]?.height, tape.frames.at(-1)?.height]
  if (earliest === undefined || latest === undefined) throw withoutBlock(tape.path)
  const at = height ?? latest
  const [market] = marketsOf(tape, { from: at, to: at })
  if (market !== undefined) return market
  throw new SwapError('NOT_FOUND', `block ${at} is not in the tape`, {
    why: `${tape.path} holds ${counted(tape.frames.length, 'block')} from ${earliest} to ${latest}`,
    hint: { cli: 'see which: swap tape show <file>', http: undefined },
    members: { height: at, earliest, latest },
  })
}

/** The markets of the last blocks up to a height. @throws InvalidTape */
export function lastMarkets(tape: Tape, height: number, count: number): readonly Market[] {
  const framesUntil = tape.frames.filter((frame) => frame.height <= height)
  const from = framesUntil.at(-count)?.height ?? framesUntil[0]?.height
  return from === undefined ? [] : [...marketsOf(tape, { from, to: height })]
}

/** Blocks and size of a tape. @throws InvalidTape for a tape without a block */
export function summarize(tape: Tape): TapeAnswer {
  const { path, bytes, frames } = tape
  const [first, last] = [marketAt(tape, frames[0]?.height), marketAt(tape)]
  const place = ({ height, time }: Market) => ({ height, time })
  return {
    path,
    bytes,
    network: last.network,
    chain_id: last.chainId,
    blocks: frames.length,
    first: place(first),
    last: place(last),
    missing: last.height - first.height + 1 - frames.length,
    snapshots: frames.filter(({ isKey }) => isKey).length,
    pairs: last.books.size,
    dropped: remainderText(tape) ?? null,
  }
}

/**
 * Replays every block and compares it with its recorded digest. @throws InvalidTape, also for a tape without
 * a block
 */
export function verify(tape: Tape): TapeVerifyAnswer {
  for (const { frame, document } of documentsOf(tape))
    if (!isAsRecorded(frame, document))
      throw new InvalidTape(
        tape.path,
        `block ${frame.height} does not have the bytes that were recorded`,
      )
  requireUndamaged(tape)
  if (tape.frames.length === 0) throw withoutBlock(tape.path)
  return { path: tape.path, blocks: tape.frames.length, dropped: remainderText(tape) ?? null }
}
