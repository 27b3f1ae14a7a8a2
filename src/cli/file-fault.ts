import { SwapError } from '../engine/errors.js'

/** Error codes of files that are missing or not accessible, which the user can fix. */
const CODES = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO'],
  ...['ENOTDIR', 'EISDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG', 'EMFILE', 'ENFILE'],
])

/** The error for an unusable file of the program; other errors are returned unchanged. */
export function fileFault(error: unknown): unknown {
  if (error instanceof SwapError || !(error instanceof Error)) return error
  const { code = '', syscall, path } = error as NodeJS.ErrnoException
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  if (!CODES.has(code) || syscall === undefined || (path === undefined && !isFull)) return error
  const { stack } = error
  const fault = new SwapError('NOT_READY', `${path ?? 'a file'} cannot be used`, {
    why: `the system says ${code} (${syscall})`,
    hint: isFull
      ? 'free some space, then run the command again'
      : 'see that it is yours and can be written; or keep files elsewhere: SWAP_HOME=/some/folder',
    members: path === undefined ? {} : { path },
  })
  return Object.assign(fault, { stack })
}

/** Writing to stdout failed for a reason other than a closed pipe: a full disk, a lost terminal. */
export class OutputFailed extends SwapError {
  /** @param reason the system's message, e.g. `ENOSPC: no space left on device, write` */
  constructor(reason: string) {
    super('NOT_READY', 'the output could not be written', {
      why: `stdout: ${reason}`,
      hint: 'free space there, or send the output elsewhere, then run it again if it only reads: a change may have been made',
    })
  }
}
