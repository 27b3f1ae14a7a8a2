import { SwapError } from '../engine/errors.js'

/** Codes of the system for files that are not where, or not as, the user may change them. */
const CODES = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO'],
  ...['ENOTDIR', 'EISDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG', 'EMFILE', 'ENFILE'],
])

/** The error of a file of the program that cannot be used; any other error as it is. */
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

/** stdout could not be written, for another reason than a reader that left: a full disk, a lost terminal. */
export class OutputFailed extends SwapError {
  /** @param reason what the system said, e.g. `ENOSPC: no space left on device, write` */
  constructor(reason: string) {
    super('NOT_READY', 'the output could not be written', {
      why: `stdout: ${reason}`,
      hint: 'free space there, or send the output elsewhere, then run the command again',
    })
  }
}
