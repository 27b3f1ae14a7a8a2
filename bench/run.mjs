// Runs the benches one after the other: `npm run bench` all of them, `npm run bench -- route` one.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const wanted = process.argv.slice(2)
const benches = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.startsWith(word)))
for (const file of benches) {
  console.log(`\n== ${file} · node ${process.versions.node}`)
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', `bench/${file}`], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = status ?? 1
}
