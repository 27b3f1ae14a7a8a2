import type { Book } from '../../engine/market/book.js'
import { type CompiledSide, groupAt } from '../../engine/market/compiled-side.js'
import type { Group } from '../../engine/market/group.js'
import { askDenom, isBetter, type Side } from '../../engine/market/pair.js'
import { bestOf } from '../../engine/market/price.js'
import { groupTotal } from '../../engine/market/resting-orders.js'
import { type Decimal, decimal, formatDecimal, ONE } from '../../engine/math/decimal.js'
import { formatRational, hundredths, rational } from '../../engine/math/rational.js'
import { ArithmeticAbort } from '../../engine/math/uint.js'
import type { OperationContext } from '../context.js'
import { type CoinDocument, coinDocument, marketHead } from '../route-document.js'
import type { PairSummary, SnapshotAnswer } from './book-answer.js'

export type { PairSummary, SnapshotAnswer } from './book-answer.js'

/** How far from the mid depth is counted, in percent. */
const WITHIN = 2n

/** What a market holds: its pairs with prices, spreads and depth, and what was left out and why. */
export async function snapshot(context: OperationContext): Promise<SnapshotAnswer> {
  const { market } = await context.openMarket()
  return {
    ...marketHead(market),
    tokens: market.tokens.size,
    router: {
      address: market.router.address,
      dialect: market.router.dialect,
      fee_bps: Number(market.router.feeBps),
    },
    pairs: [...market.books.values()].map(summarizePair),
  }
}

/** The figures of one pair. */
export function summarizePair(book: Book): PairSummary {
  const { pair, makers, exact } = book.state
  const [bid, ask] = [bestOf(book, 'bid'), bestOf(book, 'ask')]
  const both = bid !== undefined && ask !== undefined
  const mid = both ? decimal((ask + bid) / 2n) : undefined
  return {
    address: pair.address,
    base: pair.base,
    quote: pair.quote,
    fin_version: pair.version ?? null,
    makers: makers.length,
    best_bid: bid === undefined ? null : formatDecimal(decimal(bid)),
    best_ask: ask === undefined ? null : formatDecimal(decimal(ask)),
    mid_price: both ? formatRational(rational(ask + bid, 2n * ONE)) : null,
    spread_bps: both ? hundredths(rational(2n * (ask - bid), ask + bid), 10_000n) : null,
    bid_depth: depthNear(book, 'bid', mid),
    ask_depth: depthNear(book, 'ask', mid),
    exact,
  }
}

/** What rests between the mid and 2 % from it. Without a mid there is no such range. */
function depthNear(book: Book, side: Side, mid: Decimal | undefined): CoinDocument | null {
  if (mid === undefined) return null
  const edge = decimal(
    side === 'ask' ? (mid * (100n + WITHIN)) / 100n : (mid * (100n - WITHIN)) / 100n,
  )
  let amount = 0n
  for (const group of readableGroups(book.simulatedSide(side))) {
    if (isBetter(side, edge, group.rate)) break
    amount += groupTotal(group)
  }
  return coinDocument({ denom: askDenom(book.state.pair, side), amount })
}

/** The groups of a side, best first, up to one that the contract aborts on. */
export function* readableGroups(side: CompiledSide): Generator<Group> {
  try {
    for (let i = 0; ; i += 1) {
      const group = groupAt(side, i)
      if (group === undefined) return
      yield group
    }
  } catch (error) {
    if (!(error instanceof ArithmeticAbort)) throw error
  }
}
