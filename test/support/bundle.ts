import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { closingLast } from './closing.js'

/**
 * A file of ours as one module, for processes that a test starts: from source each of them would be
 * transpiled again. It lies beside the packages until the end of the test file.
 *
 * @param threads entries of the threads that it starts, by the names of their built files
 * @returns its path
 */
export async function bundled(
  entry: string,
  threads: Readonly<Record<string, string>> = {},
): Promise<string> {
  const outdir = resolve(`node_modules/.cache/swap-bundle-${process.pid}-${(bundleCount += 1)}`)
  mkdirSync(outdir, { recursive: true })
  closingLast({ close: () => rmSync(outdir, { recursive: true, force: true }) })
  await build({
    entryPoints: { entry, ...threads },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  })
  return join(outdir, 'entry.js')
}

let bundleCount = 0
