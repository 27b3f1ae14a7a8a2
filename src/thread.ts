import { parentPort, workerData } from 'node:worker_threads'
import { readNewest } from './demo/process/newest.js'
import { answerQuestions } from './http/threads/thread.js'
import { graphOf } from './routing/graph.js'
import { decodeSnapshot } from './snapshot/decode.js'

/** What a thread of the program is for. */
export type Role =
  | { readonly role: 'answer' }
  /** Reads the demo chain's state file whenever it is asked for the newest block. */
  | { readonly role: 'read'; readonly path: string }

const port = parentPort
const role = workerData as Role | undefined
if (port && role?.role === 'answer')
  answerQuestions(port, (document) => {
    const market = decodeSnapshot(JSON.parse(document), 'the market')
    return { market, graph: graphOf(market) }
  })
if (port && role?.role === 'read') {
  const read = readNewest(role.path)
  port.on('message', (after: number | undefined) => {
    try {
      port.postMessage({ newest: read(after) })
    } catch (error) {
      port.postMessage({ error: error instanceof Error ? error.message : String(error) })
    }
  })
}
