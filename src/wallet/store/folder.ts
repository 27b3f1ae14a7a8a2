import type { Stats } from 'node:fs'
import { lstat, mkdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { errorCode } from '../../engine/errors.js'
import { KeyfilePermissions } from '../errors.js'

/** Where key files lie, and the home folder up to which the folders above them are looked at. */
export type Store = {
  readonly folder: string
  readonly home: string | undefined
}

type Env = Readonly<Record<string, string | undefined>>

/** `SWAP_HOME`, else the XDG data folder, else below the home folder; `undefined` without one. */
export function keysFolder(env: Env, home: string | undefined): string | undefined {
  if (env['SWAP_HOME']) return join(env['SWAP_HOME'], 'keys')
  if (env['XDG_DATA_HOME']) return join(env['XDG_DATA_HOME'], 'swap', 'keys')
  if (process.platform === 'win32' && env['APPDATA']) return join(env['APPDATA'], 'swap', 'keys')
  return home === undefined ? undefined : join(home, '.local', 'share', 'swap', 'keys')
}

/** Windows has no such modes; its access lists are not looked at. */
export const hasModes = process.platform !== 'win32'

const STICKY = 0o1000

/** Makes the folder unless it is there, and checks it. */
export async function ensureFolder(store: Store): Promise<void> {
  await mkdir(store.folder, { recursive: true, mode: 0o700 })
  await checkFolder(store)
}

/**
 * Refuses a folder that others may read or write, that belongs to another user, or that lies in a
 * folder where others may put another in its place.
 *
 * @returns whether the folder is there at all
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
  if (hasModes && (found.mode & 0o077) !== 0)
    throw new KeyfilePermissions(
      folder,
      `its mode is ${modeOf(found)}: others than you can look inside`,
      `chmod 700 ${folder}`,
    )
  if (hasModes)
    await checkAbove(
      dirname(await realpath(folder)),
      home && (await realpath(home).catch(() => home)),
    )
  return true
}

/** The folders above, up to the home folder where there is one on the way, else up to the root. */
async function checkAbove(folder: string, home: string | undefined): Promise<void> {
  const found = await stat(folder)
  const others = (found.mode & 0o022) !== 0 && (found.mode & STICKY) === 0
  const stranger = found.uid !== 0 && found.uid !== process.geteuid?.()
  if (others)
    throw new KeyfilePermissions(
      folder,
      `its mode is ${modeOf(found)}: others can put another folder of keys in place of yours`,
      `chmod go-w ${folder}`,
    )
  if (stranger)
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
      `have it given to you: chown ${process.geteuid?.()} ${path}`,
    )
}

/** The mode as `chmod` takes it. */
export const modeOf = ({ mode }: Stats): string => (mode & 0o7777).toString(8).padStart(4, '0')

/** For `catch`: what is not there is `undefined`, anything else is thrown on. */
export function absent(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
  throw error
}
