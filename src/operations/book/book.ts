import { SwapError } from '../../engine/errors.js'
import type { Book } from '../../engine/market/book.js'
import { groupAt } from '../../engine/market/compiled-side.js'
import type { Group } from '../../engine/market/group.js'
import { askDenom, type Side } from '../../engine/market/pair.js'
import { groupTotal } from '../../engine/market/resting-orders.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import { formatDecimal } from '../../engine/math/decimal.js'
import { graphOf } from '../../engine/routing/graph.js'
import { openLimits, queryOf } from '../../engine/routing/query.js'
import { largestBelow, leastInput } from '../../engine/routing/size-limits.js'
import { formatToken } from '../amount.js'
import type { MarketView, OperationContext } from '../context.js'
import { coinDocument, marketHead } from '../document-parts.js'
import { requireBook } from '../names.js'
import { tooSmall } from '../route/no-route.js'
import { route } from '../route/route.js'
import type {
  BookAnswer,
  BookLevelDocument,
  SideDocument,
  SourceDocument,
  WalkDocument,
} from './book-documents.js'
import { readableGroups, summarizePair } from './snapshot-summary.js'

/** The liquidity of one pair, level by level, before the pair's arbitrage step. */
export async function book(
  context: OperationContext,
  request: { readonly pair: string; readonly levels: number },
): Promise<BookAnswer> {
  const { market } = await context.openMarket()
  const found = requireBook(market, request.pair)
  return {
    ...marketHead(market),
    pair: summarizePair(found),
    asks: sideOf(found, 'ask', request.levels),
    bids: sideOf(found, 'bid', request.levels),
  }
}

function sideOf(of: Book, side: Side, count: number): SideDocument {
  const denom = askDenom(of.state.pair, side)
  const levels: BookLevelDocument[] = []
  let depth = 0n
  for (const group of readableGroups(of.simulatedSide(side))) {
    if (levels.length === count) return { levels, more: true }
    const amount = groupTotal(group)
    depth += amount
    levels.push({
      rate: formatDecimal(group.rate),
      amount: coinDocument({ denom, amount }),
      depth: `${depth}`,
      sources: sourcesOf(of, group),
    })
  }
  return { levels, more: false }
}

/** Sources of a group: limit orders by kind, makers by address; one entry each. */
function sourcesOf({ state }: Book, { pools, levels }: Group): readonly SourceDocument[] {
  const sums = new Map<string, bigint>()
  const add = (source: string, size: bigint) => sums.set(source, (sums.get(source) ?? 0n) + size)
  for (const { pool, size } of pools) add(pool.origin, size)
  for (const { maker, size } of levels) add(state.makers[maker]!.address, size)
  return [...sums].map(([source, amount]) => ({ source, amount: `${amount}` }))
}

/**
 * Quotes an amount, or the part of it that fits, on one pair alone.
 *
 * @throws SwapError INVALID_REQUEST for a denom that the pair does not trade, AMOUNT_TOO_SMALL, and
 * INSUFFICIENT_LIQUIDITY if the pair takes no amount
 */
export async function walk(
  context: OperationContext,
  { pair }: Pick<BookAnswer, 'pair'>,
  input: Coin,
): Promise<WalkDocument> {
  const { address, base, quote } = pair
  if (input.denom !== base && input.denom !== quote) throw notTraded(input.denom, pair)
  const side = input.denom === quote ? 'ask' : 'bid'
  const output = side === 'ask' ? base : quote
  const pairMarket = pairAlone(await context.openMarket(), address)
  const takenFrom = pairMarket.market.books.get(address)!.executedSide(side)
  const fitting = fittingOf(pairMarket, input, output)
  const answer = await route(
    { ...context, openMarket: async () => pairMarket },
    {
      input: { denom: input.denom, amount: `${fitting}` },
      output: { denom: output },
      path: [address],
    },
  )
  const hop = answer.routes[0]!.hops[0]!
  return {
    side,
    input: hop.input,
    unsold: `${input.amount - fitting}`,
    output: hop.output,
    levels_used: hop.levels_used,
    depth_used_percent: hop.depth_used_percent,
    price_impact_bps: hop.price_impact_bps,
    rate: formatDecimal(groupAt(takenFrom, hop.levels_used - 1)!.rate),
  }
}

/** A market of one pair, with a router without balances, which would join the swap. */
function pairAlone({ market }: MarketView, address: string): MarketView {
  const books = new Map([[address, market.books.get(address)!]])
  const alone = { ...market, books, router: { ...market.router, balances: new Map() } }
  return { market: alone, graph: graphOf(alone) }
}

/** The largest part of an amount that an execution on the pair alone accepts. */
function fittingOf({ market, graph }: MarketView, input: Coin, output: Denom) {
  const limits = openLimits(1)
  const query = queryOf(graph, input.denom, output, limits)
  const fitting = largestBelow(query, input.amount + 1n)
  if (fitting !== undefined) return fitting.amount
  const least = leastInput(query)
  if (least !== undefined) throw tooSmall(market, input, output, least)
  throw new SwapError(
    'INSUFFICIENT_LIQUIDITY',
    `this pair takes no ${formatToken(market, input.denom)}`,
    {
      why: `nothing that it offers in ${formatToken(market, output)} can be bought at this block`,
      hint: { cli: 'leave --amount out to see the book', http: 'leave the amount out' },
      members: { max_input: '0', output_at_max: '0' },
    },
  )
}

const notTraded = (denom: Denom, pair: BookAnswer['pair']): SwapError =>
  new SwapError('INVALID_REQUEST', `this pair does not trade ${denom}`, {
    why: `it trades ${pair.base} for ${pair.quote}`,
    hint: {
      cli: 'name an amount of one of them: --amount 25000usdc',
      http: 'name an amount of one of them',
    },
    members: { errors: [{ pointer: '/amount', detail: 'not a denom of the pair' }] },
  })
