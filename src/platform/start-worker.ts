import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { processId } from './process-identity.js'
import { holdYoungBeside } from './v8-settings.js'

/**
 * A thread of this program. The build lays its entry beside the bundle; else it is run from source,
 * where a loader is not taken over by a thread, so each one starts its own.
 *
 * @param entry name of the built file
 * @param source where it is in the source
 */
export function startThread(entry: string, source: URL, options: WorkerOptions): Worker {
  // Made here at the latest, so that all threads have the same one.
  processId()
  const thread = threadOf(entry, source, options)
  holdYoungBeside(thread)
  return thread
}

function threadOf(entry: string, source: URL, options: WorkerOptions): Worker {
  const own = { ...options, execArgv: [] }
  for (const place of [`../${entry}`, `./${entry}`]) {
    const path = fileURLToPath(new URL(place, import.meta.url))
    if (existsSync(path)) return new Worker(path, own)
  }
  const load = `import(${JSON.stringify(source.href)})`
  return new Worker(`import('tsx/esm/api').then((tsx) => { tsx.register(); return ${load} })`, {
    ...own,
    eval: true,
  })
}
