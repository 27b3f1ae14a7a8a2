import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** A process that cannot be mistaken for another one which got its number later. */
export type Identity = {
  readonly pid: number
  /** When it began, as the system counts; empty where that cannot be known. */
  readonly began: string
}

/** When the process of a number began, or `undefined` when there is none. */
function beginningOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Somebody else's process is one as well.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return undefined
  }
  if (process.platform === 'linux') return fromProc(pid)
  if (process.platform === 'win32') return ''
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return (stdout ?? '').trim()
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

let own: Identity | undefined

/** This process. */
export function self(): Identity {
  own ??= { pid: process.pid, began: beginningOf(process.pid) ?? '' }
  return own
}

/** Whether it is still this process that runs under its number. */
export function isAlive({ pid, began }: Identity): boolean {
  const now = beginningOf(pid)
  return now !== undefined && (now === '' || began === '' || now === began)
}

/** What a file says of a process, or `undefined` if it says nothing of the kind. */
export function identityIn(value: unknown): Identity | undefined {
  const { pid, began } = (value ?? {}) as Partial<Identity>
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return undefined
  return typeof began === 'string' ? { pid, began } : undefined
}
