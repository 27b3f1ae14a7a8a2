import { resolve } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { holdYoungBeside } from '../../src/platform/v8-settings.js'

/**
 * Replaces `src/platform/start-worker.ts` in tests: threads run the built program. From source each thread
 * would transpile its modules again, which takes seconds.
 */
export function startThread(entry: string, _source: URL, options: WorkerOptions): Worker {
  const thread = new Worker(resolve('dist', entry), { ...options, execArgv: [] })
  holdYoungBeside(thread)
  return thread
}
