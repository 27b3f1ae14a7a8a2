import { spawnSync } from 'node:child_process'
import { beginningOf } from '../../platform/process-identity.js'

/** A process that cannot be mistaken for another one which got its number later. */
export type Identity = {
  readonly pid: number
  /** When it began, as the system counts; empty where that cannot be known. */
  readonly began: string
}

/** The same as the machine tells; where it has no `/proc`, `ps` may know. */
function beganAt(pid: number): string | undefined {
  const began = beginningOf(pid)
  if (began !== '' || process.platform === 'linux' || process.platform === 'win32') return began
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return (stdout ?? '').trim()
}

let own: Identity | undefined

/** This process. */
export function self(): Identity {
  own ??= { pid: process.pid, began: beganAt(process.pid) ?? '' }
  return own
}

/** Whether it is still this process that runs under its number. */
export function isAlive({ pid, began }: Identity): boolean {
  const now = beganAt(pid)
  return now !== undefined && (now === '' || began === '' || now === began)
}

/** What a file says of a process, or `undefined` if it says nothing of the kind. */
export function identityIn(value: unknown): Identity | undefined {
  const { pid, began } = (value ?? {}) as Partial<Identity>
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return undefined
  return typeof began === 'string' ? { pid, began } : undefined
}
