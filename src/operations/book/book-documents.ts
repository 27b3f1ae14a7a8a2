import * as Type from 'typebox'
import * as Doc from '../document-schema.js'

const Price = Doc.textOrNull('Quote per base, in atomics; a decimal.')

const PairSummary = Doc.object('The figures of one pair; prices are quote per base, in atomics.', {
  address: Doc.PairAddress,
  base: Doc.DenomText,
  quote: Doc.DenomText,
  fin_version: Doc.textOrNull('Version of the contract, where it is known.'),
  makers: Doc.count('Market makers of the pair.'),
  best_bid: Price,
  best_ask: Price,
  mid_price: Price,
  spread_bps: Doc.SpreadBps,
  bid_depth: Doc.orNull(Doc.coin('Quote that buyers offer within 2 % of the mid price.')),
  ask_depth: Doc.orNull(Doc.coin('Base that sellers offer within 2 % of the mid price.')),
  exact: Doc.flag('False where something that quotes rest on is unknown.'),
})
export type PairSummary = Doc.DocumentOf<typeof PairSummary>

/** The answer of `swap snapshot show --json`. */
export const SnapshotAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  tokens: Doc.count('Number of tokens that open pairs trade.'),
  router: Doc.object('The router of the network.', {
    address: Doc.text('Address of the router contract.'),
    dialect: Doc.text('Order and denoms of its stages: forward or stack.'),
    fee_bps: Doc.count('Fee of the protocol.'),
  }),
  pairs: Doc.listOf(
    'Every open pair, by the dollar value of both depths, descending; then by address.',
    PairSummary,
  ),
})
export type SnapshotAnswer = Doc.DocumentOf<typeof SnapshotAnswer>

/** The answer of `swap snapshot save --json`. */
export const SnapshotSaved = Doc.closedObject({
  path: Doc.text('Path of the file.'),
  bytes: Doc.count('Its size.'),
  network: Doc.text('Network of the market.'),
  height: Doc.count('Block of the market.'),
  pairs: Doc.count('Pairs in it.'),
  excluded: Doc.count('Pairs that are left out.'),
})

const SourceDocument = Doc.closedObject({
  source: Doc.text('Kind of the limit orders, or the address of a market maker.'),
  amount: Doc.atomics('Its part of the level.'),
})
/** A source of a level: limit orders by their kind, or a market maker by its address. */
export type SourceDocument = Doc.DocumentOf<typeof SourceDocument>

/** All liquidity at one rate, in the denom that the taker receives. */
const BookLevelDocument = Doc.closedObject({
  rate: Doc.text('Quote per base, in atomics.'),
  amount: Doc.coin('Offered at this rate.'),
  depth: Doc.atomics('Offered at this rate and better ones.'),
  sources: Doc.listOf('Limit orders and market makers.', SourceDocument),
})
export type BookLevelDocument = Doc.DocumentOf<typeof BookLevelDocument>

const SideDocument = Doc.object('One side of the book: asks sell the base, bids buy it.', {
  levels: Doc.listOf('Best price first.', BookLevelDocument),
  more: Doc.flag('Whether more levels follow.'),
})
export type SideDocument = Doc.DocumentOf<typeof SideDocument>

const WalkDocument = Doc.object('How far an amount walks into the book.', {
  side: Doc.word<'ask' | 'bid'>('Side that is traded with: ask or bid.'),
  input: Doc.coin('Sold.'),
  unsold: Doc.atomics('Of the amount, what the pair does not take; 0 where all fits.'),
  output: Doc.coin('Bought, after the fee of the pair.'),
  levels_used: Doc.count('Price levels that are traded with.'),
  depth_used_percent: Doc.number('Share of the depth of that side, in percent.'),
  price_impact_bps: Doc.numberOrNull(
    'How much worse the average price is than the mid price, in bps; fees excluded.',
  ),
  rate: Doc.text('Of the last level.'),
})
export type WalkDocument = Doc.DocumentOf<typeof WalkDocument>

/** The answer of `swap book --json`; `walk` with `--amount`. */
export const BookAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  pair: PairSummary,
  asks: SideDocument,
  bids: SideDocument,
  walk: Type.Optional(WalkDocument),
})
export type BookAnswer = Doc.DocumentOf<typeof BookAnswer>
