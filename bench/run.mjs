// Runs the benches one after the other: `npm run bench` all of them, `npm run bench -- route` one.
// They are bundled as the program is: a loader of TypeScript names every closure when it is made, which takes a sixth
// of a split's time.
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const folder = `dist.bench.${process.pid}`
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const wanted = process.argv.slice(2)
const benches = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)))
const bench = (name) => [name, `bench/${name}.ts`]
await build({
  entryPoints: {
    ...Object.fromEntries([...benches, 'serve/child'].map(bench)),
    // Threads are looked for beside what starts them, and above it.
    thread: 'src/compose/worker.ts',
    'sqlite-thread': 'src/history/store/sqlite/thread.ts',
  },
  outdir: folder,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
})
for (const name of benches) {
  console.log(`\n== ${name} · node ${process.versions.node}`)
  const { status } = spawnSync(process.execPath, [`${folder}/${name}.js`], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = status ?? 1
}
