import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, test } from 'vitest'
import { temporaryFolder } from '../../support/folder.js'
import { built, swap } from '../../support/program.js'

beforeAll(built)

/** The packages of which a run of the program loads code, by the source maps of the loaded files. */
function packagesOf(args: readonly string[]): ReadonlySet<string> {
  const home = temporaryFolder()
  const [hooks, log] = [join(home, 'hooks.mjs'), join(home, 'loaded')]
  writeFileSync(
    hooks,
    `import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  appendFileSync(${JSON.stringify(log)}, url + '\\n')
  return next(url, context)
}
`,
  )
  // ES modules are seen by a hook, CommonJS files when the process ends.
  const register = `import module from 'node:module'
import { appendFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
module.register(${JSON.stringify(`${pathToFileURL(hooks)}`)})
process.on('exit', () => {
  const files = Object.keys(module._cache).map((file) => pathToFileURL(file) + '\\n')
  appendFileSync(${JSON.stringify(log)}, files.join(''))
})`
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(register)}` }
  assert.equal(swap(args, { env }).status, 0)
  const urls = readFileSync(log, 'utf8').split('\n')
  const maps = urls
    .filter((url) => url.startsWith('file:'))
    .map((url) => `${fileURLToPath(url)}.map`)
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

  test('loads code that draws tables, and none of screens, with -o human', () => {
    const loaded = packagesOf(['route', '1.5', 'btc', 'rune', '-o', 'human'])
    assert.ok(loaded.has('cli-table3'))
    for (const name of drawing) assert.ok(!loaded.has(name), name)
  })
})
