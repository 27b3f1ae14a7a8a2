import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Calls whose code is kept, with what they read. */
const CALLS = [
  [['--help']],
  [['route', '1.5', 'btc', 'rune', '--output', 'human']],
  [['sroute', '1.5', 'btc', 'rune', '--output', 'human']],
  [['tokens']],
  [['mcp'], mcpLines()],
]

/** Keeps the code that V8 compiles for usual calls of the program in `dist/code`. */
export function keepCompiledCode(dist) {
  // In the folder of the build: it may be on another file system than temporary files.
  const home = mkdtempSync(`${resolve(dist)}.home-`)
  try {
    for (const [args, input = ''] of CALLS) {
      // No configuration of the user decides what is built.
      const env = { PATH: process.env.PATH, SWAP_HOME: home }
      const options = { cwd: home, env, input, encoding: 'utf8' }
      const { status, stderr } = spawnSync(
        process.execPath,
        [resolve('bin/swap.js'), ...args],
        options,
      )
      if (status !== 0) throw new Error(`swap ${args.join(' ')} ended with ${status}: ${stderr}`)
    }
    const [installation] = readdirSync(join(home, 'cache/compiled'))
    renameSync(join(home, 'cache/compiled', installation), join(dist, 'code'))
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
