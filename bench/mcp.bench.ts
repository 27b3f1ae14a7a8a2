// From the start of `swap mcp` to its first quote, beside the same quote on the command line, to its end.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { printInterleaved, type TimedCall } from './interleaved.js'

const home = mkdtempSync(join(tmpdir(), 'swap-bench-'))
const env = { ...process.env, SWAP_HOME: home }

const name = 'swap_route'
const quote = { input: { denom: 'btc-btc', amount: '150000000' }, output: { denom: 'rune' } }
const version = '2025-11-25'
const clientInfo = { name: 'bench', version: '0' }
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const eras: Readonly<Record<string, readonly object[]>> = {
  '2026-07-28': [{ id: 1, method: 'tools/call', params: { name, arguments: quote, _meta } }],
  [version]: [
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: version, capabilities: {}, clientInfo },
    },
    { method: 'notifications/initialized' },
    { id: 1, method: 'tools/call', params: { name, arguments: quote } },
  ],
}

/** Milliseconds of `swap route`, from its start to its end. */
function quoted(): number {
  const start = performance.now()
  const args = ['bin/swap.js', 'route', '1.5', 'btc', 'rune', '--json']
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore', env })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  return performance.now() - start
}

/** Milliseconds from the start of `swap mcp` to the answer with the id 1. */
async function answered(messages: readonly object[]): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, ['bin/swap.js', 'mcp'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env,
  })
  const ended = once(child, 'close')
  for (const message of messages)
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  for await (const line of createInterface(child.stdout)) {
    const { id, result } = JSON.parse(line)
    if (id !== 1) continue
    if (result?.structuredContent?.routes === undefined) throw new Error(`no quote: ${line}`)
    const ms = performance.now() - start
    child.stdin.end()
    await ended
    return ms
  }
  throw new Error('no answer')
}

await printInterleaved(
  [
    ['swap route 1.5 btc rune --json', quoted],
    ...Object.entries(eras).map(
      ([era, messages]): TimedCall => [`swap mcp, swap_route, ${era}`, () => answered(messages)],
    ),
  ],
  'over a quote',
)
rmSync(home, { recursive: true, force: true })
