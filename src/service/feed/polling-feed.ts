import type { MarketView } from '../../operations/context.js'
import { jitteredPause, pause } from '../../platform/clock.js'
import {
  type MarketFeed,
  type ServedMarket,
  type Shortage,
  servedMarket,
  type UnreadyReason,
} from './market-feed.js'

/** The exclusion reason of pairs that the chain has closed, which are not reading failures. */
const CLOSED = 'halted'

/**
 * The readable pairs of a market, if their share is below the minimum: quotes from a market that is mostly
 * missing would be far from the best, so none are given.
 *
 * @param leastShare the minimum share in bps of all pairs, inclusive
 */
export function shortageOf(
  { books, excluded }: MarketView['market'],
  leastShare: number,
): Shortage | undefined {
  const read = books.size
  const of = read + excluded.filter(({ status }) => status !== CLOSED).length
  return read * 10_000 < leastShare * of ? { read, of } : undefined
}

/** A new market, a disagreement of the nodes, or their height if it is below the newest one (possibly a lag). */
export type ReadResult = ReadMarket | { readonly disputed: string } | { readonly behind: number }

type ReadMarket = {
  readonly view: MarketView
  /** Digest of its document; computed if absent. */
  readonly digest?: string
  /** Milliseconds since another process read it. */
  readonly ageMs?: number
}

export type MarketSource = {
  /** The market of the newest height, or `undefined` while that is still `after`. */
  read(after: number | undefined): Promise<ReadResult | undefined>
  /** Calls back when there may be a new height. Only a hint. */
  hints?(listener: () => void): void
  /** Ends a read that is not answered. */
  close?(): Promise<void>
}

