// Bundles src/ into dist/: a small entry, lazy chunks, a thread's entry, the demo market and the files of /docs.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

const commit = () => {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim()
  } catch {
    return 'unknown'
  }
}

rmSync('dist', { recursive: true, force: true })
await build({
  entryPoints: {
    main: 'src/main.ts',
    thread: 'src/thread.ts',
    'demo-market': 'src/demo/market/snapshot.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  sourcemap: 'linked',
  legalComments: 'linked',
  chunkNames: 'chunks/[name]-[hash]',
  define: {
    'process.env.SWAP_BUILD_VERSION': JSON.stringify(version),
    'process.env.SWAP_BUILD_COMMIT': JSON.stringify(commit()),
  },
  // CommonJS packages inside an ESM bundle still call require for Node's own modules.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  logLevel: 'warning',
})

const { demoSnapshot, DEMO_SEED } = await import('./dist/demo-market.js')
writeFileSync('dist/demo-market.json', JSON.stringify(demoSnapshot(DEMO_SEED)))

// What the page of the service's documentation loads, and its licence.
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'])
  cpSync(`node_modules/@fastify/swagger-ui/static/${file}`, `dist/docs/${file}`)
cpSync('node_modules/@fastify/swagger-ui/LICENSE', 'dist/docs/LICENSE')
