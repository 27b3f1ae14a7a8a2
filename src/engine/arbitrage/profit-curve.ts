import type { Market } from '../market/market.js'
import type { Denom } from '../market/token.js'
import { loopReturn } from './loop-size.js'

/** What a loop earns at one size; `undefined` where an execution refuses it. */
export type ProfitPoint = { readonly amount: bigint; readonly profit: bigint | undefined }

/**
 * Profit against size for one loop, on the current books, in atomics; each point computed by
 * itself. `addresses` are the loop's pairs in order of execution.
 */
export function profitCurve(
  market: Market,
  addresses: readonly string[],
  denom: Denom,
  amounts: readonly bigint[],
): readonly ProfitPoint[] {
  const books = addresses.flatMap((address) => market.books.get(address) ?? [])
  if (books.length < addresses.length || books.length === 0) return []
  return amounts.map((amount) => {
    const back = loopReturn({ router: market.router, books, denom }, amount)
    return { amount, profit: back === undefined ? undefined : back - amount }
  })
}

/** `count` sizes from `least` to `most`, evenly spaced in their ratio; both ends among them. */
export function sizesBetween(least: bigint, most: bigint, count: number): readonly bigint[] {
  if (count < 2 || most <= least) return [most]
  const ratio = (Number(most) / Number(least)) ** (1 / (count - 1))
  const inner = Array.from({ length: count - 2 }, (_, i) =>
    BigInt(Math.round(Number(least) * ratio ** (i + 1))),
  ).filter((size) => size > least && size < most)
  return [...new Set([least, ...inner, most])]
}
