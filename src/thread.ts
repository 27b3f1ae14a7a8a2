import { parentPort, workerData } from 'node:worker_threads'
import type { Watched } from './rim/feed/loop-watchdog.js'
import type { Subject } from './rim/feed/watching-thread.js'
import type { IndexTask } from './rim/history/thread.js'

/** What a thread of the program is for. Each loads what it needs and no more. */
export type Role =
  /** Computes what takes long. */
  | { readonly role: 'answer' }
  /** Reads the market, block by block. */
  | { readonly role: 'watch'; readonly subject: Subject }
  /** Fills the history. */
  | { readonly role: 'index'; readonly task: IndexTask }
  /** Ends the process when the thread that serves does not go on. */
  | { readonly role: 'guard'; readonly watched: Watched }

const port = parentPort
const role = workerData as Role | undefined
if (port !== null && role?.role === 'answer') {
  const { answerQuestions } = await import('./http/threads/thread.js')
  answerQuestions(port)
}
if (port !== null && role?.role === 'watch') {
  const { watchFor } = await import('./rim/feed/watching-thread.js')
  await watchFor(port, role.subject)
}
if (port !== null && role?.role === 'index') {
  const { indexFor } = await import('./rim/history/thread.js')
  await indexFor(port, role.task)
}
if (role?.role === 'guard') {
  const { guardLoop } = await import('./rim/feed/loop-watchdog.js')
  guardLoop(role.watched)
}
