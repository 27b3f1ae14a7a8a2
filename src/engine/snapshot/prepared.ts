import type { Market } from '../market/market.js'
import { knownFigures, type SideFigures, sideFigures } from '../routing/graph.js'
import { decodeSnapshot } from './decode.js'

/** `rate`, `extra` and capacity of a side; a capacity without end is null. */
type PreparedSide = readonly [rate: number, extra: number, capacity: number | null]

/** What a search knows of the sides of each pair before it fills anything, by address: asks, then bids. */
export type PreparedSides = Readonly<Record<string, readonly [PreparedSide, PreparedSide]>>

/** The figures of a document that is written once and read by every start of a process. */
export function prepareSides(document: object): PreparedSides {
  const prepared = ({ bound, capacity }: SideFigures): PreparedSide => [
    ...([bound.rate, bound.extra] as const),
    Number.isFinite(capacity) ? capacity : null,
  ]
  return Object.fromEntries(
    [...decodeSnapshot(document, 'the document').books].map(([address, book]) => [
      address,
      [prepared(sideFigures(book, 'ask')), prepared(sideFigures(book, 'bid'))],
    ]),
  )
}

/**
 * Reads a document that may have the figures of its sides. Where it has them, the pools of pairs that no
 * path touches are not decoded.
 */
export function decodePrepared(document: object, path: string): Market {
  const { sides = {} } = document as { readonly sides?: PreparedSides }
  const market = decodeSnapshot(document, path, undefined, new Set(Object.keys(sides)))
  const figures = ([rate, extra, capacity]: PreparedSide): SideFigures => ({
    bound: { rate, extra },
    capacity: capacity ?? Number.POSITIVE_INFINITY,
  })
  for (const [address, [asks, bids]] of Object.entries(sides))
    knownFigures.set(market.books.get(address)!, { ask: figures(asks), bid: figures(bids) })
  return market
}
