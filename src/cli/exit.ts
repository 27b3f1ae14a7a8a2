import { SwapError } from '../engine/errors.js'
import { exitStatusOf } from '../operations/problem.js'

/** The status that a shell shows for SIGPIPE: the reader closed the pipe, as in `swap tokens | head -1`. */
export const exitClosedPipe = 141

/** The statuses that a shell shows for a signal: 128 plus its number. */
export const exitOfSignal = { SIGINT: 130, SIGTERM: 143 } as const

/** Keys that end a prompt. */
export type InterruptKey = 'ctrl-c' | 'ctrl-d'

/** What ends a command before anything was sent: a key, or a signal that did not come from the keyboard. */
export type InterruptCause = InterruptKey | 'SIGTERM' | 'SIGHUP'

/** Ctrl-c, ctrl-d at a prompt or a signal, before anything was sent. */
export class Interrupted extends SwapError {
  /** @param signed id of the intent whose transaction stays signed, if there is one */
  constructor(by: InterruptCause = 'ctrl-c', signed?: string) {
    const isKey = by === 'ctrl-c' || by === 'ctrl-d'
    const what = isKey ? `you pressed ${by}` : `${by} asked it to end`
    const left = signed === undefined ? 'nothing was changed' : 'what was signed was not sent'
    super('DECLINED', 'stopped', {
      why: `${what}; ${left}`,
      ...(signed !== undefined && { hint: `send it after all: swap tx resume ${signed}` }),
    })
  }
}

/** The exit status of any thrown value; everything but a `SwapError` is a bug. */
export const exitOfError = (error: unknown): number =>
  error instanceof Interrupted
    ? exitOfSignal.SIGINT
    : exitStatusOf(error instanceof SwapError ? error.code : 'INTERNAL')
