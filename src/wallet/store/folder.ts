import type { Stats } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { errorCode } from '../../engine/errors.js'
import { makeFolder } from '../../platform/atomic-file.js'
import {
  hasModes,
  isForeign,
  isOpenToOthers,
  letsOthersReplace,
  modeOf,
} from '../../platform/file-owner.js'
import { shellWord } from '../../platform/shell-word.js'
import { KeyfilePermissions } from '../errors.js'

/** The folder of key files, and the home folder, up to which its parents are checked. */
export type Store = {
  readonly folder: string
  readonly home: string | undefined
}

/** Creates the folder if it does not exist, durably, and checks it. */
export async function ensureFolder(store: Store): Promise<void> {
  makeFolder(store.folder)
  await checkFolder(store)
}

/**
 * Refuses a folder that others may read or write, that belongs to another user, or that others may replace in its
 * parent folder.
 *
 * @returns whether the folder exists
 * @throws KeyfilePermissions
 */
export async function checkFolder({ folder, home }: Store): Promise<boolean> {
  const found = await lstat(folder).catch(absent)
  if (found === undefined) return false
  if (found.isSymbolicLink())
    throw new KeyfilePermissions(folder, 'it is a symbolic link', 'put a folder in its place')
  if (!found.isDirectory())
    throw new KeyfilePermissions(folder, 'it is not a folder', 'move it away')
  checkOwner(folder, found)
  if (isOpenToOthers(found))
    throw new KeyfilePermissions(
      folder,
      `its mode is ${modeOf(found)}: others than you can look inside`,
      `chmod 700 ${shellWord(folder)}`,
    )
  if (hasModes)
    await checkAbove(
      dirname(await realpath(folder)),
      home && (await realpath(home).catch(() => home)),
    )
  return true
}

/** Checks the parents, up to the home folder if it is one of them, otherwise up to the root. */
async function checkAbove(folder: string, home: string | undefined): Promise<void> {
  const found = await stat(folder)
  if (letsOthersReplace(found))
    throw new KeyfilePermissions(
      folder,
      `its mode is ${modeOf(found)}: others can put another folder of keys in place of yours`,
      `chmod go-w ${shellWord(folder)}`,
    )
  if (isForeign(found))
    throw new KeyfilePermissions(
      folder,
      'it belongs to another user, who can put another folder of keys in place of yours',
      'keep your keys in a folder of your own: SWAP_HOME=/some/folder',
    )
  const above = dirname(folder)
  const isHome = home !== undefined && relative(home, folder) === ''
  if (above !== folder && !isHome) await checkAbove(above, home)
}

/** Refuses a path that belongs to another user. */
export function checkOwner(path: string, { uid }: Stats): void {
  if (hasModes && uid !== process.geteuid?.())
    throw new KeyfilePermissions(
      path,
      'it belongs to another user',
      `have it given to you: chown ${process.geteuid?.()} ${shellWord(path)}`,
    )
}

/** Refuses a file that others than its owner can read. */
export function checkPrivate(path: string, found: Stats): void {
  if (isOpenToOthers(found))
    throw new KeyfilePermissions(
      path,
      `its mode is ${modeOf(found)}: others than you can read it`,
      `chmod 600 ${shellWord(path)}`,
    )
}

/** For `catch`: `undefined` for ENOENT; rethrows any other error. */
export function absent(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
  throw error
}
