import { MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import { InvalidChain } from '../rpc/faults.js'
import type { Source } from '../rpc/query-source.js'
import type { Question } from './questions.js'

/**
 * What came of a question: an answer, a refusal of the node's own application, or an answer that is
 * not what was asked for. `why` is for people.
 */
export type Reply<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'malformed'; readonly why: string }

/** Asks one question of a chain, as of one height. @throws NodeFault */
export type Ask = <T>(question: Question<T>) => Promise<Reply<T>>

/** What reading has cost so far. */
export type Cost = { queries: number; batches: number; bytes: number }

/** Questions of one call to the source, and calls at a time. */
const BATCH = 100
const ABREAST = 4

type Waiting = {
  readonly question: Question<unknown>
  readonly resolve: (reply: Reply<unknown>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Asks as of one height. Whatever is asked while others wait goes in one call together, so callers
 * ask one by one and pay for batches. A fault of the node ends the whole inquiry: nothing that was
 * read before it is served. What it takes is added to `cost`.
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
      for (const [at, { question, resolve }] of batch.entries()) {
        const answer = answers[at]!
        if (answer.ok) cost.bytes += answer.value.length
        resolve(answer.ok ? readBy(question, answer.value) : { kind: 'refused', why: answer.text })
      }
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
    // After everything that can still be asked now was asked.
    setImmediate(() => {
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

function readBy<T>(question: Question<T>, value: Uint8Array): Reply<T> {
  try {
    return { kind: 'answered', value: question.read(value) }
  } catch (error) {
    if (!(error instanceof MalformedDocument)) throw error
    return { kind: 'malformed', why: `${error.pointer} ${error.message}`.trim() }
  }
}

/** The value of an answer, or `undefined` for a refusal. @throws Unreadable */
export function answered<T>(reply: Reply<T>, what: string): T {
  if (reply.kind === 'answered') return reply.value
  throw new Unreadable(`${what} ${reply.kind === 'refused' ? 'was refused: ' : ''}${reply.why}`)
}

/** Something that a part of the market needs could not be had; ends at that part. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}
