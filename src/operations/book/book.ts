import type { Book } from '../../engine/market/book.js'
import type { Group } from '../../engine/market/group.js'
import { askDenom, type Side } from '../../engine/market/pair.js'
import { groupTotal } from '../../engine/market/resting-orders.js'
import { formatDecimal } from '../../engine/math/decimal.js'
import type { OperationContext } from '../context.js'
import { requireBook } from '../names.js'
import { coinDocument, marketHead } from '../route-document.js'
import type { BookAnswer, BookLevelDocument, SideDocument, SourceDocument } from './book-answer.js'
import { readableGroups, summarizePair } from './snapshot-summary.js'

/** What rests in one pair, level by level, as a taker would meet it. */
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

/** Limit orders by what they are, makers by their addresses; one entry each. */
function sourcesOf({ state }: Book, { pools, levels }: Group): readonly SourceDocument[] {
  const sums = new Map<string, bigint>()
  const add = (source: string, size: bigint) => sums.set(source, (sums.get(source) ?? 0n) + size)
  for (const { pool, size } of pools) add(pool.origin, size)
  for (const { maker, size } of levels) add(state.makers[maker]!.address, size)
  return [...sums].map(([source, amount]) => ({ source, amount: `${amount}` }))
}
