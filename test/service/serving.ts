import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { folder } from '../support/program.js'

const running = new Set<ChildProcess>()

/** Ends what a test has left. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

export type Serving = {
  readonly child: ChildProcess
  readonly url: string
  readonly log: string[]
  /** Ends it with a signal. @returns its exit status */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** The program, serving at any free port, once it says where. */
export const serving = (...more: readonly string[]): Promise<Serving> => servingWith({}, ...more)

/** The same with more in its environment. */
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

/** What the system says of a process: its resident memory in MiB and its open files. */
export function figuresOf(pid: number | undefined): {
  readonly mib: number
  readonly files: number
} {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
  return { mib: Number(kib) / 1024, files: readdirSync(`/proc/${pid}/fd`).length }
}
