import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { folder } from '../support/program.js'

const running = new Set<ChildProcess>()

/** Stops the processes that a test left running. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

export type Serving = {
  readonly child: ChildProcess
  readonly url: string
  readonly log: string[]
  /** Stops it with a signal. @returns its exit status */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** The program, serving on a free port, once it has printed its URL. */
export const serving = (...more: readonly string[]): Promise<Serving> => servingWith({}, ...more)

/** The same with additional environment variables. */
export async function servingWith(
  env: Readonly<Record<string, string>>,
  ...more: readonly string[]
): Promise<Serving> {
  const child = spawn(
    process.execPath,
    ['bin/swap.js', 'serve', '--listen', '127.0.0.1:0', '--json', '--log', 'json', ...more],
    {
      env: { PATH: process.env['PATH'], SWAP_HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  running.add(child)
  const log: string[] = []
  createInterface(child.stderr).on('line', (line) => log.push(line))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    child,
    url: (JSON.parse(line) as { http: string }).http,
    log,
    async end(signal = 'SIGTERM') {
      const ended = once(child, 'close')
      child.kill(signal)
      const [status] = (await ended) as [number | null]
      return status
    },
  }
}

/** The resident memory of a process in MiB and the number of its open files. */
export function figuresOf(pid: number | undefined): {
  readonly mib: number
  readonly files: number
} {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
  return { mib: Number(kib) / 1024, files: readdirSync(`/proc/${pid}/fd`).length }
}
