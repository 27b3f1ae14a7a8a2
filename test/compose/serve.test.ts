import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, test } from 'vitest'
import { serveChain } from '../../src/demo-chain/node/server.js'
import { chainOf } from '../support/chain.js'
import { temporaryFolder } from '../support/folder.js'
import { loadedFiles } from '../support/loaded-files.js'

/** Modules that create, open and use keys, and that build, store and send transactions. */
const signingModules =
  /src\/wallet\/(?!secret)|src\/execution\/|src\/compose\/execution\/|src\/cli\/commands\/(keys|execute|tx|resume|journal)\/(?!command)|src\/chain\/tx\/(broadcast|draft|sdk-json)/
const signingPackages =
  /@cosmjs\/(crypto|amino|proto-signing|stargate|cosmwasm)|@noble\/|@scure\/bip|bip39|libsodium/

/** Modules that a file imports, statically or dynamically, except type imports. */
const namedIn = (file: string): readonly string[] =>
  [
    ...readFileSync(file, 'utf8')
      .replace(/import type [^;]*?from '[^']+'/g, '')
      .matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g),
  ].map(([, name = '']) => name)

/** Every file that can be reached from some, with the packages that each names. */
function reach(entries: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const visit = (file: string): void => {
    if (found.has(file) || !existsSync(file)) return
    const names = namedIn(file)
    found.set(
      file,
      names.filter((name) => !name.startsWith('.')),
    )
    for (const name of names)
      if (name.startsWith('.'))
        visit(
          normalize(join(dirname(file), name))
            .replaceAll('\\', '/')
            .replace(/\.js$/, '.ts'),
        )
  }
  for (const entry of entries) visit(entry)
  return found
}

describe('the service', () => {
  const http = readdirSync('src/service', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/service/${file.replaceAll('\\', '/')}`)
  const found = reach([
    'src/compose/serve.ts',
    'src/compose/worker.ts',
    'src/cli/commands/serve/run.ts',
    ...http,
  ])

  test('reaches no source file that signs or sends', () => {
    assert.ok(found.size > 300, `${found.size}`)
    assert.deepEqual(
      [...found.keys()].filter((file) => signingModules.test(file)),
      [],
    )
  })

  test('reaches no package that signs, but where the demo chain plays its own inhabitants', () => {
    const signing = [...found].flatMap(([file, names]) =>
      names.some((name) => signingPackages.test(name)) ? [file] : [],
    )
    assert.deepEqual(
      signing.filter((file) => !file.startsWith('src/demo-chain/')),
      [],
    )
  })

  test('would be caught: the command line reaches all of it', () => {
    const all = reach(['src/compose/cli.ts'])
    assert.ok([...all.keys()].some((file) => file.startsWith('src/wallet/')))
    assert.ok([...all.keys()].some((file) => file === 'src/execution/sign.ts'))
    assert.ok([...all.values()].some((names) => names.some((name) => signingPackages.test(name))))
  })
})

describe('the service as it is built', () => {
  const home = temporaryFolder('serve')
  const closings: (() => unknown)[] = [() => rmSync(home, { recursive: true, force: true })]
  afterAll(async () => {
    for (const close of closings.reverse()) await close()
  })

  /** The sources of a chunk, from its map; a chunk that only re-exports another file has none. */
  const sourcesOf = (chunk: string): readonly string[] =>
    existsSync(`${chunk}.map`)
      ? (JSON.parse(readFileSync(`${chunk}.map`, 'utf8')) as { sources: string[] }).sources
      : []

  /** A chunk with everything it loads, statically or later, except the demo chain. */
  function closure(entry: string): readonly string[] {
    const chunks = new Set<string>()
    const visit = (file: string): void => {
      const isDemo =
        /^open-demo|^embedded-nodes/.test(basename(file)) ||
        sourcesOf(file).some((source) => source.includes('src/demo-chain/'))
      if (chunks.has(file) || isDemo) return
      chunks.add(file)
      // The merged files hold the command line, whose commands no thread imports: see the test above.
      const isMerged = /^(base|quote)\.cjs$/.test(basename(file))
      const names = isMerged
        ? /(?<!=>\{const c=)require\("(\.{1,2}\/[\w./-]+\.c?js)"\)/g
        : /["'`](\.{1,2}\/[\w./-]+\.c?js)["'`]/g
      for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(names)) {
        const path = join(dirname(file), name)
        // A chunk that is loaded later is named as the module that it was built from.
        for (const each of [path, path.replace(/\.js$/, '.cjs')]) if (existsSync(each)) visit(each)
      }
    }
    visit(entry)
    return [...chunks]
  }

  test('has no signing code in any file that it loads while it serves', async () => {
    const chain = chainOf({ life: false })
    const node = await serveChain(chain, { rpcPort: 0, restPort: 0 })
    closings.push(() => node.close())
    // Node itself logs the files that are loaded.
    const files = loadedFiles()
    const child = spawn(
      process.execPath,
      ['--import', files.register, 'bin/swap.js', 'serve', '--listen', '127.0.0.1:0', '-q'],
      {
        env: {
          PATH: process.env['PATH'],
          LANG: 'C.UTF-8',
          SWAP_HOME: home,
          SWAP_RPC: node.rpc,
          SWAP_REST: node.rest,
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    closings.push(() => child.kill('SIGKILL'))
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
    const body = { input: { denom: 'rune', amount: '100000000' }, output: { denom: 'btc-btc' } }
    const ask = (path: string, sent?: object) =>
      fetch(`${url}${path}`, {
        ...(sent && { method: 'POST', body: JSON.stringify(sent) }),
        headers: { 'content-type': 'application/json' },
      })
    let status = 503
    for (let tries = 0; tries < 400 && status === 503; tries += 1) {
      chain.makeBlock()
      status = (await ask('/swap/route', body)).status
    }
    assert.equal(status, 200)
    for (const path of ['/swap/sroute', '/swap/arbroute'])
      await ask(path, path.endsWith('arbroute') ? { input: body.input } : body)
    for (const path of [
      '/swap/tokens',
      '/swap/arbs',
      '/history',
      '/openapi.json',
      '/metrics',
      '/docs',
    ])
      await ask(path)

    const loaded = files.read().filter((file) => file.includes('/dist/'))
    assert.ok(loaded.some((file) => basename(file) === 'quote.cjs') && loaded.length > 20)
    // What its threads may load is taken whole: their entry with everything behind it.
    const threads = closure('dist/thread.js')
    const sources = new Set([...loaded, ...threads].flatMap(sourcesOf))
    assert.ok(sources.size > 100)
    const signing = [...sources].filter(
      (source) => signingModules.test(source) || signingPackages.test(source),
    )
    assert.deepEqual(signing, [])
  })
})
