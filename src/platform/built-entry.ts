import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { processId } from './process-identity.js'

/** The path of a built entry next to the bundle; `undefined` if the program runs from source. */
const builtEntry = (name: string): string | undefined =>
  [`../${name}`, `./${name}`]
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(path))

/**
 * Starts a thread of this program. From source each thread registers tsx itself, since threads do not inherit the
 * loader of the main thread.
 *
 * @param entry name of the built file
 * @param source URL of its source file
 */
export function startThread(entry: string, source: URL, options: WorkerOptions): Worker {
  // Creates the process id before the first thread, so that all threads share it.
  processId()
  // A thread would print its warnings as text between the lines of a log.
  const own = { ...options, execArgv: ['--no-warnings'] }
  const built = builtEntry(entry)
  const load = `import(${JSON.stringify(source.href)})`
  return built === undefined
    ? new Worker(`import('tsx/esm/api').then((tsx) => { tsx.register(); return ${load} })`, {
        ...own,
        eval: true,
      })
    : new Worker(built, own)
}

/**
 * Arguments for `process.execPath` that run another entry of this program; from source through tsx.
 *
 * @param entry name of the built file
 * @param source URL of its source file
 */
export function entryArguments(entry: string, source: URL): readonly string[] {
  const built = builtEntry(entry)
  if (built !== undefined) return [built]
  const loader = createRequire(import.meta.url).resolve('tsx')
  return ['--import', pathToFileURL(loader).href, fileURLToPath(source)]
}
