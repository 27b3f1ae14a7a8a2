import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, test } from 'vitest'

const PAGE = 'docs/architecture.md'

/** The folders of src in the order of the page's table: a file imports from its own folder and from those before it. */
const order = [...readFileSync(PAGE, 'utf8').matchAll(/^\| `([\w-]+)(?:\/|\.ts)` \|/gm)].map(
  ([, folder = '']) => folder,
)

/** Imports that the order would allow but that are wrong. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  // The engine is the library: it depends on nothing outside itself.
  engine: ['platform'],
  wallet: ['operations', 'chain'],
  // The demo chain is another implementation of the contracts: sharing code would prove nothing.
  'demo-chain': ['operations', 'chain', 'wallet', 'history'],
  // The service never signs.
  service: ['execution', 'wallet', 'demo-chain', 'chain', 'config'],
  // Tools that sign are given to it by the command.
  mcp: ['execution', 'wallet', 'demo-chain', 'chain', 'config', 'history', 'render', 'platform'],
  // What programs import: the engine, documents and a reader of chains, which run in browsers.
  library: ['platform', 'wallet', 'history', 'demo-chain', 'execution', 'render', 'config', 'mcp'],
  render: ['demo-chain', 'wallet', 'chain'],
  // It runs in a browser.
  page: [
    'platform',
    'chain',
    'wallet',
    'history',
    'demo-chain',
    'execution',
    'config',
    'mcp',
    'service',
    'cli',
  ],
  compose: ['page'],
}

/** What the engine has nothing of: its functions depend on their arguments alone. */
const impure = /\bawait\b|\basync\b|\bDate\b|\bprocess\.|\bconsole\.|Math\.random|from 'node:/

/** Names that do not describe the contents of a folder. */
const banned = /^(lib|utils?|common|shared|helpers?|types|interfaces|services|models)$/

const LINES = 300
const FILES = 24

/** What the build starts from, or puts in the place of another file. */
const entries = [
  'main.ts',
  'compose/worker.ts',
  'compose/demo-sides.ts',
  'demo-chain/market/snapshot.ts',
  'cli/help/man/pages.ts',
  'history/store/sqlite/thread.ts',
  'wallet/signing/child.ts',
  ...['client', 'engine', 'splits', 'sizes', 'chain', 'schemas', 'web-encoding'].map(
    (name) => `library/${name}.ts`,
  ),
  'page/page.ts',
  'page/worker.ts',
]

const topOf = (path: string): string => path.split(/[/.]/)[0] ?? ''
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.replaceAll('\\', '/'))
const texts = new Map(files.map((file) => [file, readFileSync(`src/${file}`, 'utf8')]))

/** Files of tests, which are as short as those of `src`. */
const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => `test/${file.replaceAll('\\', '/')}`)

/** Modules that a file names, relative ones only, as paths below `src`. */
const importsOf = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) => {
    const module = normalize(join(dirname(file), path))
      .replaceAll('\\', '/')
      .replace(/\.js$/, '')
    return texts.has(`${module}.tsx`) ? `${module}.tsx` : `${module}.ts`
  })

const imports = new Map(files.map((file) => [file, importsOf(file, texts.get(file) ?? '')]))

