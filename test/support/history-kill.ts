import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { CHAIN, DECODER } from './history.js'
import type { ChildOrder } from './history-child.js'

/** The child program, built beside the packages that it loads. */
export async function buildChild(): Promise<{
  readonly path: string
  readonly remove: () => void
}> {
  const outdir = resolve(`node_modules/.cache/swap-history-${process.pid}`)
  mkdirSync(outdir, { recursive: true })
  await build({
    entryPoints: {
      child: 'test/support/history-child.ts',
      'sqlite-thread': 'src/history/store/sqlite/thread.ts',
    },
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // The same as in the program; a child that starts faster is also killed sooner.
    external: ['node-sqlite3-wasm', 'pg-native'],
    banner: {
      js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);",
    },
    logLevel: 'error',
  })
  return {
    path: join(outdir, 'child.js'),
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  }
}

export type Child = {
  readonly process: ChildProcess
  /** Settles with the rest of the n-th line with this prefix; undefined if the child ends before. */
  readonly nextLine: (word: string, nth?: number) => Promise<string | undefined>
  /** The rest of the last line so far with this prefix. */
  readonly last: (word: string) => string | undefined
  /** Settles when it has ended: with its exit code, undefined after a signal. */
  readonly ended: Promise<number | undefined>
  /** Everything that it wrote to stderr. */
  readonly complaints: () => string
}

export function startChild(
  path: string,
  order: Partial<ChildOrder> & Pick<ChildOrder, 'database'>,
): Child {
  const full = {
    work: 'index',
    chainId: CHAIN,
    decoder: DECODER,
    seed: 1,
    to: 100,
    batch: 1,
    restMs: 0,
  }
  const child = spawn(process.execPath, [path, JSON.stringify({ ...full, ...order })], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const listeners = new Set<() => void>()
  const complaints: string[] = []
  child.stderr.on('data', (data: Buffer) => complaints.push(data.toString()))
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const listener of listeners) listener()
  })
  const ended = new Promise<number | undefined>((settle) => {
    child.once('close', (code) => {
      for (const listener of listeners) listener()
      settle(code ?? undefined)
    })
  })
  const nextLine = (word: string, nth = 1): Promise<string | undefined> =>
    new Promise((settle) => {
      const look = (): void => {
        const line = lines.filter((text) => text.startsWith(word))[nth - 1]
        if (line === undefined && child.exitCode === null && child.signalCode === null) return
        listeners.delete(look)
        settle(line?.slice(word.length + 1))
      }
      listeners.add(look)
      look()
    })
  const last = (word: string): string | undefined =>
    lines.findLast((text) => text.startsWith(word))?.slice(word.length + 1)
  return { process: child, nextLine, last, ended, complaints: () => complaints.join('') }
}
