import { lstat, readdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createFile, draftName, replaceFile, syncFolder } from '../../platform/atomic-file.js'
import { absent } from './folder.js'

/** Milliseconds after which no process is still writing a draft. */
const ABANDONED = 3_600_000

/**
 * Writes a file that must not exist yet: 0600 and complete from its first moment, on the disk before
 * this returns. Nothing is ever overwritten.
 *
 * @returns whether the name was free
 */
export const writeNew = async (path: string, bytes: Uint8Array): Promise<boolean> =>
  createFile(path, bytes, { isDurable: true })

/** Replaces a file in one step: after a crash it is the former one or the new one. */
export const replace = async (path: string, bytes: Uint8Array): Promise<void> =>
  replaceFile(path, bytes, { isDurable: true })

/** Removes a file durably. */
export async function remove(path: string): Promise<void> {
  await unlink(path)
  syncFolder(dirname(path))
}

/**
 * Finishes what a crash left: a draft that already has its name, which would otherwise look like a
 * file with two names, and abandoned drafts.
 */
export async function tidy(folder: string, now: number): Promise<void> {
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
