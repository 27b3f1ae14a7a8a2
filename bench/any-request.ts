import type { Market } from '../src/engine/market/market.js'

/** Whole atomics between one and this many decimal digits, log-uniform. */
const DIGITS = 16

/** Requests of `POST /swap/route` as strangers send them. */
export type AnyRequest = {
  readonly input: { readonly denom: string; readonly amount: string }
  readonly output: { readonly denom: string }
  readonly max_hops: number
}

/**
 * Requests between any two tokens of any size, from one atomic to more than the books hold, over 1 to 6
 * hops: the same in every run. Part of them is refused.
 */
export function anyRequests(market: Market, count: number): readonly AnyRequest[] {
  const denoms = [...market.tokens.keys()]
  let state = 4_321
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
  const pick = () => denoms[Math.floor(random() * denoms.length)]!
  return Array.from({ length: count }, (_, i) => {
    const from = pick()
    let to = pick()
    while (to === from) to = pick()
    const amount = BigInt(Math.floor(10 ** (random() * DIGITS))) + BigInt(i % 7)
    return {
      input: { denom: from, amount: `${amount + 1n}` },
      output: { denom: to },
      max_hops: 1 + Math.floor(random() * 6),
    }
  })
}
