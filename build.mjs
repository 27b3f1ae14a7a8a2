// Bundles src/ into dist/: a small entry, lazy chunks, a thread's entry, the signing process, the library's
// entries, the demo market, the manual pages and the licences of what is bundled.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { toCommonJs } from './packaging/common-js.mjs'
import { keepCompiledCode } from './packaging/compile.mjs'
import { buildLibrary } from './packaging/library.mjs'
import { bundledPackages, licenceText } from './packaging/licences.mjs'
import { mergeChunks, requireBanner } from './packaging/merge-chunks.mjs'
import { buildPage } from './packaging/page.mjs'
import {
  compressedWasm,
  lateUnicode,
  lazySchemas,
  lean,
  protobufModules,
} from './packaging/plugins.mjs'
import { shrink } from './packaging/shrink.mjs'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

const commit = () => {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    return execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], options).trim()
  } catch {
    return 'unknown'
  }
}

// Built beside the old one, which is replaced only by a whole one.
const draft = `dist.${process.pid}`
const chunks = `${draft}.chunks`
process.on('exit', () => {
  for (const folder of [draft, chunks]) rmSync(folder, { recursive: true, force: true })
})
/** The members of requests as a value: the command line starts without the library of schemas. */
const MEMBERS = 'src/operations/request-members.ts'
const valueOfMembers = {
  name: 'request-members',
  async setup({ onLoad }) {
    const outfile = `${chunks}/request-members.mjs`
    await build({ entryPoints: [MEMBERS], outfile, bundle: true, format: 'esm', platform: 'node' })
    const { requestMembers } = await import(`./${outfile}`)
    const contents = `export const requestMembers = ${JSON.stringify(requestMembers)}`
    onLoad({ filter: /request-members\.ts$/ }, () => ({ contents, loader: 'js' }))
  },
}

const options = {
  bundle: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  sourcemap: 'linked',
  // The notices are in dist/THIRD-PARTY-LICENSES.txt.
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [lean, lazySchemas, protobufModules, compressedWasm, lateUnicode, valueOfMembers],
  define: {
    // React is twice as large and slower with its checks for developers.
    'process.env.NODE_ENV': '"production"',
    // Set by other programs of the user, it would make pg load a package that is not there.
    'process.env.NODE_PG_FORCE_NATIVE': '""',
    'process.env.SWAP_BUILD_VERSION': JSON.stringify(version),
    'process.env.SWAP_BUILD_COMMIT': JSON.stringify(commit()),
  },
  logLevel: 'warning',
}
const program = await build({
  ...options,
  outdir: chunks,
  splitting: true,
  entryPoints: {
    main: 'src/main.ts',
    thread: 'src/compose/worker.ts',
    'demo-market': 'src/demo-chain/market/snapshot.ts',
    'demo-sides': 'src/compose/demo-sides.ts',
    'man-pages': 'src/cli/help/man/pages.ts',
    schemas: 'src/library/schemas.ts',
    'sqlite-thread': 'src/history/store/sqlite/thread.ts',
  },
})
// A start loads two files in place of 86, which took half of its time.
await mergeChunks(program.metafile, {
  from: chunks,
  to: draft,
  groups: {
    base: ['src/compose/cli.ts', 'src/cli/help/help.ts'],
    quote: ['src/compose/run-command.ts', 'src/cli/commands/route/run.ts'],
    'quote-text': ['src/cli/quotes/route/render-route.ts'],
    tools: ['src/mcp/reading-tools.ts'],
    mcp: ['src/cli/commands/mcp/run.ts', 'src/mcp/stdio.ts'],
  },
  // What is printed before anything else is loaded, and what the demo chain shares with tools.
  alone: ['src/main.ts', 'src/platform/encoding.ts'],
})
// One file, which starts 60 ms sooner than chunks do: a person waits for it.
const signer = await build({
  ...options,
  outdir: draft,
  banner: { js: requireBanner },
  entryPoints: { signer: 'src/wallet/signing/child.ts' },
})

const { schemas } = await import(`./${draft}/schemas.js`)
const library = await buildLibrary(`${draft}/library`, options, schemas)

const { demoSnapshot, DEMO_SEED } = await import(`./${draft}/demo-market.js`)
const { demoSides } = await import(`./${draft}/demo-sides.js`)
const demoMarket = { ...demoSnapshot(DEMO_SEED), sides: await demoSides() }
writeFileSync(`${draft}/demo-market.json`, JSON.stringify(demoMarket))

const { manPages } = await import(`./${draft}/man-pages.js`)
mkdirSync(`${draft}/man`)
for (const [file, text] of manPages(version)) writeFileSync(`${draft}/man/${file}`, text)

const page = await buildPage(`${draft}/page`)

const packages = bundledPackages([program.metafile, signer.metafile, library, page.metafile])
writeFileSync(`${draft}/THIRD-PARTY-LICENSES.txt`, licenceText(packages))

// Only the build reads these.
for (const entry of ['schemas', 'demo-sides', 'man-pages'])
  for (const end of ['js', 'js.map']) rmSync(`${draft}/${entry}.${end}`)
shrink(draft)
toCommonJs(draft)
rmSync('dist', { recursive: true, force: true })
renameSync(draft, 'dist')
// V8 keeps the paths of what it compiled.
keepCompiledCode('dist')
