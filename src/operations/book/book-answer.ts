import * as Type from 'typebox'
import {
  AmountText,
  atomicsOf,
  closedObject,
  coinOf,
  DenomText,
  type DocumentOf,
  marketHeadMembers,
  orNull,
  PairAddress,
  wordOf,
} from '../document-schema.js'

const Price = orNull(Type.String({ description: 'Quote per base, in atomics; a decimal.' }))

/** The figures of one pair; prices are quote per base, in atomics. */
const PairSummary = closedObject({
  address: PairAddress,
  base: DenomText,
  quote: DenomText,
  fin_version: orNull(Type.String({ description: 'Version of the contract, where it is known.' })),
  makers: Type.Integer({ description: 'Market makers of the pair.' }),
  best_bid: Price,
  best_ask: Price,
  mid_price: Price,
  spread_bps: orNull(
    Type.Number({
      description: 'Best ask less best bid over the mid price; negative where the book is crossed.',
    }),
  ),
  bid_depth: orNull(coinOf('Quote that buyers offer within 2 % of the mid price.')),
  ask_depth: orNull(coinOf('Base that sellers offer within 2 % of the mid price.')),
  exact: Type.Boolean({ description: 'False where something that quotes rest on is unknown.' }),
})
export type PairSummary = DocumentOf<typeof PairSummary>

/** The answer of `swap snapshot show --json`. */
export const SnapshotAnswer = closedObject({
  ...marketHeadMembers,
  tokens: Type.Integer({ description: 'Number of tokens.' }),
  router: closedObject({
    address: Type.String({ description: 'Address of the router contract.' }),
    dialect: Type.String({ description: 'Order and denoms of its stages: forward or stack.' }),
    fee_bps: Type.Integer({ description: 'Fee of the protocol.' }),
  }),
  pairs: Type.Array(PairSummary, {
    description:
      'Every open pair, by the dollar value of both depths, descending; then by address.',
  }),
})
export type SnapshotAnswer = DocumentOf<typeof SnapshotAnswer>

const SourceDocument = closedObject({
  source: Type.String({
    description: 'Kind of the limit orders, or the address of a market maker.',
  }),
  amount: AmountText,
})
/** Part of a level: limit orders by their kind, or a market maker by its address. */
export type SourceDocument = DocumentOf<typeof SourceDocument>

/** Everything of one rate, in the denom that the taker receives. */
const BookLevelDocument = closedObject({
  rate: Type.String({ description: 'Quote per base, in atomics.' }),
  amount: coinOf('Offered at this rate.'),
  depth: AmountText,
  sources: Type.Array(SourceDocument, { description: 'Limit orders and market makers.' }),
})
export type BookLevelDocument = DocumentOf<typeof BookLevelDocument>

/** One side, best price first. */
const SideDocument = closedObject({
  levels: Type.Array(BookLevelDocument, { description: 'Best price first.' }),
  more: Type.Boolean({ description: 'Whether more levels follow.' }),
})
export type SideDocument = DocumentOf<typeof SideDocument>

/** How far an amount walks into a book. */
const WalkDocument = closedObject({
  side: wordOf<'ask' | 'bid'>('Side that is traded with: ask or bid.'),
  input: coinOf('Sold.'),
  unsold: atomicsOf('Of the amount, what the pair does not take; 0 where all fits.'),
  output: coinOf('Bought, after the fee of the pair.'),
  levels_used: Type.Integer({ description: 'Price levels that are traded with.' }),
  depth_used_percent: Type.Number({ description: 'Share of the resting depth, in percent.' }),
  price_impact_bps: orNull(Type.Number({ description: 'Worse than the mid price, in bps.' })),
  rate: orNull(Type.String({ description: 'Of the last level; null where it is not known.' })),
})
export type WalkDocument = DocumentOf<typeof WalkDocument>

const bookMembers = {
  ...marketHeadMembers,
  pair: PairSummary,
  asks: SideDocument,
  bids: SideDocument,
}
const Book = closedObject(bookMembers)
export type BookAnswer = DocumentOf<typeof Book>

/** The answer of `swap book --json`; `walk` with `--amount`. */
export const BookAnswer = closedObject({ ...bookMembers, walk: Type.Optional(WalkDocument) })
