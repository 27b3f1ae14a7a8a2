import { writeSync } from 'node:fs'
import { SwapError } from '../engine/errors.js'
import type { TapeRecordAnswer } from '../operations/tape/tape-answers.js'
import { createFile } from '../platform/atomic-file.js'
import { unwritableFile } from '../platform/unwritable-file.js'
import { encodeFrame, frameEncoder, TAPE_HEAD } from './frames.js'
import { documentsOf, type HeightRange, InvalidTape, remainderText, type Tape } from './tape.js'

/** Copies a range of blocks to a new tape. @throws SwapError INVALID_REQUEST where the file exists */
export function cutTape(tape: Tape, path: string, range: HeightRange): TapeRecordAnswer {
  const encode = frameEncoder()
  let [blocks, bytes] = [0, 0]
  let last: number | null = null
  const write = (file: number) => {
    bytes += writeSync(file, TAPE_HEAD)
    for (const { frame, document } of documentsOf(tape, range)) {
      bytes += writeSync(file, encodeFrame(encode(document)))
      blocks++
      last = frame.height
    }
    if (blocks === 0) throw noBlock(tape)
  }
  if (!isNewFile(path, write))
    throw new SwapError('INVALID_REQUEST', `${path} exists`, {
      why: 'a part of a tape is written to a new file',
      hint: 'name another file',
      members: { errors: [{ pointer: '', detail: 'the file exists' }] },
    })
  return { path, bytes, blocks, last, dropped: remainderText(tape) ?? null }
}

/** @returns whether the name was free */
function isNewFile(path: string, write: (file: number) => void): boolean {
  try {
    return createFile(path, write, { mode: 'umask' })
  } catch (error) {
    throw unwritableFile(path, error)
  }
}

function noBlock({ path, frames }: Tape): SwapError {
  const [first, last] = [frames[0], frames.at(-1)]
  if (!first || !last) return new InvalidTape(path, 'it holds no block')
  return new SwapError('INVALID_REQUEST', `${path} has no block of that range`, {
    why: `its blocks are ${first.height} to ${last.height}`,
    hint: { cli: 'change --from-block and --to-block, or leave them out', http: undefined },
    members: { errors: [{ pointer: '', detail: 'no block of the tape is in the range' }] },
  })
}
