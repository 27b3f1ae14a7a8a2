import { errorCode, SwapError } from '../../engine/errors.js'
import { makeFolder, remedies } from '../../platform/atomic-file.js'

/**
 * Creates a folder as `makeFolder` does.
 *
 * @param what describes the content, for the error
 * @throws SwapError NOT_READY
 */
export function ownFolder(what: string, folder: string): void {
  try {
    makeFolder(folder)
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
