// Keeps the code that V8 compiles for starts of the program in DIST/code.
// Each call adds the functions that it runs. As a child: node packaging/compile.mjs DIST HELPER [ARG...]
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { IMPORT_FILE } from './common-js.mjs'

const quote = ['route', '1.5', 'btc', 'rune']
/** Calls whose code is kept, with what they read. */
const CALLS = [
  [['--help']],
  [quote],
  [[...quote, '-q']],
  [[...quote, '--output', 'human']],
  [['sroute', '1.5', 'btc', 'rune', '--json']],
  [['tokens']],
  [['mcp'], mcpLines()],
]

/** Keeps the compiled code of the calls in `dist/code`. */
export async function keepCompiledCode(dist) {
  const home = mkdtempSync(join(tmpdir(), 'swap-build-'))
  const outfile = join(home, 'compiled-code.mjs')
  try {
    const entryPoints = ['src/platform/compiled-code.ts']
    await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node' })
    for (const [args, input = ''] of CALLS) {
      const { status, stderr } = spawnSync(
        process.execPath,
        [fileURLToPath(import.meta.url), resolve(dist), outfile, ...args],
        // No configuration of the user decides what is built.
        { cwd: home, env: { PATH: process.env.PATH, SWAP_HOME: home }, input, encoding: 'utf8' },
      )
      if (status !== 0) throw new Error(`swap ${args.join(' ')} ended with ${status}: ${stderr}`)
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function mcpLines() {
  const client = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'build', version: '1' },
  }
  const request = { input: { denom: 'btc-btc', amount: '10000000' }, output: { denom: 'rune' } }
  return [
    { id: 1, method: 'initialize', params: client },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'swap_route', arguments: request } },
  ]
    .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    .join('')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , dist, helper, ...args] = process.argv
  const { takeCompiledCode, compiledCodeFolder } = await import(pathToFileURL(helper))
  const folder = compiledCodeFolder(dist)
  const scripts = new Map()
  takeCompiledCode(dist, (name, script) => scripts.set(name, script))
  process.on('exit', () => {
    mkdirSync(folder, { recursive: true })
    for (const [name, script] of scripts)
      if (name !== IMPORT_FILE)
        writeFileSync(join(folder, `${name}.code`), script.createCachedData())
  })
  const { run } = createRequire(import.meta.url)(join(dist, 'main.cjs'))
  await run(args)
}
