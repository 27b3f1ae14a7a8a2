import { Transform } from 'node:stream'
import type { RequestId } from '@modelcontextprotocol/server'
import { SwapError } from '../engine/errors.js'
import { readJson } from '../operations/body/read-json.js'

/** A stream of messages, a line each, that keeps what is wrong with how calls are written. */
export type WrittenCalls = {
  readonly stream: Transform
  /** The fault of a call, which is told once. */
  take(id: RequestId): SwapError | undefined
}

/**
 * Passes lines on as they are. The SDK parses them with `JSON.parse`, which would take the last of two members of one
 * name and round numbers: a call that is written so gets the error of the other doors (`readJson`).
 *
 * @param longest bytes of a line that is looked at; the SDK ends at longer ones
 * @param flush called when the input has ended and everything is passed on
 */
export function writtenCalls(longest: number, flush: () => Promise<void>): WrittenCalls {
  const faults = new Map<RequestId, SwapError>()
  let [parts, size]: [Buffer[], number] = [[], 0]
  const read = (line: Buffer): void => {
    const found = size > longest ? undefined : faultIn(line.toString())
    if (found !== undefined) faults.set(...found)
  }
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      for (let from = 0; from < chunk.length; ) {
        const end = chunk.indexOf(10, from)
        const part = chunk.subarray(from, end < 0 ? chunk.length : end)
        size += part.length
        if (size <= longest) parts.push(part)
        if (end >= 0) {
          read(Buffer.concat(parts))
          parts = []
          size = 0
        }
        from += part.length + 1
      }
      done(null, chunk)
    },
    flush(done) {
      flush().then(() => done(), done)
    },
  })
  const take = (id: RequestId) => {
    const fault = faults.get(id)
    faults.delete(id)
    return fault
  }
  return { stream, take }
}

/** What is wrong with how a call is written. What is no JSON or no call is left to the SDK. */
function faultIn(line: string): readonly [RequestId, SwapError] | undefined {
  try {
    readJson(line)
    return undefined
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    const id = callId(line)
    return id === undefined ? undefined : [id, error]
  }
}

function callId(line: string): RequestId | undefined {
  try {
    const message = JSON.parse(line) as {
      readonly method?: unknown
      readonly id?: RequestId
    } | null
    return message?.method === 'tools/call' ? message.id : undefined
  } catch {
    return undefined
  }
}
