import { parentPort, workerData } from 'node:worker_threads'
import type { Watchdog } from '../platform/loop-watchdog.js'
import type { WatchTarget } from './feed/watch-worker.js'
import type { IndexTask } from './history/index-worker.js'

/** The role of a thread. Each loads only what it needs. */
export type Role =
  /** Computes expensive answers. */
  | { readonly role: 'answer' }
  /** Reads the market block by block, and is the watchdog. */
  | {
      readonly role: 'watch'
      readonly target: WatchTarget
      readonly watchdog?: Watchdog | undefined
    }
  /** Fills the history. */
  | { readonly role: 'index'; readonly task: IndexTask }
  /** Ends the process when the serving thread is unresponsive. */
  | { readonly role: 'guard'; readonly watchdog: Watchdog }

const port = parentPort
const role = workerData as Role | undefined
if (port !== null && role?.role === 'answer') {
  const { serveWorkerRequests } = await import('../service/answer-worker.js')
  serveWorkerRequests(port)
}
if (port !== null && role?.role === 'watch') {
  if (role.watchdog !== undefined) await guard(role.watchdog).then((timer) => timer.unref())
  const { watchFor } = await import('./feed/watch-worker.js')
  await watchFor(port, role.target)
}
if (port !== null && role?.role === 'index') {
  const { indexFor } = await import('./history/index-worker.js')
  await indexFor(port, role.task)
}
if (role?.role === 'guard') await guard(role.watchdog)

async function guard(watchdog: Watchdog): Promise<NodeJS.Timeout> {
  const { guardLoop } = await import('../platform/loop-watchdog.js')
  return guardLoop(watchdog)
}
