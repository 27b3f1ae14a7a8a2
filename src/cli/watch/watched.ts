import type { MarketFeed, Served } from '../../service/feed/market-feed.js'

/** A feed as watching sees it: the newest market, what went wrong, and when to look again. */
export type Watched = {
  newest(): Served | undefined
  /** What went wrong since it was last asked for, told once each time that trouble begins. */
  takeFailure(): unknown
  /** Settles once something has happened since it was last called. */
  changed(): Promise<void>
  /** Makes `changed` settle. */
  ring(): void
}

/** The two calls of a feed that watching needs. */
export type Feed = Pick<MarketFeed, 'current' | 'subscribe'>

/** Watches a feed. `open` is given whom to tell of failures. */
export async function watchedFeed<F extends Feed>(
  open: (failed: (error: unknown) => void) => Promise<F>,
): Promise<{ readonly feed: F; readonly watched: Watched }> {
  let [rung, failing]: [boolean, boolean] = [false, false]
  let failure: unknown
  let wake = () => {}
  const ring = () => {
    rung = true
    wake()
  }
  const feed = await open((error) => {
    if (failing) return
    failing = true
    failure = error
    ring()
  })
  feed.subscribe(() => {
    failing = false
    ring()
  })
  const watched: Watched = {
    newest: () => feed.current(),
    takeFailure() {
      const taken = failure
      failure = undefined
      return taken
    },
    async changed() {
      if (!rung)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      rung = false
    },
    ring,
  }
  return { feed, watched }
}
