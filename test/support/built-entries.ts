import { resolve } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { holdYoungBeside } from '../../src/platform/v8-settings.js'

// Replaces `src/platform/built-entry.ts` in tests: threads and processes run
// the built program. From source each of them would transpile its modules again, which takes seconds.

export function startThread(entry: string, _source: URL, options: WorkerOptions): Worker {
  const thread = new Worker(resolve('dist', entry), { ...options, execArgv: [] })
  holdYoungBeside(thread)
  return thread
}

export const entryArguments = (entry: string): readonly string[] => [resolve('dist', entry)]
