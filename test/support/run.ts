import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Set-up of a test run (`globalSetup` of vitest): the system's temporary folder is one folder of the
 * run, for the tests and the programs that they start, and is removed at the end. Programs are built
 * once, when a source is newer than the build, or the build is that of another version of Node.
 */
export function setup({ config }: { readonly config: { readonly name?: string } }): () => void {
  if (config.name !== 'fast') buildOnce()
  return createRunFolder()
}

function createRunFolder(): () => void {
  if (process.env['SWAP_TEST_RUN'] !== undefined) return () => {}
  const { TMPDIR } = process.env
  const folder = mkdtempSync(join(tmpdir(), 'swap-run-'))
  process.env['TMPDIR'] = folder
  process.env['SWAP_TEST_RUN'] = folder
  return () => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
    delete process.env['SWAP_TEST_RUN']
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

let isBuilt = false

function buildOnce(): void {
  if (isBuilt) return
  isBuilt = true
  const { versions, arch } = process
  const isOfThisNode = existsSync(join('dist/code', `${versions.v8}-${arch}`))
  if (isOfThisNode && newestSource() <= statSync('dist/main.cjs').mtimeMs) return
  const { status } = spawnSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the build failed')
}

function newestSource(): number {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|json)$/.test(name))
    .map((name) => join('src', name))
  const packaging = readdirSync('packaging', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(mjs|ts)$/.test(name))
    .map((name) => join('packaging', name))
  const files = [...sources, ...packaging, 'build.mjs', 'package.json', 'package-lock.json']
  return Math.max(...files.map((file) => statSync(file).mtimeMs))
}
