import { compileBook } from '../market/book.js'
import type { Market } from '../market/market.js'
import { knownFigures, type SideFigures, sideFigures } from '../routing/graph.js'
import { type DecodedParts, decodeSnapshot } from './decode.js'
import { decodePairLater } from './decode-pair.js'
import { rootCursor } from './json-cursor.js'

/** `rate`, `extra` and capacity of a side; a capacity without end is null. */
type PreparedSide = readonly [rate: number, extra: number, capacity: number | null]

/** Precomputed figures of the sides of each pair, by address: asks, then bids. */
export type PreparedSides = Readonly<Record<string, readonly [PreparedSide, PreparedSide]>>

/** Search data of a document that is written once and read at every start. */
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

/** A document as written by the build, already validated. Pairs without search data are decoded as usual. */
type PreparedDocument = {
  readonly pairs: readonly { readonly address: string }[]
  readonly sides?: PreparedSides
}

/**
 * Reads a document that may have the figures of its sides. Where it has them, the pools of pairs that no
 * path touches are not decoded.
 */
export function decodePrepared(document: object, path: string): Market {
  const { pairs, sides = {} } = document as PreparedDocument
  const decoded: DecodedParts = { pairs: new WeakMap(), pools: new WeakMap() }
  const figures = ([rate, extra, capacity]: PreparedSide): SideFigures => ({
    bound: { rate, extra },
    capacity: capacity ?? Number.POSITIVE_INFINITY,
  })
  for (const pair of pairs) {
    const pairSides = sides[pair.address]
    if (pairSides === undefined) continue
    const book = compileBook(decodePairLater(rootCursor(pair)))
    decoded.pairs.set(pair, book)
    knownFigures.set(book, { ask: figures(pairSides[0]), bid: figures(pairSides[1]) })
  }
  return decodeSnapshot(document, path, decoded)
}
