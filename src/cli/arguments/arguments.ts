import { SwapError } from '../../engine/errors.js'

/** Refuses arguments that a command does not take. */
export function refuseMore(command: string, more: readonly string[]): void {
  if (more.length === 0) return
  throw new SwapError('INVALID_REQUEST', `${command} does not take "${more[0]}"`, {
    why: `${more.length} argument${more.length > 1 ? 's are' : ' is'} left over`,
    hint: `see what it takes: swap help ${command}`,
    members: { errors: [{ pointer: '', detail: `unexpected argument ${more[0]}` }] },
  })
}

/** Refuses a call that lacks something, showing the call. */
export const missing = (what: string, call: string): SwapError =>
  new SwapError('INVALID_REQUEST', `${what} is missing`, {
    why: `the call is ${call}`,
    hint: `see examples: ${call.split(' ').slice(0, 2).join(' ').replace('swap ', 'swap help ')}`,
    members: { errors: [{ pointer: '', detail: `${what} is missing` }] },
  })
