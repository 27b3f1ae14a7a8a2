import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { loadedFiles } from '../../support/loaded-files.js'
import { swap } from '../../support/program.js'

/** The packages of which a run of the program loads code, by the source maps of the loaded files. */
function packagesOf(args: readonly string[]): ReadonlySet<string> {
  const loaded = loadedFiles()
  const { status, stderr } = swap(args, { env: { NODE_OPTIONS: `--import ${loaded.register}` } })
  assert.equal(status, 0, stderr)
  const maps = loaded
    .read()
    .map((path) => `${path}.map`)
    .filter((path) => existsSync(path))
  const sources = maps.flatMap(
    (path) => (JSON.parse(readFileSync(path, 'utf8')) as { sources: string[] }).sources,
  )
  return new Set(
    sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
  )
}

const drawing = ['ink', 'react', 'yoga-layout', '@inkjs/ui']

describe('a quote in a pipe', () => {
  for (const args of [
    ['route', '1.5', 'btc', 'rune'],
    ['route', '1.5', 'btc', 'rune', '--json'],
    ['sroute', '1.5', 'btc', 'rune', '-q'],
  ])
    test(`loads no code that draws tables or screens: ${args.join(' ')}`, () => {
      const loaded = packagesOf(args)
      assert.ok(loaded.has('chalk'), [...loaded].join())
      for (const name of [...drawing, 'cli-table3']) assert.ok(!loaded.has(name), name)
    })

  test('loads no library of schemas when the demo chain was saved', () => {
    const { faucet } = JSON.parse(swap(['demo', 'status', '--json']).stdout)
    assert.equal(swap(['demo', 'faucet', faucet.address]).status, 0)
    assert.ok(!packagesOf(['route', '1.5', 'btc', 'rune']).has('typebox'))
  })

  test('loads code that draws tables, and none of screens, with -o human', () => {
    const loaded = packagesOf(['route', '1.5', 'btc', 'rune', '-o', 'human'])
    assert.ok(loaded.has('cli-table3'))
    for (const name of drawing) assert.ok(!loaded.has(name), name)
  })
})
