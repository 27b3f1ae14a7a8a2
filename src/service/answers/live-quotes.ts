import { SwapError } from '../../engine/errors.js'
import { NeedsWorker } from '../../operations/context.js'
import { WEIGHTS } from '../../operations/operation.js'
import { httpProblemOf } from '../../operations/problem.js'
import { timeSlices } from '../guards/pressure.js'
import type { Pool } from '../workers/worker-pool.js'
import type { RequestContext } from './handler.js'
import type { ValidRequest } from './quote-service.js'

/** Whom a stream is for. */
export type QuoteClient = {
  /** Counts one quote of a heavy question. @throws SwapError RATE_LIMITED */
  chargeHeavy(): void
  isGone(): boolean
}

/** One stream. */
type StreamClient = QuoteClient & {
  /** Takes the event of a height. */
  send(height: number, event: string): void
}

/** An event as it is written, and the error that it reports. */
type QuoteEvent = {
  readonly height: number
  readonly text: string
  readonly error?: unknown
}

/** Quotes for streams. */
export type LiveQuotes = {
  /**
   * The event of the newest height; `undefined` when the client has gone before its turn came.
   *
   * @throws SwapError RATE_LIMITED
   */
  now(question: ValidRequest, client: QuoteClient): Promise<QuoteEvent | undefined>
  /**
   * Sends an event for each height from now on except `last`, the newest of several, and a problem where the
   * market of a height ceases to be quoted. @returns what ends it
   */
  follow(question: ValidRequest, follower: StreamClient, last: number): () => void
}

/** A height, and the code of the error for which nothing is quoted at it, if there is one. */
type FeedState = `${number} ${string}`

/** A question with the streams that follow it, and the state at which each was sent its last event. */
type SharedQuote = ValidRequest & {
  readonly followers: Map<StreamClient, FeedState>
  /** Computed on another thread, and counted as heavy. */
  isHeavy: boolean
  isBusy: boolean
}

/** Runs work one at a time, in the order in which it came. */
function serialQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}

/**
 * Quotes each question once a height, however many streams follow it. Light questions are computed here
 * in turns that let requests go first; heavy ones one at a time on a thread of the streams, so that
 * they never wait in one queue with requests. A question that comes too late for a height is quoted at
 * the next.
 */
export function liveQuotes({ feed, quotes, bug }: RequestContext, heavyPool: Pool): LiveQuotes {
  const subjects = new Map<string, SharedQuote>()
  const [light, heavy, turn] = [serialQueue(), serialQueue(), timeSlices()]

  const eventAt = async (subject: SharedQuote, run: Pool['run']): Promise<QuoteEvent> => {
    const { height } = feed.current() ?? quotes.market()
    try {
      const text = await quotes.textOf(quotes.market(), subject, () => {}, run)
      return { height, text: `id: ${height}\nevent: quote\ndata: ${text}\n\n` }
    } catch (error) {
      if (error instanceof NeedsWorker) throw error
      if (!(error instanceof SwapError)) bug(error)
      return problemAt(height, error)
    }
  }
  const quote = async (
    subject: SharedQuote,
    clients: readonly QuoteClient[],
  ): Promise<QuoteEvent | undefined> => {
    const event = async (run: Pool['run']) =>
      clients.every((each) => each.isGone()) ? undefined : eventAt(subject, run)
    // Waiting for the chain needs no thread, and has a limit of its own.
    if (subject.prepared.needsChain) return event(heavyPool.run)
    if (!subject.isHeavy)
      try {
        return await light(() => event(postpone).finally(turn))
      } catch (error) {
        if (!(error instanceof NeedsWorker)) throw error
        subject.isHeavy = true
      }
    return heavy(() => event(heavyPool.run))
  }
  const subjectOf = ({ operation, prepared }: ValidRequest): SharedQuote => ({
    operation,
    prepared,
    followers: new Map(),
    isHeavy: prepared.needsChain || prepared.weight >= WEIGHTS.heavy,
    isBusy: false,
  })

  const refusal = (): string => {
    try {
      quotes.market()
      return ''
    } catch (error) {
      return error instanceof SwapError ? error.code : ''
    }
  }
  /** Quotes until every follower has the newest height, or the reason why nothing is quoted at it. */
  const advance = async (subject: SharedQuote): Promise<void> => {
    if (subject.isBusy) return
    subject.isBusy = true
    try {
      for (;;) {
        const code = refusal()
        const due = dueClients(subject, feed.current()?.height, code)
        if (due.length === 0) return
        const event = await quote(subject, due)
        if (event !== undefined) for (const follower of due) deliver(subject, follower, event, code)
      }
    } catch (error) {
      bug(error)
    } finally {
      subject.isBusy = false
    }
  }

  return {
    async now(question, client) {
      const subject = subjects.get(keyOf(question)) ?? subjectOf(question)
      if (subject.isHeavy) client.chargeHeavy()
      return quote(subject, [client])
    },
    follow(question, follower, last) {
      const key = keyOf(question)
      let subject = subjects.get(key)
      if (subject === undefined) subjects.set(key, (subject = subjectOf(question)))
      const { followers } = subject
      followers.set(follower, `${last} `)
      const found = subject
      const unsubscribe = feed.subscribe(() => void advance(found))
      void advance(found)
      return () => {
        unsubscribe()
        followers.delete(follower)
        if (followers.size === 0 && subjects.get(key) === found) subjects.delete(key)
      }
    },
  }
}

const keyOf = ({ operation, prepared }: ValidRequest): string => `${operation.name} ${prepared.key}`

const postpone: Pool['run'] = () => Promise.reject(new NeedsWorker())

const problemAt = (height: number, error: unknown): QuoteEvent => ({
  height,
  text: `id: ${height}\nevent: problem\ndata: ${JSON.stringify(httpProblemOf(error, height))}\n\n`,
  error,
})

/** The followers that have not been sent this state; one beyond its rate is sent a problem instead. */
function dueClients(
  subject: SharedQuote,
  height: number | undefined,
  code: string,
): readonly StreamClient[] {
  if (height === undefined) return []
  const due = [...subject.followers]
    .filter(([follower, last]) => last !== `${height} ${code}` && !follower.isGone())
    .map(([follower]) => follower)
  if (!subject.isHeavy) return due
  return due.filter((follower) => {
    try {
      follower.chargeHeavy()
      return true
    } catch (error) {
      deliver(subject, follower, problemAt(height, error), code)
      return false
    }
  })
}

function deliver(
  subject: SharedQuote,
  follower: StreamClient,
  { height, text }: QuoteEvent,
  code: string,
): void {
  if (!subject.followers.has(follower)) return
  subject.followers.set(follower, `${height} ${code}`)
  follower.send(height, text)
}
