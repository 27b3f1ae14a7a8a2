import { SwapError } from '../engine/errors.js'
import type { Affiliate } from '../engine/market/market.js'
import type { Coin, Denom, Token } from '../engine/market/token.js'
import { MAX_UINT128 } from '../engine/math/decimal.js'
import { type Graph, graphOf } from '../engine/routing/graph.js'
import { isKnown, type PathQuery, queryOf } from '../engine/routing/query.js'
import { decodeSnapshot } from '../engine/snapshot/decode.js'
import { DEFAULTS, SLIPPAGES } from '../operations/defaults.js'
import { requestBudget } from '../operations/route/search-budget.js'

/** An open pair of a market. */
export type Pair = { readonly address: string; readonly base: Denom; readonly quote: Denom }

/** The market of one block, as read from a snapshot. Functions need this very object, not a copy. */
export type Market = {
  readonly network: string
  readonly chainId: string
  readonly height: number
  /** Block time, RFC 3339 UTC. */
  readonly time: string
  /** Address of the router: the contract that messages are sent to. */
  readonly router: string
  readonly tokens: ReadonlyMap<Denom, Token>
  /** Open pairs, in the order of the snapshot. */
  readonly pairs: readonly Pair[]
  /** Excluded pairs with reasons: halted, malformed or unreadable ones. */
  readonly excluded: readonly { readonly address: string; readonly reason: string }[]
}

const graphs = new WeakMap<Market, Graph>()

/**
 * Reads a snapshot document: what `GET /swap/snapshot` and `swap snapshot save` answer with, parsed as
 * JSON. A malformed pair is left out, with its reason in `excluded`.
 *
 * @throws SwapError INVALID_SNAPSHOT for anything malformed outside the pairs, with the JSON pointer
 */
export function readMarket(snapshot: unknown): Market {
  const decoded = decodeSnapshot(snapshot, 'the document')
  const { network, chainId, height, time, router, tokens, books, excluded } = decoded
  const market: Market = {
    network,
    chainId,
    height,
    time,
    router: router.address,
    tokens,
    pairs: [...books.values()].map(({ state: { pair } }) => ({
      address: pair.address,
      base: pair.base,
      quote: pair.quote,
    })),
    excluded: excluded.map(({ address, reason }) => ({ address, reason })),
  }
  graphs.set(market, graphOf(decoded))
  return market
}

/** The graph of a market that `readMarket` returned. */
export function graphOfMarket(market: Market): Graph {
  const graph = graphs.get(market)
  if (graph === undefined) throw new TypeError('the market is not one that readMarket returned')
  return graph
}

/** Limits of a search, and terms of its messages. */
export type QuoteTerms = {
  /** Hops of a path at most, 1 to 6; 4 by default. */
  readonly maxHops?: number | undefined
  /** `minReturn` is this much below the expected output, in bps, rounded down, at least 1 atomic; 0 to 9999, 50 by default. */
  readonly slippageBps?: number | undefined
  /** Denoms and pair addresses that every path must use. */
  readonly via?: readonly string[] | undefined
  /** Denoms and pair addresses that no path may use. */
  readonly exclude?: readonly string[] | undefined
  /** A code that is registered with the router. */
  readonly affiliate?: string | undefined
}

/** A swap to quote, for an input. Amounts are atomics above zero and below 2^128. */
export type QuoteRequest = QuoteTerms & { readonly input: Coin; readonly output: Denom }

/** The search of a checked request. */
export type CheckedRequest = {
  readonly graph: Graph
  /** `undefined` if no open pair trades one of the tokens. */
  readonly query: PathQuery | undefined
  readonly slippageBps: number
}

/** Validates a request except for its amount. @throws SwapError as `findRoutes` */
export function checkRequest(
  market: Market,
  input: Denom,
  output: Denom,
  terms: QuoteTerms,
): CheckedRequest {
  const graph = graphOfMarket(market)
  const { via = [], exclude = [] } = terms
  const { maxHops = DEFAULTS.maxHops, slippageBps = DEFAULTS.slippageBps } = terms
  requireTokens(graph, [input, output])
  for (const name of [...via, ...exclude]) if (!isKnown(graph.market, name)) throw unknownName(name)
  if (input === output) throw new SwapError('SAME_TOKEN', 'input and output are the same token')
  requireWhole('maxHops', maxHops, 1, 6)
  requireWhole('slippageBps', slippageBps, ...SLIPPAGES)
  const limits = { maxHops, via, exclude, affiliate: affiliateOf(graph, terms.affiliate) }
  const isTraded = graph.indexOf.has(input) && graph.indexOf.has(output)
  const query = isTraded ? queryOf(graph, input, output, limits, requestBudget()) : undefined
  return { graph, query, slippageBps }
}

/** @throws SwapError UNKNOWN_TOKEN for a denom that is not of a token */
export function requireTokens({ market }: Graph, denoms: readonly Denom[]): void {
  for (const denom of denoms) if (!market.tokens.has(denom)) throw unknownName(denom)
}

const unknownName = (name: string): SwapError =>
  new SwapError('UNKNOWN_TOKEN', `"${name}" is not in this market`)

/** @throws SwapError INVALID_AFFILIATE for a code that is not registered */
export function affiliateOf({ market }: Graph, code: string | undefined): Affiliate | undefined {
  const affiliate = code === undefined ? undefined : market.router.affiliates.get(code)
  if (code !== undefined && affiliate === undefined)
    throw new SwapError('INVALID_AFFILIATE', `"${code}" is not registered with the router`)
  return affiliate
}

/** @throws SwapError INVALID_AMOUNT */
export function requireAmount(amount: bigint): void {
  if (typeof amount === 'bigint' && amount > 0n && amount <= MAX_UINT128) return
  throw new SwapError('INVALID_AMOUNT', `${amount} is not an amount`, {
    why: 'an amount is a bigint above zero and below 2^128',
  })
}

/** @throws SwapError INVALID_REQUEST */
export function requireWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new SwapError('INVALID_REQUEST', `${name} must be a whole number from ${least} to ${most}`)
}
