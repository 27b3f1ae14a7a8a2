import { resolve } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

// Replaces `src/platform/built-entry.ts` in tests: threads and processes run
// the built program. From source each of them would transpile its modules again, which takes seconds.

export function startThread(entry: string, _source: URL, options: WorkerOptions): Worker {
  return new Worker(resolve('dist', entry), { ...options, execArgv: [] })
}

export const entryArguments = (entry: string): readonly string[] => [resolve('dist', entry)]
