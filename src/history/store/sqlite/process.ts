import { hostname } from 'node:os'
import { beginningOf } from '../../../platform/process-identity.js'

/** A process, told apart from a later one that got the same number. */
export type ProcessMark = {
  readonly pid: number
  readonly host: string
  /** When it started, as the system counts; empty where that cannot be read. */
  readonly start: string
}

export const thisProcess = (): ProcessMark => ({
  pid: process.pid,
  host: hostname(),
  start: beginningOf(process.pid) ?? '',
})

/** `elsewhere`: another machine's, of which nothing can be told from here. */
export function fateOf({ pid, host, start }: ProcessMark): 'alive' | 'dead' | 'elsewhere' {
  if (host !== hostname()) return 'elsewhere'
  const now = beginningOf(pid)
  return now !== undefined && (now === '' || start === '' || now === start) ? 'alive' : 'dead'
}
