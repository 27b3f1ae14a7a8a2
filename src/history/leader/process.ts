import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

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
  start: startOf(process.pid),
})

/** `elsewhere`: another machine's, of which nothing can be told from here. */
export function fateOf(mark: ProcessMark): 'alive' | 'dead' | 'elsewhere' {
  if (mark.host !== hostname()) return 'elsewhere'
  try {
    process.kill(mark.pid, 0)
  } catch (error) {
    // Another user's process answers EPERM, and lives.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead'
  }
  const start = startOf(mark.pid)
  return start !== '' && mark.start !== '' && start !== mark.start ? 'dead' : 'alive'
}

/** The 22nd field of Linux' `stat`: clock ticks from boot. The second may hold spaces, in brackets. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
