import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode, SwapError } from '../../engine/errors.js'
import { remedies, syncFolder } from '../../platform/atomic-file.js'

/**
 * Creates a folder that only its owner can read, with its parents, durably; does nothing if it exists.
 *
 * @param what describes the content, for the error
 * @throws SwapError NOT_READY
 */
export function ownFolder(what: string, folder: string): void {
  try {
    const path = resolve(folder)
    const first = mkdirSync(path, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    for (let made = path; made.length >= first.length; made = dirname(made))
      syncFolder(dirname(made))
  } catch (error) {
    throw storageFailure(what, folder, error)
  }
}

/** The NOT_READY error of a failed system call (disk full, read-only, no permission, no folder); others unchanged. */
export function storageFailure(what: string, folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  const code = errorCode(error) ?? 'nothing'
  const remedy = remedies[code] ?? 'see that the folder is yours and can be written'
  return new SwapError('NOT_READY', `${what} cannot be used`, {
    why: `the system says ${code} for ${folder}`,
    hint: `${remedy}; nothing is signed and sent without it`,
    members: { path: folder },
  })
}
