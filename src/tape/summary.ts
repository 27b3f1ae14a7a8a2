import type { TapeAnswer, TapeVerifyAnswer } from '../operations/tape/tape-answers.js'
import { alteredBlocks, InvalidTape, marketAt, remainderText, type Tape } from './tape.js'

/** The heights of a tape and what it costs. @throws InvalidTape for one without a block */
export function summarize(tape: Tape): TapeAnswer {
  const { path, bytes, frames } = tape
  const [first, last] = [marketAt(tape, frames[0]?.height), marketAt(tape)]
  const place = ({ height, time }: { readonly height: number; readonly time: string }) => ({
    height,
    time,
  })
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

/** Replays every block and compares it with what was recorded. @throws InvalidTape */
export function verify(tape: Tape): TapeVerifyAnswer {
  const [altered] = alteredBlocks(tape)
  if (altered !== undefined)
    throw new InvalidTape(tape.path, `block ${altered} does not have the bytes that were recorded`)
  const dropped = remainderText(tape)
  if (tape.rest?.isTorn === false) throw new InvalidTape(tape.path, dropped!)
  return { path: tape.path, blocks: tape.frames.length, dropped: dropped ?? null }
}