export type Polling = {
  /** Milliseconds between polls. */
  readonly every: number
  /** Milliseconds between polls while hints arrive, at least one within twice this time. */
  readonly everyHinted?: number
  /** Age in milliseconds above which a market is too old. */
  readonly maxAge: number
  /** Milliseconds without a block after which the chain counts as halted, at least `maxAge`; never if absent. */
  readonly haltedAfter?: number
  /** Minimum share of readable pairs, in bps; none if absent. */
  readonly leastShare?: number | undefined
  /** Called with errors; polling continues. */
  readonly failed?: (error: unknown) => void
  /** Called when a height lower than `from` is served: the chain was reset or rolled back. */
  readonly wentBack?: (from: number, to: number) => void
  /** Called for every new height, with the duration of the read in milliseconds. */
  readonly arrived?: (served: ServedMarket, tookMs: number) => void
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

/** Pauses after failures. */
const BACK_OFF = { firstMs: 500, longestMs: 4_000 }

/**
 * Polls a source. A new height replaces the served one by a single assignment; a lower height only after two
 * consecutive polls. After failures the pauses grow, with full jitter.
 */
export function pollingFeed(source: MarketSource, options: Polling): MarketFeed {
  const { every, maxAge, leastShare = 0, now = () => performance.now() } = options
  const haltedAfter = Math.max(maxAge, options.haltedAfter ?? Number.POSITIVE_INFINITY)
  const ending = new AbortController()
  const listeners = new Set<(served: ServedMarket) => void>()
  const state = {
    /** Consecutive failed polls. */
    failures: 0,
    /** The height that was last read. */
    seen: undefined as number | undefined,
    /** A market below the served height, until the next poll confirms it. */
    lower: undefined as ReadMarket | undefined,
    disputed: undefined as string | undefined,
    /** Whether the last poll found no other height. */
    isUnchanged: true,
    /** The node's height, if it is below the last one read and the node may only lag. */
    behind: undefined as number | undefined,
  }
  /** Aborted by a hint: ends the pause, or skips the next one if a poll is running. */
  let hinted = new AbortController()
  let served: ServedMarket | undefined
  const begun = now()
  /** When the reading of each served market began. */
  const sinceOf = new WeakMap<ServedMarket, number>()
  let shortage: Shortage | undefined
  let isHeld = false
  let hintedAt = Number.NEGATIVE_INFINITY
  source.hints?.(() => {
    hintedAt = now()
    hinted.abort()
  })
  const { everyHinted = every } = options
  const interval = () => (now() - hintedAt <= 2 * everyHinted ? everyHinted : every)

  const age = (of = served) => now() - ((of && sinceOf.get(of)) ?? begun)
  const nodeHeight = () => state.behind ?? state.seen
  /** A node that lags briefly is not a rollback. */
  const wentBack = () => state.lower !== undefined || (state.behind !== undefined && age() > maxAge)
  const serve = (read: ReadMarket, tookMs: number): void => {
    const { view, digest, ageMs = 0 } = read
    const { height } = view.market
    state.seen = height
    const before = served?.height ?? 0
    const isAgreed = state.lower !== undefined
    state.lower = height < before ? read : undefined
    if (height === before || (height < before && !isAgreed)) return
    if (height < before) options.wentBack?.(before, height)
    state.lower = undefined
    const next = servedMarket(view, digest)
    served = next
    shortage = shortageOf(view.market, leastShare)
    // A reading may take long, above all one in which the process was stopped.
    sinceOf.set(next, now() - Math.max(ageMs, tookMs))
    isHeld = false
    options.arrived?.(next, tookMs)
    for (const listener of listeners) listener(next)
  }
  /** Notifies listeners when the served market stops or starts being quoted. */
  const announce = (): void => {
    const isNowHeld = age() > maxAge || state.disputed !== undefined
    if (isNowHeld === isHeld || served === undefined) return
    isHeld = isNowHeld
    for (const listener of listeners) listener(served)
  }
  const apply = (fresh: ReadResult | undefined, tookMs: number): void => {
    state.isUnchanged = fresh === undefined
    state.behind = fresh !== undefined && 'behind' in fresh ? fresh.behind : undefined
    if (fresh === undefined) {
      if (state.lower !== undefined) serve({ ...state.lower, ageMs: 0 }, tookMs)
      return
    }
    state.disputed = 'disputed' in fresh ? fresh.disputed : undefined
    if ('view' in fresh) serve(fresh, tookMs)
    if ('disputed' in fresh) options.failed?.(new Error(`the nodes disagree: ${fresh.disputed}`))
    if (wentBack())
      options.failed?.(
        new Error(`the node is at block ${nodeHeight()}, and ${served?.height} is served`),
      )
  }
  const pollUntilClosed = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const start = now()
      hinted = new AbortController()
      try {
        const fresh = await source.read(state.seen)
        if (ending.signal.aborted) break
        apply(fresh, now() - start)
        state.failures = 0
      } catch (error) {
        if (ending.signal.aborted) break
        options.failed?.(error)
        state.failures += 1
      }
      announce()
      const { failures } = state
      if (failures === 0) await pause(interval() - (now() - start), hinted.signal)
      // Hints do not shorten the back-off.
      else await pause(jitteredPause(BACK_OFF, failures), ending.signal)
    }
  }
  const polling = pollUntilClosed()
  return {
    current: () => served,
    age,
    maxAge,
    nodeHeight,
    disputed: () => state.disputed,
    shortage: () => shortage,
    unready() {
      const { disputed, isUnchanged, failures } = state
      const isServing = served !== undefined
      const isHalted = age() > haltedAfter && failures === 0 && isUnchanged
      const reasons: readonly (readonly [UnreadyReason, boolean])[] = [
        ['no_snapshot', !isServing],
        ['stale', isServing && age() > maxAge],
        ['halted', isServing && isHalted],
        ['rpc_disagreement', disputed !== undefined],
        ['too_few_books', isServing && shortage !== undefined],
        ['height_went_back', isServing && wentBack()],
      ]
      return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      ending.abort()
      hinted.abort()
      await source.close?.()
      await polling
    },
  }
}
