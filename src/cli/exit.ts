import { SwapError } from '../engine/errors.js'
import { exitStatusOf } from '../operations/problem.js'

/** The status that a shell shows for SIGPIPE: the reader closed the pipe, as in `swap tokens | head -1`. */
export const exitClosedPipe = 141

/** The statuses that a shell shows for a signal: 128 plus its number. */
export const exitOfSignal = { SIGINT: 130, SIGTERM: 143 } as const

/** Keys that end a prompt. */
export type InterruptKey = 'ctrl-c' | 'ctrl-d'

/** Ctrl-c, ctrl-d at a prompt or a signal, before anything was sent. */
export class Interrupted extends SwapError {
  constructor(by: InterruptKey | 'SIGTERM' | 'SIGHUP' = 'ctrl-c') {
    const what = /^SIG/.test(by) ? `${by} asked it to end` : `you pressed ${by}`
    super('DECLINED', 'stopped', { why: `${what}; nothing was changed` })
  }
}

/** The exit status of any thrown value; everything but a `SwapError` is a bug. */
export const exitOfError = (error: unknown): number =>
  error instanceof Interrupted
    ? exitOfSignal.SIGINT
    : exitStatusOf(error instanceof SwapError ? error.code : 'INTERNAL')
