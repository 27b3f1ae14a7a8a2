import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { processId } from './process-identity.js'
import { holdYoungBeside } from './v8-settings.js'

/** The path of an entry that the build laid beside the bundle; `undefined` where the program runs from source. */
const builtEntry = (name: string): string | undefined =>
  [`../${name}`, `./${name}`]
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(path))

/**
 * A thread of this program. From source each thread starts a loader of its own, since it does not take over that of
 * the main thread.
 *
 * @param entry name of the built file
 * @param source where it is in the source
 */
export function startThread(entry: string, source: URL, options: WorkerOptions): Worker {
  // Made here at the latest, so that all threads have the same one.
  processId()
  const own = { ...options, execArgv: [] }
  const built = builtEntry(entry)
  const load = `import(${JSON.stringify(source.href)})`
  const thread =
    built === undefined
      ? new Worker(`import('tsx/esm/api').then((tsx) => { tsx.register(); return ${load} })`, {
          ...own,
          eval: true,
        })
      : new Worker(built, own)
  holdYoungBeside(thread)
  return thread
}

/**
 * Arguments for `process.execPath` that run another entry of this program; from source through tsx.
 *
 * @param entry name of the built file
 * @param source where it is in the source
 */
export function entryArguments(entry: string, source: URL): readonly string[] {
  const built = builtEntry(entry)
  if (built !== undefined) return [built]
  const loader = createRequire(import.meta.url).resolve('tsx')
  return ['--import', pathToFileURL(loader).href, fileURLToPath(source)]
}