/** Files that are imported from others, directly or not, with these. */
function reachableFrom(starts: readonly string[]): ReadonlySet<string> {
  const found = new Set(starts)
  for (const file of found) for (const path of imports.get(file) ?? []) found.add(path)
  return found
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

/** What the demo chain shares with the engine: the rules of venues, exact arithmetic and the error type. */
const sharedWithDemo = /^(demo-chain|platform)\/|^engine\/(market\/venues\/|math\/|errors\.ts$)/

describe('the layout of src', () => {
  test('every top-level folder has a place in the order', () => {
    assert.deepEqual(
      [...new Set(files.map(topOf))].filter((top) => !order.includes(top)),
      [],
      `add a row to the table of ${PAGE}`,
    )
  })

  test('imports run downwards', () => {
    const wrong = [...imports].flatMap(([file, paths]) =>
      paths.flatMap((path) => {
        const [from, to] = [topOf(file), topOf(path)]
        const isAllowed =
          from === to || (order.indexOf(to) < order.indexOf(from) && !forbidden[from]?.includes(to))
        return isAllowed ? [] : [`${file} imports ${path}`]
      }),
    )
    assert.deepEqual(
      wrong,
      [],
      `move what both need to a folder above both in ${PAGE}, or pass it as an argument (a port)`,
    )
  })

  test('no two folders import each other, at any level', () => {
    const edges = new Map<string, string>()
    for (const [file, paths] of imports)
      for (const path of paths) {
        const [from, to] = [file.split('/'), path.split('/')]
        let depth = 0
        while (depth < from.length && from[depth] === to[depth]) depth++
        if (depth >= from.length - 1 || depth >= to.length - 1) continue
        const [a, b] = [from, to].map((parts) => parts.slice(0, depth + 1).join('/'))
        edges.set(`${a} > ${b}`, `${file} > ${path}`)
      }
    const mutual = [...edges.keys()].filter((edge) => {
      const [a, b] = edge.split(' > ')
      return edges.has(`${b} > ${a}`)
    })
    assert.deepEqual(
      mutual.map((edge) => edges.get(edge)),
      [],
      'of each two lines that name the same folders, one import has to go',
    )
  })

  test('no file imports itself through others, types included', () => {
    const done = new Set<string>()
    const visit = (file: string, trail: readonly string[]): void => {
      assert.ok(!trail.includes(file), [...trail.slice(trail.indexOf(file)), file].join(' > '))
      if (done.has(file)) return
      for (const next of imports.get(file) ?? [])
        if (imports.has(next)) visit(next, [...trail, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
  })

  test('every file is reachable from an entry point', () => {
    const known = reachableFrom(entries)
    assert.deepEqual(
      files.filter((file) => !known.has(file)),
      [],
      'delete them, or import them; what the build alone starts is one of `entries` of this test',
    )
  })

  test('no code that signs is reachable from the service or from tools for agents', () => {
    const open = files.filter((file) => ['service', 'mcp'].includes(topOf(file)))
    const wrong = [...reachableFrom(open)].filter((file) => /^(wallet|execution)\//.test(file))
    assert.deepEqual(wrong, [])
  })

  test('files are short and have no default export', () => {
    const all = [...texts, ...tests.map((file) => [file, readFileSync(file, 'utf8')] as const)]
    for (const [file, text] of all) {
      assert.ok(text.split('\n').length <= LINES, `divide ${file}: ${LINES} lines or more`)
      assert.doesNotMatch(text, /^export default/m, `${file}: export a name`)
    }
  })

  test('files of one top-level folder have different names, apart from those that each command has', () => {
    const ofCommands = /^cli\/commands\/.*(command|run|render)\.tsx?$/
    const names = files
      .filter((file) => !ofCommands.test(file))
      .map((file) => `${topOf(file)}: ${basename(file)}`)
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
      'rename one of the two',
    )
  })

  test('folders have descriptive names and a bounded number of files', () => {
    const folders = new Map<string, number>()
    for (const file of files) {
      for (const part of dirname(file).split('/')) assert.doesNotMatch(part, banned, file)
      folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)
    }
    for (const [folder, count] of folders)
      assert.ok(count <= FILES, `divide ${folder}: it has ${count} files, at most ${FILES}`)
  })

  test('the engine has no clock, no I/O and nothing asynchronous', () => {
    for (const [file, text] of texts)
      if (file.startsWith('engine/')) assert.doesNotMatch(withoutComments(text), impure, file)
  })

  test('the demo chain shares only venues, math and errors with the engine', () => {
    for (const [file, paths] of imports)
      if (file.startsWith('demo-chain/'))
        for (const path of paths) assert.match(path, sharedWithDemo, file)
  })

  test('the rest of src imports only the entry file of the demo chain', () => {
    for (const [file, paths] of imports)
      if (!file.startsWith('demo-chain/'))
        for (const path of paths)
          if (path.startsWith('demo-chain/')) assert.equal(path, 'demo-chain/index.ts', file)
  })

  test('only network descriptions name a chain', () => {
    for (const [file, text] of texts)
      if (!/^(chain\/networks|demo-chain)\//.test(file))
        assert.doesNotMatch(
          withoutComments(text),
          /thorchain-1|demo-1|stagenet/,
          `${file}: what depends on the chain is a member of its network (chain/networks)`,
        )
  })
})
