import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'vitest'

type Manifest = {
  readonly engines: { readonly node: string }
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly license: string
  readonly files: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
}
type Package = { readonly name: string; readonly version: string }
type Locked = {
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly link?: boolean
  readonly resolved?: string
  readonly integrity?: string
}

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T
const manifest = read<Manifest>('package.json')
const { packages } = read<{ readonly packages: Record<string, Locked> }>('package-lock.json')
/** The packages of the lock file by their folder, the project itself left out. */
const locked = Object.entries(packages).filter(([path]) => path !== '')
/** Where a package comes from that does not say so. */
const REGISTRY = 'https://registry.npmjs.org/'

const textOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    .join('\n')

const imported = (text: string, name: string): boolean =>
  new RegExp(`(?:from|import)\\s*\\(?\\s*'${name}(/[^']*)?'`).test(text)

const source = textOf('src')

/** Packages that the owner chose, as far as their part of the program exists. */
const chosen = ['commander', 'chalk', 'cli-table3', 'bignumber.js', 'ink']

test("the owner's packages are used by the program and bundled into it", () => {
  const bundled = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8')
  for (const name of chosen) {
    const version = manifest.devDependencies[name]
    assert.ok(version, `${name} is not among the packages`)
    assert.ok(imported(source, name), `${name} is not used in src`)
    assert.ok(bundled.includes(`\n${name} ${version}\n`), `${name} is not in the bundle`)
  }
  assert.ok(manifest.devDependencies['vitest'])
})

test('every package is pinned to one version', () => {
  for (const [name, version] of Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
  }))
    assert.match(version, /^\d+\.\d+\.\d+$/, name)
})

test('an installation has no package but those that cannot be bundled', () => {
  // WebAssembly of its own beside its code.
  assert.deepEqual(Object.keys(manifest.dependencies), ['node-sqlite3-wasm'])
  for (const name of Object.keys(manifest.dependencies))
    assert.ok(imported(source, name), `${name} is not used in src`)
  const installed = locked.filter(([, { dev }]) => !dev).map(([path]) => path)
  assert.deepEqual(installed, ['node_modules/node-sqlite3-wasm'])
})

test('every locked package is one of the registry, with the hash of its content', () => {
  assert.ok(locked.length > 300)
  for (const [path, { link, resolved = REGISTRY, integrity = '' }] of locked) {
    assert.ok(link !== true && resolved.startsWith(REGISTRY), path)
    assert.match(integrity, /^sha512-[\w+/]{86}==$/, path)
  }
})

test('no runtime dependency has an install script', () => {
  const scripted = locked.filter(([, each]) => each.hasInstallScript && !each.dev)
  assert.deepEqual(scripted, [])
})

test('the bundle has the licence of every package in it', () => {
  const maps = readdirSync('dist', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('js.map'))
    .map((file) => read<{ readonly sources: readonly string[] }>(`dist/${file}`))
  const bundled = new Set(
    maps
      .flatMap(({ sources }) => sources)
      .flatMap(
        (path) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
      ),
  )
  const licences = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8')
  const named = new Set(licences.split('\n'))
  assert.ok(bundled.size > 50, `only ${bundled.size} packages were found in the source maps`)
  for (const folder of bundled) {
    // The source maps of some packages name files that are not installed.
    if (!existsSync(`${folder}/package.json`)) continue
    const { name, version } = read<Package>(`${folder}/package.json`)
    assert.ok(named.has(`${name} ${version}`), `the licence of ${name} ${version} is missing`)
  }
})

test('the package names its own licence', () => {
  assert.equal(manifest.license, 'MIT')
  assert.match(readFileSync('LICENSE', 'utf8'), /Copyright \(c\) \d{4} the swap authors/)
  for (const file of ['LICENSE', 'SECURITY.md', 'dist/THIRD-PARTY-LICENSES.txt'])
    assert.ok(manifest.files.includes(file), `${file} is not among the files of the package`)
})

test("installing builds the command's program", () => {
  assert.equal(manifest.scripts['prepare'], manifest.scripts['build'])
  assert.ok(existsSync(manifest.bin['swap']!))
})
