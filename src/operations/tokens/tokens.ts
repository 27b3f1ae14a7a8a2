import type { Market } from '../../engine/market/market.js'
import { askDenom } from '../../engine/market/pair.js'
import type { Denom } from '../../engine/market/token.js'
import { pricesOf, worthOf } from '../../engine/market/valuation.js'
import { formatRational, type Rational, times } from '../../engine/math/rational.js'
import { depthNear } from '../book/snapshot-summary.js'
import type { OperationContext } from '../context.js'
import { displayScale, marketHead } from '../route-document.js'
import type { TokensAnswer } from './tokens-answer.js'

export type { TokenDocument, TokensAnswer } from './tokens-answer.js'

/** Every token that some open book trades, the most liquid first. */
export async function tokens(context: OperationContext): Promise<TokensAnswer> {
  const { market, graph } = await context.openMarket()
  const prices = pricesOf(market)
  const liquidity = liquidityOf(market, prices)
  const listed = [...market.tokens.values()]
    .filter((token) => graph.indexOf.has(token.denom))
    .sort((a, b) => byLiquidity(liquidity, a.denom, b.denom))
  return {
    ...marketHead(market),
    tokens: listed.map(({ logoUri, ...token }) => {
      const price = prices.get(token.denom)
      return {
        ...token,
        logo_uri: logoUri,
        price_usd:
          price && market.usd !== undefined
            ? formatRational(times(price, displayScale(market, token.denom, market.usd)))
            : null,
        pairs: graph.leaving[graph.indexOf.get(token.denom)!]!.length,
      }
    }),
  }
}

/** The worth of what rests of each token within 2 % of the mid prices of its books. */
function liquidityOf(
  market: Market,
  prices: ReadonlyMap<Denom, Rational>,
): ReadonlyMap<Denom, bigint> {
  const resting = new Map<Denom, bigint>()
  for (const book of market.books.values())
    for (const side of ['ask', 'bid'] as const) {
      const denom = askDenom(book.state.pair, side)
      resting.set(denom, (resting.get(denom) ?? 0n) + (depthNear(book, side) ?? 0n))
    }
  return new Map([...resting].map(([denom, amount]) => [denom, worthOf(prices, denom, amount)]))
}

/** Descending; the same liquidity by denom. */
function byLiquidity(liquidity: ReadonlyMap<Denom, bigint>, a: Denom, b: Denom): number {
  const [ofA, ofB] = [liquidity.get(a) ?? 0n, liquidity.get(b) ?? 0n]
  if (ofA !== ofB) return ofA > ofB ? -1 : 1
  return a < b ? -1 : 1
}
