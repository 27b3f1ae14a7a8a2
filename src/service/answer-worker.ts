import type { MessagePort } from 'node:worker_threads'
import { SwapError } from '../engine/errors.js'
import type { Contracts } from '../operations/chain-port.js'
import type { App, Venue } from '../operations/context.js'
import { stringify } from '../operations/json.js'
import { unpacked } from '../operations/serialized-market.js'
import { operationOf } from './routes/index.js'
import {
  errorOf,
  keep,
  type Question,
  type Reply,
  refusedOf,
  type Told,
} from './workers/messages.js'

/** Answers questions from the thread that serves, one after the other, with the same operations. */
export function answerQuestions(port: MessagePort): void {
  const venues = new Map<number, Venue>()
  const asking = askingThrough(port)
  // Of no question: a sign that it has begun.
  port.postMessage({ id: -1, text: '' } satisfies Reply)
  port.on('message', async (message: Question | Told) => {
    if ('ask' in message) asking.take(message)
    else port.postMessage(await replyTo(message, venues, asking))
  })
}

async function replyTo(
  { id, operation, request, height, parcel, contracts }: Question,
  venues: Map<number, Venue>,
  asking: Asking,
): Promise<Reply> {
  try {
    if (parcel !== undefined) keep(venues, height, unpacked(parcel))
    const venue = venues.get(height)
    if (venue === undefined) throw new Error(`the thread has no market of height ${height}`)
    const { run } = operationOf(operation).prepare(request)
    const app: App = {
      venue: () => Promise.resolve(venue),
      ...(contracts && { contracts: () => Promise.resolve(asking.contractsFor(id)) }),
    }
    return { id, text: stringify(await run(app)) }
  } catch (error) {
    if (error instanceof SwapError) return { id, refused: refusedOf(error) }
    return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

type Asking = {
  /** The contracts, asked by the other side for the question of this id. */
  contractsFor(id: number): Contracts
  take(told: Told): void
}

/** Asks the contracts through the thread that serves, which has the connections. */
function askingThrough(port: MessagePort): Asking {
  const waiting = new Map<number, (told: Told) => void>()
  let asks = 0
  return {
    contractsFor: (id) => ({
      simulations: (questions, at) =>
        new Promise((resolve, reject) => {
          const ask = (asks += 1)
          waiting.set(ask, (told) => {
            if ('answers' in told) resolve(told.answers)
            else reject('refused' in told ? errorOf(told.refused) : new Error(told.bug))
          })
          port.postMessage({ id, ask, questions, at } satisfies Reply)
        }),
    }),
    take(told) {
      waiting.get(told.ask)?.(told)
      waiting.delete(told.ask)
    },
  }
}
