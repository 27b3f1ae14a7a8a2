import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import { type Coin, type Denom, sumByDenom } from '../../engine/market/token.js'
import { graphOf } from '../../engine/routing/graph.js'
import type { MarketView } from '../../operations/context.js'
import { route } from '../../operations/route/route.js'
import { microUsdOf } from './limits.js'

/**
 * Value of coins that are sold, or of a fee, in millionths of a dollar: at mid prices, or what their sale pays, if that
 * is more. A few small orders can make a mid price by which everything is worth nothing.
 *
 * @returns `undefined` without a price
 */
export async function soldMicroUsd(
  market: Market,
  coins: readonly Coin[],
): Promise<bigint | undefined> {
  const atMid = microUsdOf(market, coins)
  if (atMid === undefined || market.usd === undefined) return atMid
  const view = { market, graph: graphOf(market) }
  const paid: Coin[] = []
  for (const coin of sumByDenom(coins))
    paid.push({ denom: market.usd, amount: await paidFor(view, coin, market.usd) })
  const atSale = microUsdOf(market, paid) ?? 0n
  return atSale > atMid ? atSale : atMid
}

/**
 * What a transaction counts in the limits, in millionths of a dollar: what it sells, and its fee, so that many small ones
 * cannot spend more. A fee without a price does not count.
 */
export const countedMicroUsd = async (
  market: Market,
  sold: bigint | undefined,
  fee: readonly Coin[],
): Promise<bigint | undefined> =>
  sold === undefined ? undefined : sold + ((await soldMicroUsd(market, fee)) ?? 0n)

/** What the best route pays for coins in a token, by a part of them where the books do not take all; 0 without one. */
async function paidFor(view: MarketView, { denom, amount }: Coin, output: Denom): Promise<bigint> {
  if (denom === output) return amount
  for (let parts = 1n; parts <= amount; parts *= 10n)
    try {
      const input = { denom, amount: `${amount / parts}` }
      const request = { input, output: { denom: output }, limit: 1 }
      const { routes } = await route({ openMarket: async () => view }, request)
      return BigInt(routes[0]!.expected_output) * parts
    } catch (error) {
      if (!(error instanceof SwapError)) throw error
      if (error.code !== 'INSUFFICIENT_LIQUIDITY') return 0n
    }
  return 0n
}
