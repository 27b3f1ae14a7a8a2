import { hostname } from 'node:os'
import { beginningOf } from '../../platform/process-identity.js'

/** A process that cannot be mistaken for another one which got its number later. */
export type Holder = {
  readonly pid: number
  /** When it began, as the system counts; empty where that is not told. */
  readonly began: string
  readonly host: string
}

/** A holder on another machine counts as gone when it has not touched its lock for so long. */
const SILENT_MS = 60_000

/** This process. */
export const thisProcess = (): Holder => ({
  pid: process.pid,
  began: beginningOf(process.pid) ?? '',
  host: hostname(),
})

/**
 * Whether a holder still runs. One of this machine is asked by its number, and by when it began
 * where that is told; of another machine only the last sign of life is known.
 *
 * @param silentMs since it touched its lock
 */
export function isAlive({ pid, began, host }: Holder, silentMs: number): boolean {
  if (host !== hostname()) return silentMs < SILENT_MS
  const now = beginningOf(pid)
  return now !== undefined && (now === '' || began === '' || now === began)
}

/** What a lock's file says of its holder, or `undefined` if it says nothing of the kind. */
export function holderIn(text: string): Holder | undefined {
  try {
    const { pid, began, host } = JSON.parse(text) as Partial<Holder>
    const isOne = Number.isInteger(pid) && typeof began === 'string' && typeof host === 'string'
    return isOne ? { pid: pid as number, began, host } : undefined
  } catch {
    return undefined
  }
}
