import type { SwapError } from '../../engine/errors.js'
import type { Flag } from '../command.js'
import { invalidRequest } from '../invalid-request.js'

/** Refuses arguments that a command does not take. */
export function refuseMore(command: string, more: readonly string[]): void {
  if (more.length > 0) throw excess(command, more)
}

/** The error for arguments that a command does not take; one that its flags have as a value names the flag. */
export function excess(
  command: string,
  more: readonly string[],
  flags: readonly Flag[] = [],
): SwapError {
  const [word = ''] = more
  const taker = flags.find(
    ({ value }) => Array.isArray(value) && value.some(([choice]) => choice === word),
  )
  const [flag] = /--[a-z-]+/.exec(taker?.flags ?? '') ?? []
  const see = `see what it takes: swap help ${command}`
  return invalidRequest(`${command} does not take "${word}"`, '', {
    why: `${more.length} argument${more.length > 1 ? 's are' : ' is'} left over`,
    hint: flag === undefined ? see : `write ${flag} ${word}; ${see}`,
    detail: `unexpected argument ${word}`,
  })
}

/** Refuses a call that lacks something, showing the call. */
export const missing = (what: string, call: string): SwapError =>
  invalidRequest(`${what} is missing`, '', {
    why: `the call is ${call}`,
    hint: `see examples: swap help ${/^swap ((?:[a-z]+ ?)+)/.exec(call)?.[1]?.trim() ?? ''}`.trimEnd(),
    detail: `${what} is missing`,
  })
