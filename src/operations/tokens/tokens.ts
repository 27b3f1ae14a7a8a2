import { pricesOf } from '../../engine/market/valuation.js'
import { formatRational, times } from '../../engine/math/rational.js'
import type { OperationContext } from '../context.js'
import { displayScale, marketHead } from '../route-document.js'
import type { TokensAnswer } from './tokens-answer.js'

export type { TokenDocument, TokensAnswer } from './tokens-answer.js'

/** Every token that some open book trades, in the order of the market's list. */
export async function tokens(context: OperationContext): Promise<TokensAnswer> {
  const { market, graph } = await context.openMarket()
  const prices = pricesOf(market)
  const listed = [...market.tokens.values()].filter((token) => graph.indexOf.has(token.denom))
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
