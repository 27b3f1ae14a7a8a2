import type { HistoryFigures } from '../../history/store/swap-row.js'
import { reasonOf } from '../reason.js'

/** Interval of polls of a database. */
const POLL_MS = 2_000

/** Called with a database's figures, or with the reason why they cannot be read. */
export type FiguresEvents = {
  holds(figures: HistoryFigures): void
  unreadable(reason: string): void
}

/** Polls the figures of a database; reports nothing while there is none. @returns what ends it */
export function pollFigures(
  figures: () => Promise<HistoryFigures | undefined>,
  events: FiguresEvents,
): () => void {
  const poll = async (): Promise<void> => {
    try {
      const found = await figures()
      if (found !== undefined) events.holds(found)
    } catch (error) {
      events.unreadable(reasonOf(error))
    }
  }
  const timer = setInterval(() => void poll(), POLL_MS).unref()
  void poll()
  return () => clearInterval(timer)
}
