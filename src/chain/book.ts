import type { BookLevel } from '../market/resting.js'
import { type BookPage, decodeBook } from './decode/book.js'
import { type Ask, answered, type Reply, Unreadable } from './inquiry.js'
import { smart } from './question.js'

/** Levels a side of one answer: the most that the message can say. */
const MOST = 255

/** A book as far as it could be read. `truncated`: more levels follow, or may follow. */
export type ReadBook = {
  readonly asks: readonly BookLevel[]
  readonly bids: readonly BookLevel[]
  readonly truncated: { readonly asks: boolean; readonly bids: boolean }
  /** Levels that an answer was found to hold before the node runs out of its query gas. */
  readonly fits: number
}

const page = (address: string, limit: number, offset: number) =>
  smart(address, { book: { limit, offset } }, decodeBook(limit))

/**
 * A pair's `book`, up to 510 levels a side. Gas limits what a node answers, each node otherwise:
 * where it refuses, the number of levels that fits is searched for; going on from there by offset
 * costs the same gas, so what lies beyond stays unread.
 *
 * @param guess levels that fitted before
 * @throws Unreadable when not even one level is answered, or an answer is malformed
 */
export async function readBook(ask: Ask, address: string, guess = MOST): Promise<ReadBook> {
  const first = await readFitting(ask, address, guess)
  const { limit, book } = first
  const full = { asks: book.asks.length === limit, bids: book.bids.length === limit }
  if (limit < MOST || (!full.asks && !full.bids)) return { ...book, truncated: full, fits: limit }
  const reply = await ask(page(address, MOST, MOST))
  if (reply.kind === 'malformed') answered(reply, 'its book')
  if (reply.kind !== 'answered') return { ...book, truncated: full, fits: limit }
  const { asks, bids } = reply.value
  return {
    asks: [...book.asks, ...asks],
    bids: [...book.bids, ...bids],
    truncated: { asks: asks.length === MOST, bids: bids.length === MOST },
    fits: limit,
  }
}

/** The largest page that is answered. */
async function readFitting(
  ask: Ask,
  address: string,
  guess: number,
): Promise<{ readonly limit: number; readonly book: BookPage }> {
  let best: { readonly limit: number; readonly book: BookPage } | undefined
  let refused = MOST + 1
  let why = ''
  for (let limit = guess; limit > (best?.limit ?? 0) && limit < refused; ) {
    const reply: Reply<BookPage> = await ask(page(address, limit, 0))
    if (reply.kind === 'refused') {
      refused = limit
      why = reply.why
    } else best = { limit, book: answered(reply, 'its book') }
    // What fitted before still does: then the search is over.
    if (best?.limit === guess || isWhole(best)) break
    limit = ((best?.limit ?? 0) + refused) >> 1
  }
  if (best === undefined) throw new Unreadable(`its book was refused: ${why}`)
  return best
}

/** A page that is not full on either side shows everything: a larger one would not show more. */
const isWhole = (found: { readonly limit: number; readonly book: BookPage } | undefined): boolean =>
  found !== undefined &&
  found.book.asks.length < found.limit &&
  found.book.bids.length < found.limit
