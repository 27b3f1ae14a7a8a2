import { constants, createReadStream, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/**
 * Opens a file or a named pipe for reading. The stream of a pipe waits for a program that writes to it,
 * and can be destroyed meanwhile: a blocking `open` would keep the process from ending.
 *
 * @throws Error with the code of the system, also while it is read
 */
export function openStream(path: string): Readable {
  const { O_RDONLY, O_NONBLOCK = 0 } = constants
  const fd = openSync(path, O_RDONLY | O_NONBLOCK)
  return fstatSync(fd).isFIFO()
    ? new Socket({ fd, readable: true, writable: false })
    : createReadStream('', { fd })
}

/** The text of a stream; `undefined` where it has more bytes than `most`. */
export async function textUpTo(
  most: number,
  stream: AsyncIterable<Buffer>,
): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > most) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
