import * as Type from 'typebox'
import {
  atomicsOf,
  closedObject,
  coinOf,
  countOf,
  DenomText,
  type DocumentOf,
  flagOf,
  marketHeadMembers,
  numberOf,
  numberOrNull,
  objectOf,
  orNull,
  PairAddress,
  textOf,
  textOrNull,
  wordOf,
} from '../document-schema.js'

const Price = textOrNull('Quote per base, in atomics; a decimal.')

const PairSummary = objectOf('The figures of one pair; prices are quote per base, in atomics.', {
  address: PairAddress,
  base: DenomText,
  quote: DenomText,
  fin_version: textOrNull('Version of the contract, where it is known.'),
  makers: countOf('Market makers of the pair.'),
  best_bid: Price,
  best_ask: Price,
  mid_price: Price,
  spread_bps: numberOrNull(
    'Best ask less best bid over the mid price; negative where the book is crossed.',
  ),
  bid_depth: orNull(coinOf('Quote that buyers offer within 2 % of the mid price.')),
  ask_depth: orNull(coinOf('Base that sellers offer within 2 % of the mid price.')),
  exact: flagOf('False where something that quotes rest on is unknown.'),
})
export type PairSummary = DocumentOf<typeof PairSummary>

/** The answer of `swap snapshot show --json`. */
export const SnapshotAnswer = closedObject({
  ...marketHeadMembers,
  tokens: countOf('Number of tokens that open pairs trade.'),
  router: objectOf('The router of the network.', {
    address: textOf('Address of the router contract.'),
    dialect: textOf('Order and denoms of its stages: forward or stack.'),
    fee_bps: countOf('Fee of the protocol.'),
  }),
  pairs: Type.Array(PairSummary, {
    description:
      'Every open pair, by the dollar value of both depths, descending; then by address.',
  }),
})
export type SnapshotAnswer = DocumentOf<typeof SnapshotAnswer>

/** The answer of `swap snapshot save --json`. */
export const SnapshotSaved = closedObject({
  path: textOf('Path of the file.'),
  bytes: countOf('Its size.'),
  network: textOf('Network of the market.'),
  height: countOf('Block of the market.'),
  pairs: countOf('Pairs in it.'),
  excluded: countOf('Pairs that are left out.'),
})

const SourceDocument = closedObject({
  source: textOf('Kind of the limit orders, or the address of a market maker.'),
  amount: atomicsOf('Its part of the level.'),
})
/** A source of a level: limit orders by their kind, or a market maker by its address. */
export type SourceDocument = DocumentOf<typeof SourceDocument>

/** All liquidity at one rate, in the denom that the taker receives. */
const BookLevelDocument = closedObject({
  rate: textOf('Quote per base, in atomics.'),
  amount: coinOf('Offered at this rate.'),
  depth: atomicsOf('Offered at this rate and better ones.'),
  sources: Type.Array(SourceDocument, { description: 'Limit orders and market makers.' }),
})
export type BookLevelDocument = DocumentOf<typeof BookLevelDocument>

const SideDocument = objectOf('One side of the book: asks sell the base, bids buy it.', {
  levels: Type.Array(BookLevelDocument, { description: 'Best price first.' }),
  more: flagOf('Whether more levels follow.'),
})
export type SideDocument = DocumentOf<typeof SideDocument>

const WalkDocument = objectOf('How far an amount walks into the book.', {
  side: wordOf<'ask' | 'bid'>('Side that is traded with: ask or bid.'),
  input: coinOf('Sold.'),
  unsold: atomicsOf('Of the amount, what the pair does not take; 0 where all fits.'),
  output: coinOf('Bought, after the fee of the pair.'),
  levels_used: countOf('Price levels that are traded with.'),
  depth_used_percent: numberOf('Share of the depth of that side, in percent.'),
  price_impact_bps: numberOrNull(
    'How much worse the average price is than the mid price, in bps; fees excluded.',
  ),
  rate: textOrNull('Of the last level; null where it is not known.'),
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
