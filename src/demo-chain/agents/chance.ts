import { drawBetween, type Random } from '../market/random.js'

/** Whether something happens that happens `times` in a thousand. */
export const happens = (random: Random, times: bigint): boolean =>
  drawBetween(random, [1n, 1000n]) <= times

/** One of a list, or `undefined` of an empty one. */
export const oneOf = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items.length === 0
    ? undefined
    : items[Number(drawBetween(random, [0n, BigInt(items.length - 1)]))]

/** Dollars from 20 to 20,000: small ones often, large ones seldom. */
export function dollars(random: Random): bigint {
  const scale = [20n, 200n, 2000n][Number(drawBetween(random, [0n, 2n]))] ?? 20n
  return (scale * drawBetween(random, [100n, 1000n])) / 100n
}
