import type { MarketView } from '../../operations/context.js'
import type { Shortage } from './market-feed.js'

/** The chain's own word for a pair that it has closed. That is no fault of reading it. */
const CLOSED = 'halted'

/**
 * What is readable of a market, when that is a smaller share than wanted. A market of which most is
 * missing still gives answers, but not the best ones: none is better.
 *
 * @param leastShare in bps of all pairs; exactly that much is enough
 */
export function shortageOf(
  { books, excluded }: MarketView['market'],
  leastShare: number,
): Shortage | undefined {
  const read = books.size
  const of = read + excluded.filter(({ status }) => status !== CLOSED).length
  return read * 10_000 < leastShare * of ? { read, of } : undefined
}
