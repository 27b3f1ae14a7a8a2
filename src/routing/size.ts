import { MAX_UINT128 } from '../math/uint.js'
import { bestPath } from './best-walk.js'
import type { Query } from './query.js'
import { type Found, rankPaths } from './ranked.js'
import { minReturnOf } from './route.js'

/** An amount, and what the best path pays for it. */
export type Sized = { readonly amount: bigint; readonly output: bigint }

/** The router and the contracts stop above this: 128-bit amounts times 10^18 (fin.md 5.8). */
const LARGEST = MAX_UINT128 / 10n ** 18n

const outputAt = (query: Query, amount: bigint): bigint | undefined =>
  amount <= 0n || amount > LARGEST ? undefined : bestPath(query, amount)?.output

/** Whether any path takes an amount; stops at the first one. */
const isTaken = (query: Query, amount: bigint): boolean =>
  amount > 0n && amount <= LARGEST && rankPaths(query, amount, 1).found.length > 0

/**
 * The largest amount below one that no path takes, such that one atomic more is refused; `undefined`
 * when none works. Refusals leave holes (abort windows), so a larger amount may work again.
 */
export function largestBelow(query: Query, refused: bigint): Sized | undefined {
  let low = refused / 2n
  while (low > 0n && !isTaken(query, low)) low /= 2n
  if (low === 0n) return undefined
  let high = low * 2n < refused ? low * 2n : refused
  // Halving may have jumped over part of what works: climb until something is refused.
  while (high < refused && isTaken(query, high)) [low, high] = [high, high * 2n]
  if (high > refused) high = refused
  const amount = boundary(low, high, (size) => isTaken(query, size))
  return { amount, output: outputAt(query, amount)! }
}

/** The smallest amount above one that no path takes, such that one atomic less is refused. */
export function smallestAbove(query: Query, refused: bigint): Sized | undefined {
  let high = refused * 2n
  while (high <= LARGEST && !isTaken(query, high)) high *= 2n
  if (high > LARGEST) return undefined
  const before = boundary(refused, high, (size) => !isTaken(query, size))
  return { amount: before + 1n, output: outputAt(query, before + 1n)! }
}

/** Between `low`, where `holds` is true, and `high`, where it is not: the last `low` of a bisection. */
function boundary(low: bigint, high: bigint, holds: (size: bigint) => boolean): bigint {
  let [yes, no] = [low, high]
  while (no - yes > 1n) {
    const middle = (yes + no) / 2n
    if (holds(middle)) yes = middle
    else no = middle
  }
  return yes
}

/** What an exact-out search found: the input, or the most that can be had. */
export type ExactOut =
  | { readonly input: bigint; readonly best: Found }
  | { readonly largest: Sized | undefined }

/**
 * The smallest input whose `min_return` is at least `wanted`, by searching the best output itself.
 * Between refusals the best output does not fall, so bisection finds the edge; below it, amounts that
 * a refusal hides are probed and searched again until none of them is enough.
 */
export function inputFor(query: Query, wanted: bigint, slippageBps: number): ExactOut {
  const enough = (size: bigint): boolean => {
    const output = outputAt(query, size)
    return output !== undefined && minReturnOf(output, slippageBps) >= wanted
  }
  const bracket = enclose(query, wanted, enough)
  if (!('high' in bracket)) return { largest: bracket.largest }
  let input = boundary(bracket.low, bracket.high, (size) => !enough(size)) + 1n
  for (let below = probe(input, enough); below !== undefined; below = probe(input, enough))
    input = boundary(0n, below, (size) => !enough(size)) + 1n
  return { input, best: bestPath(query, input)! }
}

/** Doubles from the price of the market until an input is enough, or nothing larger is taken. */
function enclose(
  query: Query,
  wanted: bigint,
  enough: (size: bigint) => boolean,
): { readonly low: bigint; readonly high: bigint } | { readonly largest: Sized | undefined } {
  let [low, high] = [0n, 1n]
  while (!enough(high)) {
    if (high > LARGEST) return { largest: largestBelow(query, LARGEST) }
    const output = outputAt(query, high)
    if (output === undefined && isTaken(query, low) && isEnd(query, high))
      return refineEdge(query, low, high, enough)
    low = high
    high = nextGuess(high, output, wanted)
  }
  return { low, high }
}

/** Whether a refused amount is where the market ends, and not a hole with more behind it. */
const isEnd = (query: Query, refused: bigint): boolean =>
  ![(refused * 9n) / 8n + 1n, refused * 2n].some((size) => isTaken(query, size))

/** At least twice as much, and as much as today's price says is needed. */
function nextGuess(size: bigint, output: bigint | undefined, wanted: bigint): bigint {
  if (output === undefined || output === 0n) return size * 2n
  const needed = (size * wanted) / output
  return needed > size * 2n ? needed : size * 2n
}

/** The market ends between an amount that is taken and one that is not: is its last amount enough? */
function refineEdge(
  query: Query,
  taken: bigint,
  refused: bigint,
  enough: (size: bigint) => boolean,
): { readonly low: bigint; readonly high: bigint } | { readonly largest: Sized | undefined } {
  const edge = boundary(taken, refused, (size) => isTaken(query, size))
  if (enough(edge)) return { low: taken, high: edge }
  return { largest: { amount: edge, output: outputAt(query, edge)! } }
}

/** Amounts just below an edge, each twice as far away as the last, that are enough after all. */
function probe(edge: bigint, enough: (size: bigint) => boolean): bigint | undefined {
  for (let distance = 1n; distance < edge && distance < 1n << 24n; distance *= 2n)
    if (enough(edge - distance)) return edge - distance
  return undefined
}
