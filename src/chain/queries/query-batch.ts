import { MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import { InvalidChain, unlessFaulty } from '../rpc/faults.js'
import type { Answer, Source } from '../rpc/query-source.js'
import type { Question } from './questions.js'

/**
 * The result of a query: an answer, a refusal of the node's application, or a malformed answer. `why` is text for
 * messages.
 */
export type Reply<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'malformed'; readonly why: string }

/** Sends one query to a chain, as of one height. @throws NodeFault */
export type Ask = <T>(question: Question<T>) => Promise<Reply<T>>

/** The cost of reading so far. */
export type Cost = { queries: number; batches: number; bytes: number }

/** Queries of one call to the source, and concurrent calls. */
const BATCH = 100
const ABREAST = 4

type Waiting = {
  readonly question: Question<unknown>
  readonly resolve: (reply: Reply<unknown>) => void
  readonly reject: (error: unknown) => void
}
type Malformed = Waiting & { readonly reply: Reply<unknown> }

/**
 * Queries as of one height. Queries that arrive while others are pending are sent together in one call, so callers
 * need not batch them. After a fault of the node every query fails, including those that are pending. Adds to `cost`.
 */
export function queryBatch(
  source: Source,
  network: string,
  height: number,
  cost: Cost = { queries: 0, batches: 0, bytes: 0 },
): Ask {
  const waiting: Waiting[] = []
  let flying = 0
  let scheduled = false
  let failed: { readonly error: unknown } | undefined

  const fail = (error: unknown, batch: readonly Waiting[]): void => {
    failed ??= { error }
    for (const { reject } of [...batch, ...waiting.splice(0)]) reject(failed.error)
  }

  /** The contract may answer so, or the node may be faulty: then another one has an answer. */
  const resolveByOthers = async (malformed: readonly Malformed[]): Promise<void> => {
    const questions = malformed.map(({ question }) => question)
    const replies = await repliesOfEach(source, questions, height)
    for (const [at, { resolve, reply }] of malformed.entries())
      resolve(replies[at]!.find(({ kind }) => kind !== 'malformed') ?? reply)
  }

  const send = async (batch: readonly Waiting[]): Promise<void> => {
    flying += 1
    try {
      const questions = batch.map(({ question: { path, data } }) => ({ path, data }))
      cost.batches += 1
      cost.queries += questions.length
      const answers = await source.queries(questions, height)
      if (answers.length !== batch.length)
        throw new InvalidChain(
          network,
          `${answers.length} answers came for ${batch.length} questions`,
        )
      const malformed: Malformed[] = []
      for (const [at, each] of batch.entries()) {
        const answer = answers[at]!
        if (answer.ok) cost.bytes += answer.value.length
        const reply = replyOf(each.question, answer)
        if (reply.kind === 'malformed') malformed.push({ ...each, reply })
        else each.resolve(reply)
      }
      if (malformed.length > 0) await resolveByOthers(malformed)
    } catch (error) {
      fail(error, batch)
    } finally {
      flying -= 1
      flush()
    }
  }

  const flush = (): void => {
    while (waiting.length > 0 && flying < ABREAST) void send(waiting.splice(0, BATCH))
  }

  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    // Runs after the queries that are issued in this turn of the event loop; browsers have only the timer.
    const defer = globalThis.setImmediate ?? setTimeout
    defer(() => {
      scheduled = false
      flush()
    })
  }

  return <T>(question: Question<T>) =>
    new Promise<Reply<T>>((resolve, reject) => {
      if (failed !== undefined) return reject(failed.error)
      waiting.push({ question, resolve: resolve as Waiting['resolve'], reject })
      schedule()
    })
}

/** The replies of every node that answers, a list for each question; empty ones where no node does. */
export async function repliesOfEach<T>(
  source: Source,
  questions: readonly Question<T>[],
  height: number,
): Promise<readonly (readonly Reply<T>[])[]> {
  const queries = questions.map(({ path, data }) => ({ path, data }))
  const lists = (await unlessFaulty(() => source.queriesOfEach?.(queries, height))) ?? []
  return questions.map((question, at) => lists.map((answers) => replyOf(question, answers[at]!)))
}

/** An answer decoded, or why it cannot be. */
export function replyOf<T>(question: Question<T>, answer: Answer): Reply<T> {
  if (!answer.ok) return { kind: 'refused', why: answer.text }
  try {
    return { kind: 'answered', value: question.read(answer.value) }
  } catch (error) {
    if (!(error instanceof MalformedDocument)) throw error
    return { kind: 'malformed', why: `${error.pointer} ${error.message}`.trim() }
  }
}

/** The value of an answer. @throws Unreadable for a refusal or a malformed answer */
export function requireAnswer<T>(reply: Reply<T>, what: string): T {
  if (reply.kind === 'answered') return reply.value
  throw new Unreadable(`${what} ${reply.kind === 'refused' ? 'was refused: ' : ''}${reply.why}`)
}

/** Data of a part of the market is unavailable or malformed; the caller excludes that part. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Converts `Unreadable` to `InvalidChain`, for data without which there is no answer. */
export async function required<T>(network: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw new InvalidChain(network, error.message)
  }
}
