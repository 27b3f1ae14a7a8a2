import { resolve } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { holdYoungBeside } from '../../src/platform/v8-settings.js'

/**
 * In place of `src/platform/start-worker.ts` in tests: threads run the program that the test run has
 * built. From source, each of them would transpile its modules again, which takes seconds.
 */
export function startThread(entry: string, _source: URL, options: WorkerOptions): Worker {
  const thread = new Worker(resolve('dist', entry), { ...options, execArgv: [] })
  holdYoungBeside(thread)
  return thread
}
