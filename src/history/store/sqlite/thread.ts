import { parentPort, workerData } from 'node:worker_threads'
import type { Handle } from './handle.js'
import type { Ask, Reply, ThreadOrder } from './messages.js'
import { openHandle } from './open-handle.js'

const port = parentPort
const order = workerData as ThreadOrder

const tell = (reply: Reply): void => port?.postMessage(reply)

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const answer = (handle: Handle, { id, sql, values = [] }: Ask): void => {
  try {
    if (sql === undefined) handle.close()
    tell(sql === undefined ? { id } : { id, ran: handle.run(sql, values) })
    if (sql === undefined) port?.close()
  } catch (error) {
    tell({ id, error: textOf(error) })
  }
}

try {
  const handle = openHandle(order)
  port?.on('message', (ask: Ask) => answer(handle, ask))
  tell({ id: 0 })
} catch (error) {
  tell({ id: 0, error: textOf(error) })
  port?.close()
}
