import { MOST } from '../wallet/passwords/rules.js'
import { copyOf, secretBuffer, wipe } from '../wallet/secret.js'
import { Interrupted } from './exit.js'
import { keepRaw, stopJob } from './job-control.js'

const CTRL_C = 0x03
const CTRL_D = 0x04
const CTRL_U = 0x15
const CTRL_Z = 0x1a
const ESCAPE = 0x1b

/** A line being typed, in bytes that can be wiped. */
type SecretLine = {
  /**
   * Consumes typed bytes.
   *
   * @returns how many of them belong to the line, once it is complete; otherwise `undefined`
   * @throws Interrupted for ctrl-c and ctrl-d
   */
  type(chunk: Uint8Array): number | undefined
  /** A copy of the line, which the caller wipes. */
  copy(): Buffer
  wipe(): void
}

/** A line editor with backspace and ctrl-u; cursor keys and other controls are ignored. */
export function secretLine(): SecretLine {
  // One byte more than a password may have, so that a longer one is refused, not truncated.
  const held = secretBuffer(MOST + 1)
  let length = 0
  const erase = () => {
    // Backwards over the continuation bytes of a UTF-8 character.
    while (length > 0) {
      length -= 1
      const isContinuation = ((held[length] ?? 0) & 0xc0) === 0x80
      if (!isContinuation) break
    }
    held.fill(0, length)
  }
  return {
    type(chunk) {
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] ?? 0
        if (byte === 0x0d || byte === 0x0a) return at + 1
        if (byte === CTRL_C) throw new Interrupted()
        if (byte === CTRL_D) throw new Interrupted('ctrl-d')
        if (byte === ESCAPE) at = endOfSequence(chunk, at)
        else if (byte === 0x7f || byte === 0x08) erase()
        else if (byte === CTRL_U) {
          wipe(held)
          length = 0
        } else if (byte >= 0x20 && length < held.length) held[length++] = byte
      }
      return undefined
    },
    copy: () => copyOf(held.subarray(0, length)),
    wipe: () => wipe(held),
  }
}

/** The last byte of an escape sequence such as a cursor key, which arrives in one chunk. */
function endOfSequence(chunk: Uint8Array, from: number): number {
  const opener = chunk[from + 1]
  if (opener !== 0x5b && opener !== 0x4f) return from
  for (let at = from + 2; at < chunk.length; at++)
    if ((chunk[at] ?? 0) >= 0x40 && (chunk[at] ?? 0) <= 0x7e) return at
  return chunk.length - 1
}

/**
 * Reads a line without echo. It never becomes a string, which could not be wiped; the stream's chunks are
 * wiped at once.
 *
 * @param input a terminal
 * @param ask shows the question
 * @throws Interrupted
 */
export async function readSecretLine(
  input: NodeJS.ReadStream,
  ask: () => void,
  interrupt?: AbortSignal,
): Promise<Buffer> {
  const line = secretLine()
  let stop = () => {}
  const askAgain = () => {
    line.type(Uint8Array.of(CTRL_U))
    ask()
  }
  const endRaw = keepRaw(input, askAgain)
  // Disable echo before the question appears, since typing may start as soon as it does.
  input.setRawMode(true)
  ask()
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const take = (chunk: Buffer) => {
        try {
          if (chunk.includes(CTRL_Z)) stopJob(input)
          const used = line.type(chunk)
          if (used === undefined) return
          stop()
          // Input after the line belongs to the next question.
          if (used < chunk.length) input.unshift(Buffer.from(chunk.subarray(used)))
          resolve(line.copy())
        } catch (error) {
          reject(error)
        } finally {
          wipe(chunk)
        }
      }
      const interrupted = () => reject(new Interrupted())
      stop = () => {
        input.off('data', take).off('end', interrupted).pause()
        interrupt?.removeEventListener('abort', interrupted)
      }
      input.on('data', take).on('end', interrupted).resume()
      interrupt?.addEventListener('abort', interrupted)
      if (interrupt?.aborted) interrupted()
    })
  } finally {
    stop()
    endRaw()
    line.wipe()
    input.setRawMode(false)
  }
}
