import { existsSync, readFileSync } from 'node:fs'

/**
 * When the process of a number began, as the system counts: with it a process cannot be mistaken for
 * another one which got its number later. `undefined` where there is none; empty where it is not told.
 */
export function beginningOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Somebody else's process is one as well.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return undefined
  }
  return process.platform === 'linux' ? fromProc(pid) : ''
}

/** Field 22 of `stat`, in ticks since the machine started; a process that only waits to be buried is gone. */
function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name in brackets, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : (fields[19] ?? '')
  } catch {
    // It ended a moment ago; or the system tells nobody.
    return existsSync('/proc/self/stat') ? undefined : ''
  }
}
