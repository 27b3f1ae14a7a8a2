// Bundles src/ into dist/: a small entry, lazy chunks, a thread's entry, the signing process, the demo
// market, the manual pages, the files of /docs and the licences of what is bundled.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { mergeChunks, requireBanner } from './build-merge.mjs'
import { bundledPackages, licenceText } from './licences.mjs'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

const commit = () => {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim()
  } catch {
    return 'unknown'
  }
}

/** Ink looks for a debugger that nobody ships; in its place stands nothing. */
const withoutDevtools = {
  name: 'without-devtools',
  setup(build) {
    const filter = /^react-devtools-core$/
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'nothing' }))
    build.onLoad({ filter, namespace: 'nothing' }, () => ({ contents: 'export default {}' }))
  },
}

// Built beside the old one, which is replaced only by a whole one.
const draft = `dist.${process.pid}`
const chunks = `${draft}.chunks`
process.on('exit', () => {
  for (const folder of [draft, chunks]) rmSync(folder, { recursive: true, force: true })
})
const options = {
  bundle: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  sourcemap: 'linked',
  legalComments: 'linked',
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [withoutDevtools],
  define: {
    // React is twice as large and slower with its checks for developers.
    'process.env.NODE_ENV': '"production"',
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
    'man-pages': 'src/cli/help/man/pages.ts',
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
  },
  // What is printed before anything else is loaded.
  alone: 'src/main.ts',
})
// One file, which starts 60 ms sooner than chunks do: a person waits for it.
const signer = await build({
  ...options,
  outdir: draft,
  banner: { js: requireBanner },
  entryPoints: { signer: 'src/wallet/signing/child.ts' },
})

const { demoSnapshot, DEMO_SEED } = await import(`./${draft}/demo-market.js`)
writeFileSync(`${draft}/demo-market.json`, JSON.stringify(demoSnapshot(DEMO_SEED)))

const { manPages } = await import(`./${draft}/man-pages.js`)
mkdirSync(`${draft}/man`)
for (const [file, text] of manPages(version)) writeFileSync(`${draft}/man/${file}`, text)

// What the page of the service's documentation loads, and its licence.
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'])
  cpSync(`node_modules/@fastify/swagger-ui/static/${file}`, `${draft}/docs/${file}`)
cpSync('node_modules/@fastify/swagger-ui/LICENSE', `${draft}/docs/LICENSE`)

const packages = bundledPackages(
  [program.metafile, signer.metafile],
  ['node_modules/@fastify/swagger-ui'],
)
writeFileSync(`${draft}/THIRD-PARTY-LICENSES.txt`, licenceText(packages))

rmSync('dist', { recursive: true, force: true })
renameSync(draft, 'dist')
