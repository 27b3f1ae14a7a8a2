import type { HistoryFigures } from '../../history/store/swap-row.js'
import { reasonOf } from '../reason.js'

/** How often it is told what a database holds, whoever fills it. */
const LOOK_MS = 2_000

/** Who is told what a database holds, or why it cannot be read. */
export type Seen = { holds(figures: HistoryFigures): void; unreadable(reason: string): void }

/** Asks again and again what a database holds; nothing is told while there is none. @returns what ends that */
export function lookAt(figures: () => Promise<HistoryFigures | undefined>, seen: Seen): () => void {
  const look = async (): Promise<void> => {
    try {
      const found = await figures()
      if (found !== undefined) seen.holds(found)
    } catch (error) {
      seen.unreadable(reasonOf(error))
    }
  }
  const looking = setInterval(() => void look(), LOOK_MS).unref()
  void look()
  return () => clearInterval(looking)
}
