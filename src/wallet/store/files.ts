import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../engine/errors.js'
import { createFile, draftName, replaceFile, syncFolder } from '../../platform/atomic-file.js'
import { shellWord } from '../../platform/shell-word.js'
import { KeyfileInvalid, KeyfilePermissions } from '../errors.js'
import {
  decodeExternal,
  decodeKey,
  type ExternalDocument,
  InvalidKeyDocument,
  type KeyDocument,
} from '../keyfile/key-document.js'
import { absent, checkOwner, checkPrivate } from './folder.js'

/** Most bytes of a key file; real ones have some 700. */
export const FILE_BYTES = 16 * 1024

/**
 * Reads a key file after checking, on the open file, that only its owner can access it. `undefined` if it does not
 * exist.
 *
 * @throws KeyfilePermissions, KeyfileInvalid
 */
export async function readKeyFile(
  path: string,
): Promise<KeyDocument | ExternalDocument | undefined> {
  const bytes = await readSecretFile(path)
  if (bytes === undefined) return undefined
  try {
    return decodeExternal(bytes) ?? decodeKey(bytes)
  } catch (error) {
    if (error instanceof InvalidKeyDocument) throw new KeyfileInvalid(path, error.message)
    throw error
  }
}

/** The bytes of a small file that only its owner can read. `undefined` if it does not exist. */
async function readSecretFile(path: string): Promise<Buffer | undefined> {
  const handle = await openPlain(path)
  if (handle === undefined) return undefined
  try {
    const found = await handle.stat()
    checkFile(path, found)
    return await readAtMost(handle, path)
  } finally {
    await handle.close()
  }
}

/** Opens without following a link and without waiting for the other end of a pipe. */
async function openPlain(path: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  try {
    return await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ELOOP' || code === 'EMLINK')
      throw new KeyfilePermissions(path, 'it is a symbolic link', 'put the file itself there')
    if (code === 'EACCES' || code === 'EPERM')
      throw new KeyfilePermissions(path, 'you may not read it', `chmod 600 ${shellWord(path)}`)
    if (code === 'ENXIO') throw notPlain(path)
    return absent(error)
  }
}

const notPlain = (path: string): KeyfilePermissions =>
  new KeyfilePermissions(path, 'it is not a plain file', 'put the file itself there')

function checkFile(path: string, found: Stats): void {
  if (!found.isFile()) throw notPlain(path)
  checkOwner(path, found)
  checkPrivate(path, found)
  if (found.nlink !== 1)
    throw new KeyfilePermissions(
      path,
      `it has ${found.nlink} names: what is done to one is done to the others`,
      `find the others: find / -xdev -samefile ${shellWord(path)}`,
    )
}

async function readAtMost(handle: FileHandle, path: string): Promise<Buffer> {
  const buffer = Buffer.alloc(FILE_BYTES + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) return buffer.subarray(0, length)
    length += bytesRead
  }
  throw new KeyfileInvalid(path, `it is larger than ${FILE_BYTES} bytes`)
}

/** Milliseconds after which no process is still writing a draft. */
const ABANDONED = 3_600_000

/**
 * Creates a file with mode 0600 atomically and flushes it to disk. Never overwrites a file.
 *
 * @returns whether the name was free
 */
export const writeNew = async (path: string, bytes: Uint8Array): Promise<boolean> =>
  createFile(path, bytes, { isDurable: true })

/** Replaces a file atomically: after a crash it is the former one or the new one. */
export const replace = async (path: string, bytes: Uint8Array): Promise<void> =>
  replaceFile(path, bytes, { isDurable: true })

/** Removes a file durably. */
export async function remove(path: string): Promise<void> {
  await unlink(path)
  syncFolder(dirname(path))
}

/**
 * Cleans up after a crash: removes a draft that is already linked to its final name, which would otherwise look like a
 * file with two names, and abandoned drafts.
 */
export async function removeLeftovers(folder: string, now: number): Promise<void> {
  const names = (await readdir(folder).catch(absent)) ?? []
  for (const name of names) {
    const target = draftName.exec(name)?.[1]
    if (target === undefined) continue
    const draft = join(folder, name)
    const [left, kept] = await Promise.all(
      [draft, join(folder, target)].map((path) => lstat(path).catch(absent)),
    )
    const linked = left !== undefined && left.ino === kept?.ino && left.dev === kept.dev
    if (linked || (left !== undefined && now - left.mtimeMs > ABANDONED))
      await unlink(draft).catch(absent)
  }
}
