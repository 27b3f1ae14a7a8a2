import { SwapError } from '../../engine/errors.js'
import type { Book } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { otherDenom } from '../../engine/market/pair.js'
import { counted } from '../../engine/math/counted.js'
import { reasonText } from '../names.js'
import type { RouteRequest } from './route-request.js'

/** The books of a requested path, checked to lead from the input to the output. */
export function booksOf(market: Market, request: RouteRequest): readonly Book[] {
  const { path = [] } = request
  let denom = request.input.denom
  const books = path.map((address, i) => {
    const book = bookAt(market, address, `/path/${i}`)
    const { base, quote } = book.state.pair
    if (denom !== base && denom !== quote)
      throw pathMismatch(
        `/path/${i}`,
        `pair ${i + 1} of it`,
        `trades ${base} and ${quote}, but gets ${denom}`,
      )
    denom = otherDenom(book.state.pair, denom)
    return book
  })
  if (denom !== request.output.denom)
    throw pathMismatch('/path', 'it', `ends in ${denom}, not in ${request.output.denom}`)
  return books
}

const SEARCH_AROUND = {
  cli: 'leave --path out to search around it',
  http: 'leave path out to search around it',
}

function bookAt(market: Market, address: string, pointer: string): Book {
  const book = market.books.get(address)
  if (book !== undefined) return book
  const excluded = market.excluded.find((pair) => pair.address === address)
  if (excluded === undefined)
    throw new SwapError('NOT_FOUND', `no pair of ${market.network} has the address ${address}`, {
      why: `it has ${counted(market.books.size, 'open pair')}`,
      hint: {
        cli: 'list them: swap snapshot show',
        http: 'take the pairs from the hops of a route',
      },
      members: { pointer },
    })
  if (excluded.status === 'halted')
    throw new SwapError('MARKET_HALTED', `the pair ${address} is halted`, {
      why: reasonText(excluded.reason),
      hint: SEARCH_AROUND,
      members: { pair: address },
    })
  throw new SwapError('NO_ROUTE', `the pair ${address} is left out of the market`, {
    why: reasonText(excluded.reason),
    hint: SEARCH_AROUND,
    members: { rejected: [{ path: [address], reason: 'quarantined', detail: excluded.reason }] },
  })
}

/** @param place what the pointer points at, in words: on the command line a path is no member of a document */
const pathMismatch = (pointer: string, place: string, detail: string): SwapError =>
  new SwapError('INVALID_REQUEST', 'the path does not lead from the input to the output', {
    why: `${place} ${detail}`,
    hint: 'name the pairs in order of execution, each trading what the one before pays',
    members: { errors: [{ pointer, detail }] },
  })
