import { invalidRequest, SwapError } from '../engine/errors.js'
import { exitStatusOf } from '../operations/problem.js'
import { remedies } from '../platform/atomic-file.js'

/** The status that a shell shows for SIGPIPE: the reader closed the pipe, as in `swap tokens | head -1`. */
export const exitClosedPipe = 141

/** The statuses that a shell shows for a signal: 128 plus its number. */
export const exitOfSignal = { SIGINT: 130, SIGTERM: 143 } as const

/** Keys that end a prompt. */
export type InterruptKey = 'ctrl-c' | 'ctrl-d'

/** What ends a command before anything was sent: a key, or a signal that did not come from the keyboard. */
export type InterruptCause = InterruptKey | 'SIGTERM' | 'SIGHUP'

/** Ctrl-c, ctrl-d at a prompt or a signal, before anything was sent, or anything that may have an effect. */
export class Interrupted extends SwapError {
  readonly by: InterruptCause

  /**
   * @param signed id of the intent whose transaction stays signed, if there is one
   * @param isSent whether another transaction may have been sent before
   */
  constructor(by: InterruptCause = 'ctrl-c', signed?: string, isSent = false) {
    const isKey = by === 'ctrl-c' || by === 'ctrl-d'
    const what = isKey ? `you pressed ${by}` : `${by} asked it to end`
    const unsigned = isSent ? 'nothing more was sent' : 'nothing was changed'
    const left = signed === undefined ? unsigned : 'what was signed was not sent'
    const sent = isSent ? 'see what was sent before: swap journal' : undefined
    const hint = signed === undefined ? sent : `send it after all: swap tx resume ${signed}`
    super('DECLINED', 'stopped', {
      why: `${what}; ${left}`,
      ...(hint !== undefined && { hint }),
    })
    this.by = by
  }
}

/** The exit status of any thrown value; everything but a `SwapError` is a bug. */
export const exitOfError = (error: unknown): number =>
  error instanceof Interrupted
    ? exitOfSignal.SIGINT
    : exitStatusOf(error instanceof SwapError ? error.code : 'INTERNAL')

/** Error codes of files that are missing or not accessible, which the user can fix. */
const CODES = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'ENOTDIR',
  'EISDIR',
  'EEXIST',
  'ELOOP',
  'ENAMETOOLONG',
  'EMFILE',
  'ENFILE',
  'EFBIG',
])

/** The error for an unusable file of the program; other errors are returned unchanged. */
export function fileFault(error: unknown): unknown {
  if (error instanceof SwapError || !(error instanceof Error)) return error
  const { code = '', syscall, path } = error as NodeJS.ErrnoException
  if (!CODES.has(code) || syscall === undefined) return error
  if (path === undefined && remedies[code] === undefined) return error
  const { stack } = error
  const fault = new SwapError('NOT_READY', `${path ?? 'a file'} cannot be used`, {
    why: `the system says ${code} (${syscall})`,
    hint:
      remedies[code] ??
      'see that it is yours and can be written; or keep files elsewhere: SWAP_HOME=/some/folder',
    members: path === undefined ? {} : { path },
  })
  return Object.assign(fault, { stack })
}

export const noCurrentFolder = (): SwapError =>
  invalidRequest('there is no current folder', '', {
    why: 'it was removed, or you may not read it',
    hint: { cli: 'change to a folder that exists, then run the command again', http: undefined },
  })

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
