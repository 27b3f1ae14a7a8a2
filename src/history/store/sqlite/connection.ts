import { startThread } from '../../../platform/start-worker.js'
import type { Ran, SqlValue } from './handle.js'
import type { Ask, Reply, ThreadOrder } from './messages.js'
import { openHandle } from './open-handle.js'

/** A SQLite file that is open. */
export type SqlConnection = {
  ask(sql: string, values: readonly SqlValue[]): Promise<Ran>
  close(): Promise<void>
}

type Waiting = {
  readonly settle: (reply: Reply) => void
  readonly fail: (error: Error) => void
}

/**
 * Opens a file on this thread, which locks and long reads block.
 *
 * @throws Error with SQLite's message if the file cannot be opened
 */
export async function openHere(order: ThreadOrder): Promise<SqlConnection> {
  const handle = openHandle(order)
  return {
    ask: async (sql, values) => handle.run(sql, values),
    close: async () => handle.close(),
  }
}

/**
 * Opens a file on a thread of its own, so that locks and long reads never block this one.
 *
 * @throws Error with SQLite's message if the file cannot be opened
 */
export async function openThread(order: ThreadOrder): Promise<SqlConnection> {
  const worker = startThread('sqlite-thread.js', new URL('./thread.ts', import.meta.url), {
    workerData: order,
  })
  const waiting = new Map<number, Waiting>()
  let last = 0
  const failAll = (error: Error): void => {
    for (const { fail } of waiting.values()) fail(error)
    waiting.clear()
  }
  worker.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.settle(reply)
    waiting.delete(reply.id)
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', failAll)
  worker.on('exit', () => failAll(new Error('unable to open: the database was closed')))
  const replyTo = (id: number): Promise<Ran> =>
    new Promise((resolve, reject) => {
      worker.ref()
      const settle = ({ ran = { rows: [], changes: 0 }, error }: Reply): void =>
        error === undefined ? resolve(ran) : reject(new Error(error))
      waiting.set(id, { settle, fail: reject })
    })
  const post = (ask: Omit<Ask, 'id'>): Promise<Ran> => {
    last += 1
    const reply = replyTo(last)
    worker.postMessage({ ...ask, id: last })
    return reply
  }
  await replyTo(0)
  return {
    ask: (sql, values) => post({ sql, values }),
    close: async () => {
      await post({})
      await worker.terminate()
    },
  }
}
