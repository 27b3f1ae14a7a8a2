import { parentPort, workerData } from 'node:worker_threads'
import type { Watched } from '../platform/loop-watchdog.js'
import type { Subject } from './feed/watch-worker.js'
import type { IndexTask } from './history/index-worker.js'

/** What a thread of the program is for. Each loads what it needs and no more. */
export type Role =
  /** Computes what takes long. */
  | { readonly role: 'answer' }
  /** Reads the market, block by block, and does what a guard does. */
  | { readonly role: 'watch'; readonly subject: Subject; readonly watched?: Watched | undefined }
  /** Fills the history. */
  | { readonly role: 'index'; readonly task: IndexTask }
  /** Ends the process when the thread that serves does not go on. */
  | { readonly role: 'guard'; readonly watched: Watched }

const port = parentPort
const role = workerData as Role | undefined
if (port !== null && role?.role === 'answer') {
  const { serveWorkerRequests: answerQuestions } = await import('../service/answer-worker.js')
  answerQuestions(port)
}
if (port !== null && role?.role === 'watch') {
  if (role.watched !== undefined) await guard(role.watched).then((timer) => timer.unref())
  const { watchFor } = await import('./feed/watch-worker.js')
  await watchFor(port, role.subject)
}
if (port !== null && role?.role === 'index') {
  const { indexFor } = await import('./history/index-worker.js')
  await indexFor(port, role.task)
}
if (role?.role === 'guard') await guard(role.watched)

async function guard(watched: Watched): Promise<NodeJS.Timeout> {
  const { guardLoop } = await import('../platform/loop-watchdog.js')
  return guardLoop(watched)
}
