import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printInterleaved } from './interleaved.js'

const home = mkdtempSync(join(tmpdir(), 'swap-bench-'))

const calls: readonly (readonly [string, readonly string[]])[] = [
  ['node -e 0', ['-e', '0']],
  ['swap --version', ['bin/swap.js', '--version']],
  ['swap --help', ['bin/swap.js', '--help']],
  ['swap help route', ['bin/swap.js', 'help', 'route']],
  ['swap route 1.5 btc rune', ['bin/swap.js', 'route', '1.5', 'btc', 'rune']],
  ['swap route 1.5 btc rune --json', ['bin/swap.js', 'route', '1.5', 'btc', 'rune', '--json']],
  ['swap route 0.01 btc rune -q', ['bin/swap.js', 'route', '0.01', 'btc', 'rune', '-q']],
  ['swap tokens', ['bin/swap.js', 'tokens']],
]

function milliseconds(args: readonly string[]): number {
  const start = performance.now()
  const { status } = spawnSync(process.execPath, args, {
    stdio: 'ignore',
    env: { ...process.env, SWAP_HOME: home },
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  return performance.now() - start
}

await printInterleaved(
  calls.map(([name, args]) => [name, () => milliseconds(args)]),
  'over node',
)
rmSync(home, { recursive: true, force: true })
