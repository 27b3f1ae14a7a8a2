import { pairsOf } from '../../src/cli/print-answer.js'
import { route } from '../../src/operations/route/route.js'
import type { RouteAnswer, RouteDocument } from '../../src/operations/route/route-documents.js'

import { type Style, type StyleFacts, styleOf } from '../../src/render/style.js'
import { app, graph, market } from '../support/demo-market.js'

export { app, market }

export const tokens = market.tokens
export const denoms: readonly string[] = [...graph.indexOf.keys()]
export const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const usdcBase = 'base-usdc-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
export const btc = 'btc-btc'
export const rune = 'rune'
export const aliases: ReadonlyMap<string, string> = new Map([
  ['usdc', usdc],
  ['usdt', 'eth-usdt-0xdac17f958d2ee523a2206206994597c13d831ec7'],
  ['eth', 'eth-eth'],
])
export const context = { tokens, aliases, pairs: pairsOf(market) }
/** The same of a quote that is kept under an id, and with all that is said of it. */
export const stored = { ...context, quoteId: 'q_7f3a91c2' }
export const verbose = { ...stored, verbose: true }

/** A terminal of so many columns, without colour by default. */
export const terminal = (width: number, facts: Partial<StyleFacts> = {}): Style =>
  styleOf({ width, color: false, ascii: false, tty: true, ...facts })

/** A quote of 1.5 BTC for RUNE, or of another amount. */
export const quoted = (request: object = {}): Promise<RouteAnswer> =>
  route(app, {
    input: { denom: btc, amount: '150000000' },
    output: { denom: rune },
    limit: 3,
    ...request,
  })

/** The answer with some members of its best route replaced. */
export const withBest = (answer: RouteAnswer, change: Partial<RouteDocument>): RouteAnswer => ({
  ...answer,
  routes: answer.routes.map((each, i) => (i === 0 ? { ...each, ...change } : each)),
})
