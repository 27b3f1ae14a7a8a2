import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from './folder.js'

/** How one run of the built program ended. */
export type Ended = {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

const bin = resolve('bin/swap.js')
const home = temporaryFolder()

/** Builds the program unless it is there. */
export function built(): void {
  if (existsSync('dist/main.cjs')) return
  const { status } = spawnSync('npm', ['run', 'build'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the build failed')
}

/** Runs the built program in a pipe, with nothing of this process's environment but the path. */
export function swap(
  args: readonly string[],
  options: {
    readonly input?: string
    readonly env?: Record<string, string>
    readonly cwd?: string
  } = {},
): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    cwd: options.cwd ?? home,
    maxBuffer: 1 << 28,
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', SWAP_HOME: home, ...options.env },
    ...(options.input !== undefined && { input: options.input }),
  })
  return { status, stdout, stderr }
}

/** Runs a line of shell in which `swap` is the built program. */
export function shell(line: string): Ended {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', `swap() { "${process.execPath}" "${bin}" "$@"; }; ${line}`],
    {
      encoding: 'utf8',
      cwd: home,
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', SWAP_HOME: home },
    },
  )
  return { status, stdout, stderr }
}

/** A folder for files of tests, and the home of the program; empty at the start of every test file. */
export const folder = home

export function emptyFolder(): void {
  for (const name of readdirSync(folder))
    rmSync(join(folder, name), { recursive: true, force: true })
}
