import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Ran, SqlValue } from './handle.js'
import type { Ask, Reply, ThreadOrder } from './messages.js'

/** A SQLite file that is open in a thread: a lock or a long read never holds up this one. */
export type SqlThread = {
  ask(sql: string, values: readonly SqlValue[]): Promise<Ran>
  close(): Promise<void>
}

type Waiting = {
  readonly settle: (reply: Reply) => void
  readonly fail: (error: Error) => void
}

/** @throws Error with SQLite's words when the file cannot be opened. */
export async function openThread(order: ThreadOrder): Promise<SqlThread> {
  const worker = startThread(order)
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

/** What comes and goes with a query is little; V8 would take tens of MiB for it in time. */
const resourceLimits = { maxYoungGenerationSizeMb: 2 }

/** The build lays the thread's entry beside the bundle; else it is run from source. */
function startThread(workerData: ThreadOrder): Worker {
  const options = { workerData, execArgv: [], resourceLimits }
  for (const place of ['../sqlite-thread.js', './sqlite-thread.js']) {
    const path = fileURLToPath(new URL(place, import.meta.url))
    if (existsSync(path)) return new Worker(path, options)
  }
  const source = JSON.stringify(new URL('./thread.ts', import.meta.url).href)
  const load = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import(${source}) })`
  return new Worker(load, { ...options, eval: true })
}
