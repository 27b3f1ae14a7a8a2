import { parentPort, workerData } from 'node:worker_threads'
import type { Ask, Handle, Reply, ThreadOrder } from './handle.js'
import { openHandle } from './open-handle.js'

const port = parentPort
const order = workerData as ThreadOrder

const send = (message: Reply): void => port?.postMessage(message)

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const answer = (handle: Handle, { id, sql, values = [] }: Ask): void => {
  try {
    if (sql === undefined) handle.close()
    send(sql === undefined ? { id } : { id, ran: handle.run(sql, values) })
    if (sql === undefined) port?.close()
  } catch (error) {
    send({ id, error: textOf(error) })
  }
}

try {
  const handle = openHandle(order)
  port?.on('message', (ask: Ask) => answer(handle, ask))
  send({ id: 0 })
} catch (error) {
  send({ id: 0, error: textOf(error) })
  port?.close()
}
