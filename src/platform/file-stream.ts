import { closeSync, constants, createReadStream, fstatSync, openSync, readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { addAbortSignal, Readable } from 'node:stream'
import { isatty, ReadStream } from 'node:tty'

/** Opens a file for reading; does not wait for the writer of a named pipe. */
export function openForReading(path: string): number {
  const { O_RDONLY, O_NONBLOCK = 0 } = constants
  return openSync(path, O_RDONLY | O_NONBLOCK)
}

/** The text of a regular file; of a pipe or a device an error of the system, without waiting for its other end. */
export function regularText(path: string): string {
  const file = openForReading(path)
  try {
    const info = fstatSync(file)
    // Of a folder the system says so itself.
    if (!info.isFile() && !info.isDirectory())
      throw Object.assign(new Error('not a regular file'), { code: 'EINVAL', syscall: 'read' })
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/**
 * The stream of a pipe or a terminal, which waits for data and can be destroyed meanwhile: a blocking `open` or `read`
 * would keep the process from ending. It closes the descriptor.
 *
 * @returns `undefined` for files, which never block
 */
export function waitingStream(fd: number): Readable | undefined {
  if (isatty(fd)) return new ReadStream(fd)
  const info = fstatSync(fd)
  return info.isFIFO() || info.isSocket()
    ? new Socket({ fd, readable: true, writable: false })
    : undefined
}

/**
 * Opens a file, a named pipe or a terminal for reading.
 *
 * @throws Error with the code of the system, also while reading
 */
export function openStream(path: string): Readable {
  const fd = openForReading(path)
  return waitingStream(fd) ?? createReadStream('', { fd })
}

/** The stream, destroyed by the signal unless it has ended. */
export function endedBy(
  interrupt: AbortSignal | undefined,
  stream: AsyncIterable<Buffer>,
): AsyncIterable<Buffer> {
  if (interrupt !== undefined && stream instanceof Readable) addAbortSignal(interrupt, stream)
  return stream
}

/** The bytes of a stream; `undefined` if there are more than `most`. */
export async function bytesUpTo(
  most: number,
  stream: AsyncIterable<Buffer>,
): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > most) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The text of a stream; `undefined` if it has more bytes than `most`. */
export const textUpTo = async (
  most: number,
  stream: AsyncIterable<Buffer>,
): Promise<string | undefined> => (await bytesUpTo(most, stream))?.toString('utf8')

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  EINVAL: 'it is not a regular file',
  EACCES: 'you have no permission to read it',
  EPERM: 'you have no permission to read it',
  ENAMETOOLONG: 'its name is too long',
}

/** Why a file cannot be read. @example unreadableReason('EISDIR') // 'it is a folder (EISDIR)' */
export const unreadableReason = (code = 'nothing'): string =>
  reasons[code] === undefined ? `the system says ${code}` : `${reasons[code]} (${code})`
