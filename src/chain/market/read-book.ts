import { type BookPage, decodeBook } from '../queries/pair.js'
import { type Ask, type Reply, requireAnswer, Unreadable } from '../queries/query-batch.js'
import { smartQuery } from '../queries/questions.js'

/** Most levels a side of one answer: `limit` is a byte. */
const MOST = 255

/** Page sizes of a node, in levels: the largest that it answered, and the smallest that it refused. */
export type PageSizes = { readonly fits: number; readonly refused: number }

const UNKNOWN: PageSizes = { fits: MOST, refused: MOST + 1 }

/** A book as far as it could be read. `truncated`: more levels follow, or may follow. */
type ReadBook = BookPage & {
  readonly truncated: { readonly asks: boolean; readonly bids: boolean }
  readonly fit: PageSizes
}

const page = (address: string, limit: number, offset: number) =>
  smartQuery(address, { book: { limit, offset } }, decodeBook(limit))

/**
 * A pair's `book`, up to 510 levels a side. Each node limits the gas of a query: where it refuses a page, a binary
 * search finds the size that fits. Levels beyond that are not read, since an offset costs the gas of the skipped ones.
 *
 * @param known page sizes of an earlier read
 * @throws Unreadable if a page of one level is refused, or an answer is malformed
 */
export async function readBook(ask: Ask, address: string, known = UNKNOWN): Promise<ReadBook> {
  const { book, fit } = await readFitting(ask, address, known)
  const full = { asks: book.asks.length === fit.fits, bids: book.bids.length === fit.fits }
  const first = { ...book, truncated: full, fit }
  if (fit.fits < MOST || (!full.asks && !full.bids)) return first
  const reply = await ask(page(address, MOST, MOST))
  if (reply.kind === 'malformed') requireAnswer(reply, 'its book')
  if (reply.kind !== 'answered') return first
  const { asks, bids } = reply.value
  return {
    asks: [...book.asks, ...asks],
    bids: [...book.bids, ...bids],
    truncated: { asks: asks.length === MOST, bids: bids.length === MOST },
    fit,
  }
}

type FittingPage = { readonly book: BookPage; readonly fit: PageSizes }

/** The largest page that is answered, or the first one that holds the whole book. */
async function readFitting(ask: Ask, address: string, known: PageSizes): Promise<FittingPage> {
  let best: BookPage | undefined
  let fits = 0
  let refused = known.refused
  let why = ''
  for (let limit = known.fits; limit > fits && limit < refused; limit = (fits + refused) >> 1) {
    const reply: Reply<BookPage> = await ask(page(address, limit, 0))
    if (reply.kind === 'refused') {
      refused = limit
      why = reply.why
      continue
    }
    best = requireAnswer(reply, 'its book')
    fits = limit
    // A larger page would not show more.
    if (best.asks.length < limit && best.bids.length < limit) break
  }
  if (best === undefined) throw new Unreadable(`its book was refused: ${why}`)
  return { book: best, fit: { fits, refused } }
}
