import type { MakerLevel } from '../../engine/market/pair.js'
import {
  amount,
  decimalOf,
  isAbsent,
  items,
  type JsonCursor,
  member,
  refuse,
  text,
} from '../../engine/snapshot/json-cursor.js'

/** A maker's `strategy` as the snapshot keeps it, or `undefined` for a kind that is not known. */
export type Strategy = { readonly xyk: readonly [config: object, state: object] }

/**
 * A maker's `strategy` answer: of a constant-product maker what its levels follow from. Other kinds
 * are `undefined`, to be asked for quotes.
 *
 * @throws MalformedDocument
 */
export function decodeStrategy(node: JsonCursor): Strategy | undefined {
  const xyk = member(node, 'xyk')
  if (isAbsent(xyk)) return undefined
  const [config, state, ...more] = items(xyk)
  if (config === undefined || state === undefined || more.length > 0)
    return refuse(xyk, 'must be [configuration, state]')
  const plain = (from: JsonCursor, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, member(from, name).value]))
  for (const name of ['x', 'y']) text(member(config, name))
  for (const name of ['step', 'fee']) decimalOf(member(config, name))
  for (const name of ['x', 'y']) amount(member(state, name))
  amount(member(config, 'min_quote'))
  return {
    xyk: [
      plain(config, ['x', 'y', 'step', 'min_quote', 'fee']),
      plain(state, ['x', 'y', 'k', 'shares']),
    ],
  }
}

/** One answer of a maker's `quote` query. */
export type MakerQuote = MakerLevel & {
  /** Handed back to be given the next level; absent when there is none. */
  readonly data: string | undefined
}

/** A maker's `quote` answer: a level, or `undefined` behind the last one. @throws MalformedDocument */
export function decodeQuote(node: JsonCursor): MakerQuote | undefined {
  if (isAbsent(node)) return undefined
  const price = decimalOf(member(node, 'price'))
  if (price === 0n) return refuse(member(node, 'price'), 'must be above zero')
  const data = member(node, 'data')
  return {
    price,
    size: amount(member(node, 'size')),
    data: isAbsent(data) ? undefined : text(data),
  }
}
