import { SwapError } from '../../engine/errors.js'
import { NeedsWorker } from '../../operations/context.js'
import { WEIGHTS } from '../../operations/operation.js'
import { httpProblemOf } from '../../operations/problem.js'
import { keptWith } from '../../platform/memoize.js'
import { timeSlices } from '../guards/pressure.js'
import type { Pool } from '../workers/worker-pool.js'
import type { RequestContext } from './handler.js'
import type { ValidRequest } from './quote-service.js'

/** The client of a stream. */
export type QuoteClient = {
  /** Charges one heavy quote. @throws SwapError RATE_LIMITED */
  chargeHeavy(): void
  isGone(): boolean
}

/** A client with its open stream. */
type StreamClient = QuoteClient & {
  send(event: string): void
}

/** A serialized event, and the error that it reports. */
type QuoteEvent = {
  readonly height: number
  readonly text: string
  readonly error?: unknown
}

/** Quotes for streams. */
type LiveQuotes = {
  /**
   * The event of the newest height; `undefined` if the client disconnected while it was queued.
   *
   * @throws SwapError RATE_LIMITED, and NOT_READY before the first market
   */
  now(question: ValidRequest, client: QuoteClient): Promise<QuoteEvent | undefined>
  /**
   * Sends an event for each height after the `first` one; intermediate heights may be skipped. A problem is
   * sent when the market stops being quoted. @returns a function that ends it
   */
  follow(question: ValidRequest, follower: StreamClient, first: QuoteEvent): () => void
}

/** A height, and the code of the error that prevents quoting at it, if any. */
type FeedState = `${number} ${string}`

/** A quoted request with its streams, and the state of each stream's last event. */
type SharedQuote = ValidRequest & {
  readonly followers: Map<StreamClient, FeedState>
  /** Whether it is computed on a worker thread or by the chain, and charged at the heavy rate. */
  isHeavy: boolean
  /** Whether it waits for the chain, outside of the queues. */
  asksChain: boolean
  isBusy: boolean
}

/** Runs tasks one at a time in order of arrival. */
function serialQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}

/**
 * Quotes each distinct request once a height, whatever the number of streams. Light ones are computed on this
 * thread in time slices that give way to requests; heavy ones one at a time on the streams' own worker, so
 * that they never share a queue with requests. Heights that arrive during a quote are skipped up to the newest.
 */
export function liveQuotes({ feed, quotes, bug }: RequestContext, heavyPool: Pool): LiveQuotes {
  const subjects = new Map<string, SharedQuote>()
  const light = serialQueue()
  const heavy = serialQueue()
  const turn = timeSlices()

  const eventAt = async (subject: SharedQuote, run: Pool['run']): Promise<QuoteEvent> => {
    const { height } = feed.current() ?? quotes.market()
    const leaveQueue = () => {
      if (run !== postpone) return
      subject.asksChain = true
      throw new NeedsWorker()
    }
    try {
      const text = await quotes.textOf(quotes.market(), subject, leaveQueue, run)
      return { height, text: `id: ${height}\nevent: quote\ndata: ${text}\n\n` }
    } catch (error) {
      if (error instanceof NeedsWorker) throw error
      if (!(error instanceof SwapError)) bug(error)
      return problemAt(height, error)
    }
  }
  /** The event; `heavy` where the quote turns out to be heavy, for which its clients are charged first. */
  const quote = async (
    subject: SharedQuote,
    clients: readonly QuoteClient[],
  ): Promise<QuoteEvent | 'heavy' | undefined> => {
    const event = async (run: Pool['run']) =>
      clients.every((each) => each.isGone()) ? undefined : eventAt(subject, run)
    // Queries of the chain use no thread, and are limited separately.
    if (subject.asksChain) return event(heavyPool.run)
    if (subject.isHeavy) return heavy(() => event(heavyPool.run))
    try {
      return await light(() => event(postpone).finally(turn))
    } catch (error) {
      if (!(error instanceof NeedsWorker)) throw error
      subject.isHeavy = true
      return 'heavy'
    }
  }
  const subjectOf = keptWith(
    ({ operation, prepared }: ValidRequest): SharedQuote => ({
      operation,
      prepared,
      followers: new Map(),
      isHeavy: prepared.needsChain || prepared.weight >= WEIGHTS.heavy,
      asksChain: prepared.needsChain,
      isBusy: false,
    }),
  )

  const refusal = (): string => {
    try {
      quotes.market()
      return ''
    } catch (error) {
      return error instanceof SwapError ? error.code : ''
    }
  }
  /** Quotes until every stream has the newest height or the error at it. */
  const advance = async (subject: SharedQuote): Promise<void> => {
    if (subject.isBusy) return
    subject.isBusy = true
    try {
      for (;;) {
        const code = refusal()
        const due = dueClients(subject, feed.current()?.height, code)
        if (due.length === 0) return
        const event = await quote(subject, due)
        if (event === undefined || event === 'heavy') continue
        for (const follower of due) deliver(subject, follower, event, code)
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
      for (;;) {
        if (subject.isHeavy) client.chargeHeavy()
        const event = await quote(subject, [client])
        if (event !== 'heavy') return event
      }
    },
    follow(question, follower, first) {
      const key = keyOf(question)
      const subject = subjects.get(key) ?? subjectOf(question)
      subjects.set(key, subject)
      const { followers } = subject
      const code = refusal()
      const isRefusal = first.error instanceof SwapError && first.error.code === code
      followers.set(follower, `${first.height} ${isRefusal ? code : ''}`)
      const unsubscribe = feed.subscribe(() => void advance(subject))
      void advance(subject)
      return () => {
        unsubscribe()
        followers.delete(follower)
        if (followers.size === 0 && subjects.get(key) === subject) subjects.delete(key)
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

/** Streams that have not received this state; one over its rate gets a problem instead. */
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
  follower.send(text)
}
