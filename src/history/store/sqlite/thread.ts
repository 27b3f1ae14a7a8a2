import { parentPort, workerData } from 'node:worker_threads'
import { errorText } from '../../../engine/errors.js'
import type { Ask, Reply, ThreadOrder } from './handle.js'
import { openHandle } from './open-handle.js'

const port = parentPort
const order = workerData as ThreadOrder

const send = (message: Reply): void => port?.postMessage(message)

const handle = openHandle(order)
port?.on('message', ({ id, sql, values = [], isLast }: Ask) => {
  try {
    if (isLast) handle.close()
    send(sql === undefined ? { id } : { id, ran: handle.run(sql, values) })
    if (isLast) port.close()
  } catch (error) {
    send({ id, error: errorText(error) })
  }
})
