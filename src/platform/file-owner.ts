import { realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { attempt } from './attempt.js'

/** Windows has no such modes; its access lists are not checked. */
export const hasModes = process.platform !== 'win32'

/** The mode in octal, as for `chmod`. */
export const modeOf = ({ mode }: Stats): string => (mode & 0o7777).toString(8).padStart(4, '0')

/** Whether a path belongs to neither this user nor root. */
export const isForeign = ({ uid }: Stats): boolean => uid !== 0 && uid !== process.geteuid?.()

/** Whether others than its owner may read a file or look into a folder. */
export const isOpenToOthers = ({ mode }: Stats): boolean => hasModes && (mode & 0o077) !== 0

/** Whether others than its owner may write a file. */
export const isWritableByOthers = ({ mode }: Stats): boolean => (mode & 0o022) !== 0

/** The sticky bit: in such a folder only the owner of a file can replace it. */
const STICKY = 0o1000

/** Whether others than the owner of a folder may put other files in place of those inside. */
export const letsOthersReplace = (folder: Stats): boolean =>
  isWritableByOthers(folder) && (folder.mode & STICKY) === 0

/**
 * The path by which others can write files into a folder, or put another one in place of it: the folder or one above it;
 * `undefined` if they cannot.
 */
export const pathForOthers = (folder: string): string | undefined =>
  hasModes
    ? (changeablePath(folder) ?? changeablePath(attempt(() => realpathSync(folder)) ?? folder))
    : undefined

function changeablePath(folder: string): string | undefined {
  let isChanged = isWritableByOthers
  for (let path = resolve(folder); ; path = dirname(path)) {
    const stats = attempt(() => statSync(path))
    if (stats !== undefined) {
      if (isForeign(stats) || isChanged(stats)) return path
      isChanged = letsOthersReplace
    }
    if (path === dirname(path)) return undefined
  }
}
