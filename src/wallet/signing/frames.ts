import { wipe } from '../secret.js'

/** Bytes of a frame at most: a sign document has a few kB. */
const MOST = 1 << 20

const HEAD = 4

/** What a reply of the signing process begins with. */
export const STATUS = { done: 0, notOpened: 1, refused: 2 } as const

/** The length of a frame, which goes before its bytes. */
export function headOf(length: number): Buffer {
  const head = Buffer.alloc(HEAD)
  head.writeUInt32LE(length)
  return head
}

/**
 * The frames of a pipe: four bytes of length, then so many bytes. What was read is wiped behind them,
 * since one of the frames is a password; the reader wipes the frame itself.
 */
export async function* framesOf(pipe: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0)
  for await (const chunk of pipe) {
    const joined = Buffer.concat([held, chunk])
    wipe(held, chunk)
    held = joined
    while (held.length >= HEAD) {
      const end = HEAD + held.readUInt32LE()
      if (end > HEAD + MOST) throw new Error('a frame is too long')
      if (held.length < end) break
      const frame = Buffer.from(held.subarray(HEAD, end))
      const rest = Buffer.from(held.subarray(end))
      wipe(held)
      held = rest
      yield frame
    }
  }
}
