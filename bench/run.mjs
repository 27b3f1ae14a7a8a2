// Runs the benches one after the other: `npm run bench` all of them, `npm run bench -- route` one.
// Each is bundled as the program is: a loader of TypeScript names every closure when it is made, which takes a sixth
// of a split's time.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const folder = `dist.bench.${process.pid}`
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Threads and files are found beside the sources. */
const sourceUrls = {
  name: 'source-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const url = JSON.stringify(pathToFileURL(path).href)
      return {
        contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url),
        loader: 'ts',
      }
    })
  },
}

const wanted = process.argv.slice(2)
const benches = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.startsWith(word)))
for (const file of benches) {
  console.log(`\n== ${file} · node ${process.versions.node}`)
  const outfile = `${folder}/${file.replace(/ts$/, 'mjs')}`
  await build({
    ...{ entryPoints: [`bench/${file}`], outfile, bundle: true, packages: 'external' },
    ...{ format: 'esm', platform: 'node', target: 'node20', plugins: [sourceUrls] },
  })
  const { status } = spawnSync(process.execPath, [outfile], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = status ?? 1
}
