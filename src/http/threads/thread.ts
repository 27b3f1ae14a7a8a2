import type { MessagePort } from 'node:worker_threads'
import type { Venue } from '../../app/app.js'
import { stringify } from '../../app/json.js'
import { SwapError } from '../../errors.js'
import { operationOf } from '../routes/index.js'
import { keep, type Question, type Reply, refusedOf } from './messages.js'

/** Answers questions from the thread that serves, one after the other, with the same operations. */
export function answerQuestions(port: MessagePort, read: (document: string) => Venue): void {
  const venues = new Map<number, Venue>()
  port.on('message', async (question: Question) => {
    port.postMessage(await replyTo(question, venues, read))
  })
}

async function replyTo(
  { id, operation, request, height, document }: Question,
  venues: Map<number, Venue>,
  read: (document: string) => Venue,
): Promise<Reply> {
  try {
    if (document !== undefined) keep(venues, height, read(document))
    const venue = venues.get(height)
    if (venue === undefined) throw new Error(`the thread has no market of height ${height}`)
    const { run } = operationOf(operation).prepare(request)
    return { id, text: stringify(await run({ venue: () => Promise.resolve(venue) })) }
  } catch (error) {
    if (error instanceof SwapError) return { id, refused: refusedOf(error) }
    return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
