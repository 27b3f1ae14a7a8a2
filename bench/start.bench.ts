import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const RUNS = 21
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

// Interleaved, so that a slow moment of the machine meets every call.
const times = calls.map(() => [] as number[])
for (let run = 0; run <= RUNS; run += 1)
  for (const [i, [, args]] of calls.entries()) {
    const time = milliseconds(args)
    if (run > 0) times[i]!.push(time)
  }
rmSync(home, { recursive: true, force: true })

const sorted = times.map((list) => list.sort((a, b) => a - b))
const floor = sorted[0]![RUNS >> 1]!
console.log('wall ms'.padEnd(36), '     min', '     p50', '     max', ' over node')
for (const [i, [name]] of calls.entries()) {
  const list = sorted[i]!
  const cells = [list[0]!, list[RUNS >> 1]!, list.at(-1)!].map((ms) => ms.toFixed(1).padStart(8))
  console.log(name.padEnd(36), ...cells, `+${(list[RUNS >> 1]! - floor).toFixed(1)}`.padStart(10))
}
