import type { Venue } from '../../app/app.js'
import { type MarketFeed, type Served, servedOf, type Unready } from './market-feed.js'

/** A market that has just been read. */
export type Fresh = { readonly venue: Venue; readonly document: () => string }

/** Where new markets come from. */
export type MarketSource = {
  /** The market of the newest height, or `undefined` while that is still `after`. */
  read(after: number | undefined, signal: AbortSignal): Promise<Fresh | undefined>
  /** Calls back when there may be a new height. A hint: nothing depends on it. @returns what ends it */
  hints?(listener: () => void): () => void
  close?(): Promise<void>
}

export type Polling = {
  /** Milliseconds between two looks. */
  readonly every: number
  /** Milliseconds after which a market is too old. */
  readonly maxAge: number
  /** Told what went wrong; the next look comes all the same. */
  readonly failed?: (error: unknown) => void
  /** Told of every height that is served from now on, with how long reading it took. */
  readonly arrived?: (served: Served, tookMs: number) => void
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

/** The first pause after a failure and the longest one, in milliseconds; in between they double. */
const PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/**
 * Looks at a source again and again. A new height replaces the served one by a single assignment, and
 * a lower one never does. After failures the pauses grow, with full jitter.
 */
export function pollingFeed(source: MarketSource, options: Polling): MarketFeed {
  const { every, maxAge, now = () => performance.now() } = options
  const ending = new AbortController()
  const listeners = new Set<(served: Served) => void>()
  let [served, since, seen]: [Served | undefined, number, number | undefined] = [
    undefined,
    now(),
    undefined,
  ]
  let wake = () => {}
  const unhint = source.hints?.(() => wake()) ?? (() => {})

  const take = ({ venue, document }: Fresh, tookMs: number): void => {
    seen = venue.market.height
    if (served !== undefined && seen <= served.height) return
    const next = servedOf(venue, document)
    served = next
    since = now()
    options.arrived?.(next, tookMs)
    for (const listener of listeners) listener(next)
  }
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const look = async (): Promise<void> => {
    let failures = 0
    while (!ending.signal.aborted) {
      const start = now()
      try {
        const fresh = await source.read(seen, ending.signal)
        if (fresh !== undefined) take(fresh, now() - start)
        failures = 0
      } catch (error) {
        if (ending.signal.aborted) break
        options.failed?.(error)
        failures += 1
      }
      if (ending.signal.aborted) break
      await pause(failures === 0 ? Math.max(0, every - (now() - start)) : backOff(failures))
    }
  }
  const looking = look()
  const age = () => now() - since
  return {
    current: () => served,
    age,
    maxAge,
    nodeHeight: () => seen,
    unready: () => unreadyOf(served, seen, age() > maxAge),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      ending.abort()
      unhint()
      wake()
      await looking
      await source.close?.()
    },
  }
}

function unreadyOf(
  served: Served | undefined,
  seen: number | undefined,
  tooOld: boolean,
): readonly Unready[] {
  if (served === undefined) return ['no_snapshot']
  const back = seen !== undefined && seen < served.height
  return [...(tooOld ? ['stale' as const] : []), ...(back ? ['height_went_back' as const] : [])]
}

const backOff = (failures: number): number =>
  Math.random() * Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** (failures - 1))
