import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

/** Why a body cannot be had. */
export type BodyFailure = 'too_large' | 'cut_off' | 'unreadable'

/** What a body can be packed in; more is not asked for. */
export const ACCEPTED_ENCODING = 'gzip'

/** The stream of what was packed; `undefined` for a packing that was not asked for. */
function unpacked(incoming: IncomingMessage): Readable | undefined {
  const encoding = incoming.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return incoming
  if (encoding !== ACCEPTED_ENCODING) return undefined
  const gunzip = process.getBuiltinModule('node:zlib').createGunzip()
  incoming.on('error', (error) => gunzip.destroy(error))
  return incoming.pipe(gunzip)
}

/**
 * Reads a body to its end and gives its text or what is wrong with it, once. Bytes are counted as
 * they come, packed and unpacked, so that no more than `most` of them are ever held.
 */
export function readBody(
  incoming: IncomingMessage,
  most: number,
  done: (text: string | undefined, failure?: BodyFailure) => void,
): void {
  const declared = Number(incoming.headers['content-length'] ?? 0)
  const content = declared > most ? undefined : unpacked(incoming)
  if (content === undefined) {
    done(undefined, declared > most ? 'too_large' : 'unreadable')
    return
  }
  const chunks: Buffer[] = []
  let size = 0
  let isOver = false
  const end = (text: string | undefined, failure?: BodyFailure): void => {
    if (isOver) return
    isOver = true
    chunks.length = 0
    if (failure !== undefined) content.destroy()
    done(text, failure)
  }
  content.on('data', (chunk: Buffer) => {
    if (isOver) return
    size += chunk.length
    if (size > most) end(undefined, 'too_large')
    else chunks.push(chunk)
  })
  content.on('end', () => {
    if (isOver) return
    const text = utf8(Buffer.concat(chunks))
    end(text, text === undefined ? 'unreadable' : undefined)
  })
  content.on('error', () => end(undefined, incoming.complete ? 'unreadable' : 'cut_off'))
  incoming.on('error', () => end(undefined, 'cut_off'))
  incoming.on('close', () => {
    if (!incoming.complete) end(undefined, 'cut_off')
  })
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
