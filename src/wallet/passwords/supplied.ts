import { isUtf8 } from 'node:buffer'
import { accessSync, closeSync, fstatSync, ReadStream, read, type Stats } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode, invalidRequest, SwapError } from '../../engine/errors.js'
import { hasModes, isForeign } from '../../platform/file-owner.js'
import {
  endedBy,
  openForReading,
  unreadableReason,
  waitingStream,
} from '../../platform/file-stream.js'
import { KeyfilePermissions } from '../errors.js'
import { copyOf, secretBytes, wipe } from '../secret.js'
import { checkPrivate } from '../store/folder.js'
import { MOST } from './rules.js'

/** Sources of a password other than a prompt. */
export type PasswordOptions = {
  /** `--password-file`; `-` is standard input. */
  readonly file?: string | undefined
  /** `--password-fd`. */
  readonly fd?: string | undefined
  /** Names of the two flags, for messages: the flags for a new password differ. */
  readonly flags: { readonly file: string; readonly fd: string }
  /** Environment variables; absent if only the flags apply. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly stdin: AsyncIterable<Buffer>
  /** Ends the wait for a pipe, where a signal does not end the process at once. */
  readonly interrupt?: AbortSignal | undefined
}

/** A password from a file, a descriptor or the environment. The caller wipes it. */
export type SuppliedPassword = {
  readonly password: Buffer
  /** Its source, for messages. */
  readonly from: string
  /** Whether it came from a pipe and cannot be read again. */
  readonly once: boolean
}

/**
 * The password of the first source that is set: file, descriptor, `SWAP_PASSWORD_FILE`, systemd's credential,
 * `SWAP_PASSWORD`; `undefined` if none is. Only one line break at the end is dropped.
 *
 * @throws KeyfilePermissions for a file that others can read, SwapError INVALID_REQUEST
 */
export async function suppliedPassword(
  options: PasswordOptions,
): Promise<SuppliedPassword | undefined> {
  const { file, fd, flags, env = {}, interrupt } = options
  if (file === '-') {
    const password = await upTo(bytesFrom(0, options), 'standard input')
    return { password, from: flags.file, once: true }
  }
  if (file !== undefined) return passwordIn(file, flags.file, interrupt)
  if (fd !== undefined)
    return { password: await fromDescriptor(fd, options), from: flags.fd, once: true }
  const named = env['SWAP_PASSWORD_FILE']
  if (named) return passwordIn(named, 'SWAP_PASSWORD_FILE', interrupt)
  const credentials = env['CREDENTIALS_DIRECTORY']
  const credential = credentials && join(credentials, 'swap-password')
  if (credential && !isAbsent(credential)) {
    const found = await passwordIn(credential, 'CREDENTIALS_DIRECTORY', interrupt)
    return { ...found, from: 'systemd' }
  }
  const plain = env['SWAP_PASSWORD']
  if (plain) return { password: copyOf(Buffer.from(plain)), from: 'SWAP_PASSWORD', once: false }
  return undefined
}

function isAbsent(path: string): boolean {
  try {
    accessSync(path)
    return false
  } catch (error) {
    return errorCode(error) === 'ENOENT'
  }
}

async function passwordIn(
  path: string,
  source: string,
  interrupt: AbortSignal | undefined,
): Promise<SuppliedPassword> {
  let opened: number
  try {
    opened = openForReading(path)
  } catch (error) {
    throw invalidRequest(`the file of ${source} cannot be read`, '', {
      // The path is not shown: it may be the password itself, passed by mistake.
      why: unreadableReason(errorCode(error)),
      hint: 'name a file that holds the password and nothing else',
    })
  }
  const info = fstatSync(opened)
  const stream = waitingStream(opened)
  try {
    checkPlace(path, info)
    const bytes = stream === undefined ? bytesOf(opened) : endedBy(interrupt, stream)
    return { password: await upTo(bytes, source), from: source, once: !info.isFile() }
  } finally {
    if (stream === undefined) closeSync(opened)
    else stream.destroy()
  }
}

/** Requires a file of this user or of root that others cannot read. Pipes such as `<(pass show x)` have no modes. */
function checkPlace(path: string, found: Stats): void {
  if (found.isFIFO() || found.isCharacterDevice() || !hasModes) return
  if (!found.isFile())
    throw new KeyfilePermissions(path, 'it is not a plain file', 'name a file with the password')
  if (isForeign(found))
    throw new KeyfilePermissions(path, 'it belongs to another user', 'use a file of your own')
  checkPrivate(path, found)
}

async function fromDescriptor(text: string, options: PasswordOptions): Promise<Buffer> {
  const flag = options.flags.fd
  if (!/^\d{1,6}$/.test(text) || Number(text) === 1 || Number(text) === 2)
    throw invalidRequest(`${flag} takes the number of an open descriptor`, '', {
      why: 'it is 0, or 3 and more',
      hint: `write e.g. ${flag} 3 3<file`,
    })
  try {
    return await upTo(bytesFrom(Number(text), options), flag)
  } catch (error) {
    if (error instanceof SwapError || errorCode(error) === undefined) throw error
    throw invalidRequest(`descriptor ${text} cannot be read`, '', {
      why: `the system says ${errorCode(error)}`,
      hint: `open it: ${flag} ${text} ${text}<file`,
    })
  }
}

/** The bytes of a descriptor, 0 being standard input. */
function bytesFrom(fd: number, { stdin, interrupt }: PasswordOptions): AsyncIterable<Buffer> {
  const stream = fd > 0 ? waitingStream(fd) : stdin
  if (stream === undefined) return bytesOf(fd)
  if (stream instanceof ReadStream && 'fd' in stream) return bytesOf(Number(stream.fd))
  return endedBy(interrupt, stream)
}

const readInto = promisify(read)

/** The bytes of a file, in one buffer: a stream would leave copies that cannot be wiped. */
async function* bytesOf(file: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(MOST + 3)
  const next = async () => (await readInto(file, buffer, 0, buffer.length, null)).bytesRead
  for (let count = await next(); count > 0; count = await next()) yield buffer.subarray(0, count)
}

/** The bytes of a stream, without one final line break. */
async function upTo(stream: AsyncIterable<Buffer | string>, source: string): Promise<Buffer> {
  const held = await secretBytes(MOST + 3, stream)
  if (held === undefined) throw tooLong(source)
  const password = copyOf(withoutBreak(held))
  wipe(held)
  if (password.length > MOST) throw tooLong(source)
  if (password.length === 0) throw unusable(source, 'there is nothing in it')
  if (!isUtf8(password)) throw unusable(source, 'it is not UTF-8')
  return password
}

function withoutBreak(bytes: Buffer): Buffer {
  if (bytes.at(-1) !== 10) return bytes
  return bytes.subarray(0, bytes.at(-2) === 13 ? -2 : -1)
}

const unusable = (source: string, why: string) =>
  invalidRequest(`the password of ${source} cannot be used`, '', {
    why,
    hint: 'give the password and nothing else, in UTF-8',
  })

const tooLong = (source: string) => unusable(source, `it is longer than ${MOST} bytes`)
