import type { MessagePort } from 'node:worker_threads'
import type { Contracts } from '../operations/chain-port.js'
import type { MarketView, OperationContext } from '../operations/context.js'
import { operationOf } from '../operations/operations.js'
import { deserializeMarket } from '../operations/serialized-market.js'
import {
  type ContractsCall,
  type ContractsReply,
  deserializeError,
  keepNewest,
  serializeError,
  type WorkerReply,
  type WorkerRequest,
} from './workers/worker-messages.js'

/** Answers requests from the serving thread with the operations of this program. */
export function serveWorkerRequests(port: MessagePort): void {
  const views = new Map<number, MarketView>()
  const relay = contractsRelay(port)
  // Reports that the worker has started.
  port.postMessage({ id: -1, text: '' } satisfies WorkerReply)
  port.on('message', async (message: WorkerRequest | ContractsReply) => {
    if ('ask' in message) relay.handle(message)
    else port.postMessage(await replyTo(message, views, relay))
  })
}

async function replyTo(
  { id, operation, request, height, serializedMarket, contracts }: WorkerRequest,
  views: Map<number, MarketView>,
  relay: ContractsRelay,
): Promise<WorkerReply> {
  try {
    if (serializedMarket !== undefined)
      keepNewest(views, height, deserializeMarket(serializedMarket))
    const view = views.get(height)
    if (view === undefined) throw new Error(`the thread has no market of height ${height}`)
    const { run } = operationOf(operation).prepare(request)
    const context: OperationContext = {
      openMarket: () => Promise.resolve(view),
      ...(contracts && { contracts: () => Promise.resolve(relay.contractsFor(id)) }),
    }
    return { id, text: JSON.stringify(await run(context)) }
  } catch (error) {
    return { id, ...serializeError(error) }
  }
}

type ContractsRelay = {
  /** The contracts, queried through the serving thread for the request of this id. */
  contractsFor(id: number): Contracts
  handle(reply: ContractsReply): void
}

/** Relays contract queries to the serving thread, which holds the connections. */
function contractsRelay(port: MessagePort): ContractsRelay {
  const waiting = new Map<number, (reply: ContractsReply) => void>()
  let asks = 0
  const send = <T>(id: number, call: ContractsCall, at: number): Promise<T> =>
    new Promise((resolve, reject) => {
      asks += 1
      const ask = asks
      waiting.set(ask, (reply) => {
        if ('answers' in reply) resolve(reply.answers as T)
        else reject(deserializeError(reply))
      })
      port.postMessage({ id, ask, at, ...call } satisfies WorkerReply)
    })
  return {
    contractsFor: (id) => ({
      simulations: (questions, at) => send(id, { method: 'simulations', questions }, at),
      ownerOrders: (questions, at) => send(id, { method: 'ownerOrders', questions }, at),
    }),
    handle(reply) {
      waiting.get(reply.ask)?.(reply)
      waiting.delete(reply.ask)
    },
  }
}
