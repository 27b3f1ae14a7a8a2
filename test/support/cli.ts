import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { OutputStream } from '../../src/cli/output.js'
import { runCli } from '../../src/compose/cli.js'
import { closingLast } from './closing.js'
import { temporaryFolder } from './folder.js'
import { type Ended, folder } from './program.js'

export type { Ended }

/** Where a command line runs: its home folder and its environment. */
export type Place = {
  readonly home: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Standard input; empty without it. */
  readonly input?: string | AsyncIterable<Buffer>
  /** Whether standard output is a terminal, of 80 columns; standard error is none. */
  readonly isTerminal?: boolean
  /** What each write to standard output ends with. */
  readonly stdoutFault?: Error
}

/**
 * Runs a command line in this process, through the entry that `bin` calls: in a pipe, without a
 * terminal, with no environment but the one that is given. What a command leaves running is started
 * from the built program.
 */
export async function runIn(
  { home, env = {}, cwd = home, input = '', isTerminal = false, stdoutFault }: Place,
  argv: readonly string[],
): Promise<Ended> {
  const [stdout, stderr] = [collected(isTerminal, stdoutFault), collected(false)]
  const all = { PATH: process.env['PATH'], LANG: 'C.UTF-8', SWAP_HOME: home, HOME: home, ...env }
  const variables = Object.entries(all).map(([name, value]) => `${name}=${value}`)
  const status = await runCli(argv, {
    env: all,
    cwd,
    home,
    stdin: Readable.from(
      typeof input !== 'string' ? input : input === '' ? [] : [Buffer.from(input)],
    ),
    streams: { stdout: stdout.sink, stderr: stderr.sink, setExit: () => {} },
    self: ['env', '-i', ...variables, process.execPath, resolve('bin/swap.js')],
    isDetached: true,
  })
  return { status, stdout: stdout.text(), stderr: stderr.text() }
}

/** Runs a command line in this process as `runIn` does; without options, in a home that the tests of a file share. */
export function runSwap(
  argv: readonly string[],
  { env = {}, cwd = folder, input }: Omit<Partial<Place>, 'home'> = {},
): Promise<Ended> {
  const home = env['HOME'] ?? env['SWAP_HOME'] ?? folder
  return runIn({ home, env, cwd, ...(input !== undefined && { input }) }, argv)
}

/** The JSON text of a quote without the id under which the command line stores it. */
export const withoutQuoteId = (text: string): string =>
  text.replace(/^\{"quote_id":"q_[0-9a-f]{8}",/, '{')

/** A `swap` with its own home. Its demo chain is stopped after the tests of the file. */
export function freshHome(): {
  readonly home: string
  swap(...argv: readonly string[]): Promise<Ended>
} {
  const home = temporaryFolder()
  closingLast({ close: () => runIn({ home }, ['demo', 'stop']) })
  return { home, swap: (...argv) => runIn({ home }, argv) }
}

/** The document that a command has printed. */
export const jsonOf = ({ stdout }: Ended) => JSON.parse(stdout)

/** What a command has written to standard error, in one line. */
export const wordsOf = ({ stderr }: Ended): string => stderr.replace(/\s+/g, ' ')

/** Node's error for a full disk. */
export const diskFull = (): NodeJS.ErrnoException =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

/** Node's error for a pipe whose reader has closed it. */
export const readerLeft = (): NodeJS.ErrnoException =>
  Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })

function collected(isTTY: boolean, fault?: Error): { readonly sink: OutputStream; text(): string } {
  const texts: string[] = []
  return {
    sink: {
      ...(isTTY && { isTTY, columns: 80 }),
      write(text, done) {
        if (fault === undefined) texts.push(text)
        setImmediate(done, fault)
        return true
      },
      on: () => undefined,
    },
    text: () => texts.join(''),
  }
}
