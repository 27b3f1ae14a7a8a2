import type { Market } from '../../engine/market/market.js'
import { askDenom } from '../../engine/market/pair.js'
import { addCoin, type CoinSums, type Denom } from '../../engine/market/token.js'
import { rational } from '../../engine/math/rational.js'
import { depthNear } from '../book/snapshot-summary.js'
import type { OperationContext } from '../context.js'
import { marketHead } from '../document-parts.js'
import { byWorth, dollarsText, unitOf, worthIn } from '../worth.js'
import type { TokensAnswer } from './tokens-documents.js'

const ZERO = rational(0n, 1n)

/** Every token that some open book trades, the most liquid first. */
export async function tokens(context: OperationContext): Promise<TokensAnswer> {
  const { market, graph } = await context.openMarket()
  const worthOf = worthIn(market)
  const resting = restingIn(market)
  const listed = [...market.tokens.values()]
    .filter(({ denom }) => graph.indexOf.has(denom))
    .map((token) => ({
      token,
      liquidity: worthOf({ denom: token.denom, amount: resting.get(token.denom) ?? 0n }) ?? ZERO,
    }))
    .sort((a, b) => byWorth(a.liquidity, b.liquidity) || (a.token.denom < b.token.denom ? -1 : 1))
  return {
    ...marketHead(market),
    tokens: listed.map(({ token: { logoUri, ...token } }) => ({
      ...token,
      logo_uri: logoUri,
      price_usd: dollarsText(worthOf({ denom: token.denom, amount: unitOf(market, token.denom) })),
      pairs: graph.leaving[graph.indexOf.get(token.denom)!]!.length,
    })),
  }
}

/** Depth of each token within 2 % of the mid prices of its books, in atomics. */
function restingIn(market: Market): ReadonlyMap<Denom, bigint> {
  const resting: CoinSums = new Map()
  for (const book of market.books.values())
    for (const side of ['ask', 'bid'] as const)
      addCoin(resting, askDenom(book.state.pair, side), depthNear(book, side) ?? 0n)
  return resting
}
