import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { Sink } from '../../src/cli/output.js'
import { runCli } from '../../src/compose/cli.js'

/** How one run of the command line ended. */
export type Ended = {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Where a command line runs: a folder of its own, and the environment beside it. */
export type Place = {
  readonly home: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Standard input; empty without it. */
  readonly input?: string
}

/**
 * Runs a command line in this process, through the entry that `bin` calls: in a pipe, without a
 * terminal, with no environment but the one that is given. What a command leaves running is started
 * from the built program.
 */
export async function runIn(
  { home, env = {}, cwd = home, input = '' }: Place,
  argv: readonly string[],
): Promise<Ended> {
  const [stdout, stderr] = [collected(), collected()]
  const all = { PATH: process.env['PATH'], LANG: 'C.UTF-8', SWAP_HOME: home, HOME: home, ...env }
  const variables = Object.entries(all).map(([name, value]) => `${name}=${value}`)
  const status = await runCli(argv, {
    env: all,
    cwd,
    home,
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    streams: { stdout: stdout.sink, stderr: stderr.sink, setExit: () => {} },
    self: ['env', '-i', ...variables, process.execPath, resolve('bin/swap.js')],
    isDetached: true,
  })
  return { status, stdout: stdout.text(), stderr: stderr.text() }
}

/** A `swap` with a home of its own, and what removes that. */
export function freshHome(): {
  readonly home: string
  swap(...argv: readonly string[]): Promise<Ended>
  remove(): void
} {
  const home = mkdtempSync(join(tmpdir(), 'swap-test-'))
  return {
    home,
    swap: (...argv) => runIn({ home }, argv),
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

let shared: ReturnType<typeof freshHome> | undefined

/** Runs a command line in this process with a home that all tests of a file share. */
export function swap(...argv: readonly string[]): Promise<Ended> {
  if (shared === undefined) {
    const own = freshHome()
    process.once('exit', own.remove)
    shared = own
  }
  return shared.swap(...argv)
}

function collected(): { readonly sink: Sink; text(): string } {
  const texts: string[] = []
  return {
    sink: {
      write(text, done) {
        texts.push(text)
        setImmediate(done)
        return true
      },
      on: () => undefined,
    },
    text: () => texts.join(''),
  }
}
