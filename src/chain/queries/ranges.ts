import type { Json } from '../../engine/errors.js'
import { items, type JsonCursor, member, refuse, text } from '../../engine/snapshot/json-cursor.js'

/** A concentrated range as its pair lists it, whether or not it holds anything. */
export type Range = {
  readonly idx: string
  readonly item: Json
  /** Whether it holds coins: one that holds none fills nothing. */
  readonly holds: boolean
}

/** A page of a pair's `ranges` answer, fixed or dynamic ones. @throws MalformedDocument */
export const decodeRanges =
  (limit: number) =>
  (node: JsonCursor): readonly Range[] => {
    const list = items(member(node, 'ranges'))
    if (list.length > limit)
      return refuse(member(node, 'ranges'), `must be at most ${limit} ranges`)
    return list.map((item) => ({
      idx: text(member(item, 'idx')),
      item: item.value as Json,
      holds: isPositive(member(item, 'base')) || isPositive(member(item, 'quote')),
    }))
  }

/** What a range holds is a decimal of any length: fractions of an atomic occur. */
function isPositive(node: JsonCursor): boolean {
  const held = text(node)
  if (!/^\d{1,80}(\.\d{1,80})?$/.test(held)) return refuse(node, 'must be a decimal')
  return /[1-9]/.test(held)
}
