import { closeSync, fstatSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { errorCode, invalidRequest, SwapError } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import type { PairState } from '../engine/market/pair.js'
import { encodeSnapshot } from '../engine/snapshot/encode.js'
import type { TapeRecordAnswer } from '../operations/tape/tape-documents.js'
import { createFile, linkTarget, unwritableFile, writingTo } from '../platform/atomic-file.js'
import { acquireLock, type FileLock, LockHeld } from '../platform/lock-file.js'
import { encodeFrame, frameEncoder, type SnapshotDocument, TAPE_HEAD } from './frames.js'
import {
  documentsOf,
  type HeightRange,
  InvalidTape,
  readTape,
  remainderText,
  requireUndamaged,
  type Tape,
  withoutBlock,
} from './tape.js'

/** A tape being recorded, locked by this process. */
export type Recorder = {
  /** Appends a block in one write. @throws InvalidTape for a block that cannot follow the last one, or a removed file */
  append(market: Market): void
  /** The last recorded height. */
  last(): number | undefined
  /** Bytes of the file. */
  bytes(): number
  /** A sentence on the bytes cut off from the end of an existing file. */
  readonly dropped: string | undefined
  close(): void
}

/**
 * Opens a tape for appending, or creates it. The last block is removed if it was cut off.
 *
 * @throws SwapError BUSY if another process records it, INVALID_REQUEST if it cannot be written; InvalidTape
 */
export async function openRecorder(path: string): Promise<Recorder> {
  if (path === '-')
    throw invalidRequest('a tape cannot be recorded to standard output', '', {
      why: 'it is continued in its file, whose end is read first',
      hint: 'name a file: swap tape record <file>',
    })
  const lock = await acquireLock(`${linkTarget(path)}.lock`, 0).catch((error: unknown) => {
    throw error instanceof LockHeld ? busy(path, error) : unwritableFile(path, error)
  })
  try {
    return recorderOf(path, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

function recorderOf(path: string, lock: FileLock): Recorder {
  const file = writingTo(path, () => openFile(path))
  let bytes = 0
  const write = (part: Uint8Array) => {
    writingTo(path, () => {
      for (let written = 0; written < part.length; )
        written += writeSync(file, part, written, part.length - written, bytes + written)
    })
    bytes += part.length
  }
  try {
    const tape = readTape(path)
    requireUndamaged(tape)
    bytes = tape.bytes - (tape.rest?.bytes ?? 0)
    if (tape.rest !== undefined) ftruncateSync(file, bytes)
    if (bytes === 0) write(TAPE_HEAD)
    let last = lastBlock(tape)
    let encode = frameEncoder()
    // Unchanged pairs are the same objects, so comparing them is fast.
    const encoded = new WeakMap<PairState, object>()
    return {
      append(market) {
        if (!lock.isHeld() || fstatSync(file).nlink === 0) throw removed(path)
        requireNext(path, last, market)
        const document = encodeSnapshot(market, { isCompact: true, encoded }) as SnapshotDocument
        try {
          write(encodeFrame(encode(document)))
        } catch (error) {
          // Deltas after a block that is not in the file could not be read.
          encode = frameEncoder()
          ftruncateSync(file, bytes)
          throw error
        }
        last = { height: market.height, chainId: market.chainId }
      },
      last: () => last?.height,
      bytes: () => bytes,
      dropped: tape.bytes === 0 ? undefined : remainderText(tape),
      close() {
        closeSync(file)
        lock.release()
      },
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

const removed = (path: string): InvalidTape =>
  new InvalidTape(path, 'it or its lock was removed while it was recorded')

type LastBlock = { readonly height: number; readonly chainId: unknown }

function lastBlock(tape: Tape): LastBlock | undefined {
  const height = tape.frames.at(-1)?.height
  if (height === undefined) return undefined
  const [block] = documentsOf(tape, { from: height })
  return { height, chainId: block?.document['chain_id'] }
}

function requireNext(path: string, last: LastBlock | undefined, { chainId, height }: Market): void {
  if (last === undefined) return
  if (chainId !== last.chainId)
    throw new InvalidTape(path, `it holds blocks of ${last.chainId}, and this is ${chainId}`)
  if (height <= last.height)
    throw new InvalidTape(
      path,
      `it ends at block ${last.height}, and the chain is at ${height}: it was reset`,
    )
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r+')
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  return openSync(path, 'wx+')
}

const busy = (path: string, { holder }: LockHeld): SwapError =>
  new SwapError('BUSY', `${path} is being recorded by another process`, {
    why: holder === undefined ? 'its lock is held' : `process ${holder.pid} holds it`,
    hint: 'record into another file, or end that process',
    members: {},
  })

/**
 * Copies a range of blocks to a new tape.
 *
 * @throws SwapError INVALID_REQUEST if the file exists or cannot be written, or no block is in the range; InvalidTape
 */
export function cutTape(tape: Tape, path: string, range: HeightRange): TapeRecordAnswer {
  const encode = frameEncoder()
  let blocks = 0
  let bytes = 0
  let last: number | null = null
  const write = (file: number) => {
    // `writeSync` may write a part only, on a disk that is almost full.
    const add = (part: Uint8Array) => {
      writeFileSync(file, part)
      bytes += part.length
    }
    add(TAPE_HEAD)
    for (const { frame, document } of documentsOf(tape, range)) {
      add(encodeFrame(encode(document)))
      blocks++
      last = frame.height
    }
    if (blocks === 0) throw emptyRange(tape)
  }
  const isNew = writingTo(path, () => createFile(path, write, { mode: 'umask' }))
  if (!isNew)
    throw invalidRequest(`${path} exists`, '', {
      why: 'a part of a tape is written to a new file',
      hint: 'name another file',
    })
  return { path, bytes, blocks, last, dropped: remainderText(tape) ?? null }
}

/** The error for a range of heights without a block of the tape. */
export function emptyRange({ path, frames }: Tape): SwapError {
  const [first, last] = [frames[0], frames.at(-1)]
  if (!first || !last) return withoutBlock(path)
  return invalidRequest(`${path} has no block of that range`, '', {
    why: `its blocks are ${first.height} to ${last.height}`,
    hint: { cli: 'change --from-block and --to-block, or leave them out', http: undefined },
  })
}
