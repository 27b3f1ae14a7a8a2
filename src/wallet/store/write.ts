import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { link, lstat, open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { absent, codeOf, hasModes, syncFolder } from './folder.js'

/** A draft of a key file, until it is complete and has its name: `.main.json.3f….tmp`. */
const DRAFT = /^\.(.+)\.[0-9a-f]{16}\.tmp$/

/** Milliseconds after which nobody is still writing a draft. */
const ABANDONED = 3_600_000

/**
 * Writes a file that must not be there yet: 0600 from its first moment, complete before it has its
 * name, on the disk before this returns. Nothing is ever overwritten.
 *
 * @returns whether the name was free
 */
export async function writeNew(path: string, bytes: Uint8Array): Promise<boolean> {
  const draft = await writeDraft(path, bytes)
  try {
    await link(draft, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await unlink(draft)
    await syncFolder(dirname(path))
  }
  return true
}

/** Puts a file in the place of another in one step: after a crash it is the one or the other. */
export async function replace(path: string, bytes: Uint8Array): Promise<void> {
  const draft = await writeDraft(path, bytes)
  await rename(draft, path)
  await syncFolder(dirname(path))
}

/** Removes a file and makes that last. */
export async function remove(path: string): Promise<void> {
  await unlink(path)
  await syncFolder(dirname(path))
}

/**
 * Finishes what a crash left: a draft that already has its name, which would otherwise look like a
 * file with two names, and drafts that nobody is writing any more.
 */
export async function tidy(folder: string, now: number): Promise<void> {
  const names = (await readdir(folder).catch(absent)) ?? []
  for (const name of names) {
    const target = DRAFT.exec(name)?.[1]
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

async function writeDraft(path: string, bytes: Uint8Array): Promise<string> {
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`)
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants
  const handle = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    // A strict umask may have taken the owner's own bits away.
    if (hasModes) await handle.chmod(0o600)
    await handle.writeFile(bytes)
    await handle.sync()
  } catch (error) {
    await unlink(draft).catch(absent)
    throw error
  } finally {
    await handle.close()
  }
  return draft
}
