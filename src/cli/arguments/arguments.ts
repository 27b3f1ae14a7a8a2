import type { SwapError } from '../../engine/errors.js'
import { invalidRequest } from '../invalid-request.js'

/** Refuses arguments that a command does not take. */
export function refuseMore(command: string, more: readonly string[]): void {
  if (more.length > 0) throw excess(command, more)
}

/** The error for arguments that a command does not take. */
export const excess = (command: string, more: readonly string[]): SwapError =>
  invalidRequest(`${command} does not take "${more[0]}"`, '', {
    why: `${more.length} argument${more.length > 1 ? 's are' : ' is'} left over`,
    hint: `see what it takes: swap help ${command}`,
    detail: `unexpected argument ${more[0]}`,
  })

/** Refuses a call that lacks something, showing the call. */
export const missing = (what: string, call: string): SwapError =>
  invalidRequest(`${what} is missing`, '', {
    why: `the call is ${call}`,
    hint: `see examples: swap help ${/^swap ((?:[a-z]+ ?)+)/.exec(call)?.[1]?.trim() ?? ''}`.trimEnd(),
    detail: `${what} is missing`,
  })
