import { isUtf8 } from 'node:buffer'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { SwapError } from '../../engine/errors.js'
import { KeyfilePermissions, misuse } from '../errors.js'
import { copyOf, wipe } from '../secret.js'
import { codeOf, hasModes, modeOf } from '../store/folder.js'
import { MOST } from './rules.js'

/** Where a password may come from beside the keyboard. */
export type PasswordOptions = {
  /** `--password-file`; `-` is standard input. */
  readonly file?: string | undefined
  /** `--password-fd`. */
  readonly fd?: string | undefined
  /** The two flags as they are called here: a new password has flags of its own. */
  readonly flags: { readonly file: string; readonly fd: string }
  /** Variables that may name one; none where only the flags count. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly stdin: AsyncIterable<Buffer>
}

/** A password from a file, a descriptor or the environment. The caller wipes it. */
export type SuppliedPassword = {
  readonly password: Buffer
  /** Where it was found. */
  readonly from: string
  /** It came from a pipe: it cannot be read again. */
  readonly once: boolean
}

/**
 * The password that flags or variables give, the first that applies: file, descriptor,
 * `SWAP_PASSWORD_FILE`, systemd's credential, `SWAP_PASSWORD`. One line break at the end is dropped
 * and nothing else. `undefined` when nothing was said.
 *
 * @throws KeyfilePermissions for a file that others can read, SwapError INVALID_REQUEST
 */
export async function suppliedPassword({
  file,
  fd,
  flags,
  env = {},
  stdin,
}: PasswordOptions): Promise<SuppliedPassword | undefined> {
  if (file === '-')
    return { password: await streamed(stdin, 'standard input'), from: flags.file, once: true }
  if (file !== undefined) return fileOf(file, flags.file)
  if (fd !== undefined)
    return { password: await described(fd, flags.fd), from: flags.fd, once: true }
  const named = env['SWAP_PASSWORD_FILE']
  if (named) return fileOf(named, 'SWAP_PASSWORD_FILE')
  const credential = await credentialOf(env['CREDENTIALS_DIRECTORY'])
  if (credential) return { ...credential, from: 'systemd' }
  const plain = env['SWAP_PASSWORD']
  if (plain) return { password: copyOf(Buffer.from(plain)), from: 'SWAP_PASSWORD', once: false }
  return undefined
}

async function credentialOf(folder: string | undefined): Promise<Read | undefined> {
  if (!folder) return undefined
  const path = join(folder, 'swap-password')
  return secretIn(path, 'CREDENTIALS_DIRECTORY', false)
}

async function fileOf(path: string, source: string): Promise<SuppliedPassword> {
  return { ...((await secretIn(path, source, true)) as Read), from: source }
}

type Read = Pick<SuppliedPassword, 'password' | 'once'>

async function secretIn(path: string, source: string, needed: boolean): Promise<Read | undefined> {
  let handle: FileHandle
  try {
    handle = await open(path, constants.O_RDONLY)
  } catch (error) {
    if (!needed && codeOf(error) === 'ENOENT') return undefined
    throw misuse(`the file of ${source} cannot be read`, {
      // Not its name: people put the password itself there.
      why: `the system says ${codeOf(error) ?? 'nothing'}`,
      hint: 'name a file that holds the password and nothing else',
    })
  }
  try {
    const found = await handle.stat()
    checkPlace(path, found)
    return { password: await upTo(bytesOf(handle), source), once: !found.isFile() }
  } finally {
    await handle.close()
  }
}

/** Of us or of root, and closed to others; a pipe of a shell, as in `<(pass show x)`, has no modes. */
function checkPlace(path: string, found: Stats): void {
  if (found.isFIFO() || found.isCharacterDevice() || !hasModes) return
  if (!found.isFile())
    throw new KeyfilePermissions(path, 'it is not a plain file', 'name a file with the password')
  if (found.uid !== 0 && found.uid !== process.geteuid?.())
    throw new KeyfilePermissions(path, 'it belongs to another user', 'use a file of your own')
  if ((found.mode & 0o077) !== 0)
    throw new KeyfilePermissions(
      path,
      `its mode is ${modeOf(found)}: others than you can read it`,
      `chmod 600 ${path}`,
    )
}

async function described(text: string, flag: string): Promise<Buffer> {
  if (!/^\d{1,6}$/.test(text) || Number(text) === 1 || Number(text) === 2)
    throw misuse(`${flag} takes the number of an open descriptor`, {
      why: 'it is 0, or 3 and more',
      hint: `write e.g. ${flag} 3 3<file`,
    })
  const { read } = await import('node:fs')
  const next = (into: Buffer) =>
    new Promise<number>((resolve, reject) => {
      read(Number(text), into, 0, into.length, null, (error, count) =>
        error ? reject(error) : resolve(count),
      )
    })
  try {
    return await upTo(chunks(next), flag)
  } catch (error) {
    if (error instanceof SwapError || codeOf(error) === undefined) throw error
    throw misuse(`descriptor ${text} cannot be read`, {
      why: `the system says ${codeOf(error)}`,
      hint: `open it: ${flag} ${text} ${text}<file`,
    })
  }
}

const streamed = (stdin: AsyncIterable<Buffer>, source: string): Promise<Buffer> =>
  upTo(stdin, source)

const bytesOf = (handle: FileHandle): AsyncIterable<Buffer> =>
  chunks(async (into) => (await handle.read(into, 0, into.length)).bytesRead)

/**
 * What can be read, piece by piece, in a buffer of ours: a stream would leave copies behind that
 * that cannot be wiped.
 */
async function* chunks(next: (into: Buffer) => Promise<number>): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(MOST + 3)
  for (let count = await next(buffer); count > 0; count = await next(buffer))
    yield buffer.subarray(0, count)
}

/** A stream to its end, less one line break. Wipes its pieces. */
async function upTo(stream: AsyncIterable<Buffer | string>, source: string): Promise<Buffer> {
  const held = Buffer.alloc(MOST + 3)
  let length = 0
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (length + bytes.length > held.length) throw tooLong(source)
    bytes.copy(held, length)
    length += bytes.length
    wipe(bytes)
  }
  const password = copyOf(held.subarray(0, withoutBreak(held, length)))
  wipe(held)
  if (password.length > MOST) throw tooLong(source)
  if (password.length === 0) throw empty(source)
  if (!isUtf8(password)) throw notText(source)
  return password
}

function withoutBreak(bytes: Buffer, length: number): number {
  if (bytes[length - 1] !== 10) return length
  return bytes[length - 2] === 13 ? length - 2 : length - 1
}

const unusable = (source: string, why: string) =>
  misuse(`the password of ${source} cannot be used`, {
    why,
    hint: 'give the password and nothing else, in UTF-8',
  })

const tooLong = (source: string) => unusable(source, `it is longer than ${MOST} bytes`)
const empty = (source: string) => unusable(source, 'there is nothing in it')
const notText = (source: string) => unusable(source, 'it is not UTF-8')
