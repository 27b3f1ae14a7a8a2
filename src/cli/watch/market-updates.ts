import type { MarketFeed, ServedMarket } from '../../service/feed/market-feed.js'

/** The newest market of a feed, its failures, and a wake-up for the watch loop. */
export type MarketUpdates = {
  newest(): ServedMarket | undefined
  /** Returns and clears the last failure; a series of failures is returned once. */
  takeFailure(): unknown
  /** Resolves when something has happened since the last call. */
  changed(): Promise<void>
  /** Resolves `changed`. */
  notify(): void
}

/** The methods of a feed that are used here. */
export type Feed = Pick<MarketFeed, 'current' | 'subscribe'>

/** Opens a feed and subscribes to it. `open` gets the listener of failures. */
export async function openMarketUpdates<F extends Feed>(
  open: (failed: (error: unknown) => void) => Promise<F>,
): Promise<{ readonly feed: F; readonly updates: MarketUpdates }> {
  let [isNotified, isFailing]: [boolean, boolean] = [false, false]
  let failure: unknown
  let wake = () => {}
  const notify = () => {
    isNotified = true
    wake()
  }
  const feed = await open((error) => {
    if (isFailing) return
    isFailing = true
    failure = error
    notify()
  })
  let height: number | undefined
  feed.subscribe((served) => {
    if (served.height === height) return
    height = served.height
    isFailing = false
    notify()
  })
  const updates: MarketUpdates = {
    newest: () => feed.current(),
    takeFailure() {
      const taken = failure
      failure = undefined
      return taken
    },
    async changed() {
      if (!isNotified)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      isNotified = false
    },
    notify,
  }
  return { feed, updates }
}
