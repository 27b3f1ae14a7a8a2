import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, test } from 'vitest'

/** Every folder under `src`, and the folders it may import from. Only `main.ts` sees them all. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  build: [],
  errors: [],
  machine: [],
  math: ['errors'],
  market: ['errors', 'math'],
  tx: ['market'],
  snapshot: ['errors', 'math', 'market'],
  routing: ['errors', 'math', 'market'],
  demo: ['errors', 'machine', 'math', 'market', 'snapshot'],
  arbitrage: ['errors', 'math', 'market', 'routing'],
  chain: ['errors', 'math', 'market', 'snapshot', 'tx'],
  app: ['errors', 'math', 'market', 'routing', 'arbitrage', 'tx'],
  render: ['errors', 'math', 'market', 'app'],
  config: ['errors', 'market', 'render', 'chain'],
  wallet: ['errors'],
  journal: ['errors', 'machine', 'app'],
  history: ['errors', 'machine', 'math', 'market', 'chain'],
  http: ['errors', 'app'],
  cli: [
    ...['build', 'errors', 'math', 'market', 'snapshot', 'app', 'render', 'config', 'http'],
    ...['wallet', 'journal', 'tx', 'machine'],
  ],
  rim: [
    ...['errors', 'math', 'market', 'routing', 'snapshot', 'chain', 'demo', 'tx'],
    ...['app', 'render', 'config', 'cli', 'http', 'wallet', 'journal', 'history', 'arbitrage'],
  ],
}

/** Folders whose functions depend on nothing but their arguments. */
const pure = ['math', 'market', 'routing', 'arbitrage', 'tx']
const impure = /\bawait\b|\basync\b|\bDate\b|\bprocess\.|\bconsole\.|Math\.random|from 'node:/

/** Names of folders where things go that nobody has thought about. */
const banned = /^(lib|utils?|common|shared|helpers?|types|interfaces|services|models)$/

/** The files that see everything: they fill the operations with what they need. */
const rim = ['main.ts', 'start.ts', 'perform.ts', 'serve.ts', 'thread.ts']

/** Data, which may be long. */
const data = ['demo/market/facts.ts', 'demo/market/assets.ts']

const LINES = 300
const FILES = 20

const topOf = (path: string): string => path.split(/[/.]/)[0] ?? ''
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'))

/** Modules that a file names, relative ones only, as paths below `src`. */
const importsOf = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

/** What the demo chain's contracts share with our quoting: else agreeing would prove nothing. */
const sharedWithContracts = /^market\/(venues\/[a-z-]+|fin-rules|market|pair|refusal|token)\.js$/

describe('the house', () => {
  for (const file of files) {
    const text = readFileSync(`src/${file}`, 'utf8')
    const top = topOf(file)
    if (!rim.includes(file))
      test(`${file} imports downwards`, () => {
        for (const path of importsOf(file, text)) {
          const target = topOf(path)
          const allowed = target === top || mayImport[top]?.includes(target)
          assert.ok(allowed, `${top} must not import ${target}`)
        }
      })
    test(`${file} stays short and has no default export`, () => {
      assert.ok(text.split('\n').length <= LINES || data.includes(file), `over ${LINES} lines`)
      assert.ok(!/^export default/m.test(text))
    })
    if (file.startsWith('demo/contracts/'))
      test(`${file} shares nothing with quoting but venues`, () => {
        for (const path of importsOf(file, text))
          if (topOf(path) === 'market')
            assert.match(path.replaceAll('\\', '/'), sharedWithContracts)
      })
    if (pure.includes(top))
      test(`${file} depends on nothing but its arguments`, () => {
        assert.doesNotMatch(withoutComments(text), impure)
      })
  }

  test('no file imports itself by way of others, not even for types', () => {
    const done = new Set<string>()
    const visit = (file: string, way: readonly string[]): void => {
      assert.ok(!way.includes(file), [...way.slice(way.indexOf(file)), file].join(' > '))
      if (done.has(file)) return
      for (const path of importsOf(file, readFileSync(`src/${file}`, 'utf8'))) {
        const target = path.replaceAll('\\', '/').replace(/\.js$/, '.ts')
        if (files.includes(target)) visit(target, [...way, file])
      }
      done.add(file)
    }
    for (const file of files) visit(file, [])
  })

  test('no folder is a drawer for everything, and none is overfull', () => {
    const folders = new Map<string, number>()
    for (const file of files) {
      for (const part of dirname(file).split('/')) assert.doesNotMatch(part, banned)
      folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)
    }
    for (const [folder, count] of folders) assert.ok(count <= FILES, `${folder} holds ${count}`)
  })

  test('every folder has a rule, and every rule a folder', () => {
    const found = new Set(files.map(topOf).filter((top) => !rim.includes(`${top}.ts`)))
    assert.deepEqual([...found].sort(), Object.keys(mayImport).sort())
  })

  test('no file imports itself in a circle', () => {
    const graph = new Map(
      files.map((file) => {
        const text = readFileSync(`src/${file}`, 'utf8').replace(
          /import type [^;]*?from '[^']+'/g,
          '',
        )
        const targets = importsOf(file, text).map((path) => path.replace(/\.js$/, '.ts'))
        return [file, targets] as const
      }),
    )
    const done = new Set<string>()
    const visit = (file: string, trail: readonly string[]): void => {
      assert.ok(!trail.includes(file), `${[...trail, file].join(' > ')}`)
      if (done.has(file)) return
      for (const next of graph.get(file) ?? []) visit(next, [...trail, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
  })

  test('only networks name a chain', () => {
    for (const file of files)
      if (!file.startsWith('chain/networks/') && !file.startsWith('demo/'))
        assert.doesNotMatch(
          withoutComments(readFileSync(`src/${file}`, 'utf8')),
          /thorchain-1|demo-1|stagenet/,
          file,
        )
  })
})
