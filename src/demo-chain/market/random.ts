import { textHash } from '../../platform/encoding.js'

/** A stream of whole numbers, each from 0 to 2^32 − 1. Every call advances it. */
export type Random = () => number

/** Inclusive bounds of a random number. */
export type Range = readonly [low: bigint, high: bigint]

/**
 * A stream determined by `label`: SplitMix32 seeded with the label's FNV-1a hash. It uses 32-bit integer operations
 * only, so it is the same on every machine. Not for keys.
 */
export function seededRandom(label: string): Random {
  let state = textHash(label)
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}

/** A whole number from `low` to `high`, both included; they may be at most 2^32 − 1 apart. */
export const drawBetween = (random: Random, [low, high]: Range): bigint =>
  low + ((BigInt(random()) * (high - low + 1n)) >> 32n)

/** A random item; `undefined` for an empty list, which does not advance the stream. */
export function drawOne<const Item>(random: Random, items: readonly [Item, ...Item[]]): Item
export function drawOne<Item>(random: Random, items: readonly Item[]): Item | undefined
export function drawOne<Item>(random: Random, items: readonly Item[]): Item | undefined {
  if (items.length === 0) return undefined
  return items[Number(drawBetween(random, [0n, BigInt(items.length - 1)]))]
}
