import { pricesOf } from '../engine/market/valuation.js'
import { formatRational, times } from '../engine/math/rational.js'
import type { OperationContext } from './context.js'
import { displayScale, type MarketHead, marketHead } from './route-document.js'

/** A token (docs/api.md#tokens). */
export type TokenDocument = {
  readonly denom: string
  readonly decimals: number
  readonly symbol: string
  readonly name: string
  readonly chain: string
  readonly kind: string
  readonly contract: string | null
  readonly logo_uri: string | null
  readonly price_usd: string | null
  readonly pairs: number
}

/** The answer of `GET /swap/tokens` and of `swap tokens --json`. */
export type TokensAnswer = MarketHead & { readonly tokens: readonly TokenDocument[] }

/** Every token that some open book trades, in the order of the market's list. */
export async function tokens(app: OperationContext): Promise<TokensAnswer> {
  const { market, graph } = await app.openMarket()
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
