import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { errorCode } from '../engine/errors.js'
import { attempt } from './attempt.js'

/** A process, distinguishable from a later one with the same id. */
export type ProcessIdentity = {
  readonly pid: number
  readonly host: string
  /** Start time and boot id; empty if they cannot be read. */
  readonly startTime: string
  /** The namespace of the process id on Linux: containers may share the host's name. Empty if it cannot be read. */
  readonly namespace: string
}

/** `elsewhere`: a process of another machine or container, whose state cannot be read here. */
type ProcessStatus = 'running' | 'ended' | 'elsewhere'

let own: ProcessIdentity | undefined

export function thisProcess(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    host: hostname(),
    startTime: startTimeOf(process.pid) ?? '',
    namespace: attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '',
  }
  return own
}

/** Whether the process with this identity still runs, not only one with its id. */
export function processStatus({ pid, host, startTime, namespace }: ProcessIdentity): ProcessStatus {
  const here = thisProcess().namespace
  const isForeign = namespace !== '' && here !== '' && namespace !== here
  if (host !== hostname() || isForeign) return 'elsewhere'
  const now = startTimeOf(pid)
  const isSame = now !== undefined && (now === '' || startTime === '' || now === startTime)
  return isSame ? 'running' : 'ended'
}

export const isSameProcess = (
  one: ProcessIdentity | undefined,
  other: ProcessIdentity | undefined,
): boolean =>
  one?.pid === other?.pid && one?.host === other?.host && one?.startTime === other?.startTime

/** The process identity in a parsed file, or `undefined` if it holds none. */
export function identityIn(value: unknown): ProcessIdentity | undefined {
  const { pid, host, startTime, namespace } = (value ?? {}) as Partial<ProcessIdentity>
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return undefined
  if (typeof host !== 'string') return undefined
  const textOf = (member: unknown) => (typeof member === 'string' ? member : '')
  return { pid, host, startTime: textOf(startTime), namespace: textOf(namespace) }
}

/** @returns `undefined` if no such process runs, an empty text if its start time cannot be read */
function startTimeOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process runs and belongs to another user.
    if (errorCode(error) !== 'EPERM') return undefined
  }
  if (process.platform === 'linux') return startTimeFromProc(pid)
  if (process.platform === 'win32') return ''
  // Loaded lazily: not needed on Linux.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return (stdout ?? '').trim()
}

/** Field 22 of `stat`, in ticks since boot, and the boot id. A zombie counts as ended. */
function startTimeFromProc(pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // Either the process has just ended, or /proc is not mounted.
  if (stat === undefined) return existsSync('/proc/self/stat') ? undefined : ''
  // The second field is the name in parentheses, which may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  return fields[19] === undefined ? '' : `${fields[19]}${bootOf()}`
}

let boot: string | undefined

/** The boot id: process ids and ticks repeat after a reboot. */
function bootOf(): string {
  boot ??= attempt(() => ` ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`) ?? ''
  return boot
}

const KEY = 'swap process id'

/**
 * A random identifier of this process, unique among all machines and containers. A thread inherits it if it was created
 * before the thread started.
 */
export function processId(): string {
  // Loaded lazily: a quote locks files with the process id only.
  const { getEnvironmentData, setEnvironmentData } = process.getBuiltinModule('node:worker_threads')
  const known = getEnvironmentData(KEY)
  if (typeof known === 'string') return known
  const made = process.getBuiltinModule('node:crypto').randomUUID()
  setEnvironmentData(KEY, made)
  return made
}

/** 16 random hexadecimal digits. Loaded lazily: most commands write no file, and the module takes 5 ms. */
export const randomDigits = (): string =>
  process.getBuiltinModule('node:crypto').randomBytes(8).toString('hex')
