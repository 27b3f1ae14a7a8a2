import type { Static } from 'typebox'
import * as Type from 'typebox'
import * as Doc from '../document-schema.js'

/** Arguments of `swap price`. */
export const PriceRequest = Doc.closedObject({
  base: Doc.text('Bank denom of the token that is priced.'),
  quote: Type.Optional(
    Doc.text('The token that the price is in; by default the dollar reference. Bank denom.'),
  ),
})
export type PriceRequest = Static<typeof PriceRequest>

/** Arguments of `swap pairs`. */
export const PairsRequest = Doc.closedObject({
  token: Type.Optional(Doc.text('Only pairs that trade this bank denom.')),
})
export type PairsRequest = Static<typeof PairsRequest>

/** A token with its display data; built by `namedDenom`. */
export const NamedDenom = Doc.closedObject({ denom: Doc.DenomText, ...Doc.tokenMembers })
export type NamedDenom = Doc.DocumentOf<typeof NamedDenom>

const price = (description: string) =>
  Doc.textOrNull(
    `${description}: units of the quote for one of the base; a decimal, rounded down. Null where a side is empty.`,
  )

const Depth = Doc.orNull(
  Doc.object('What rests within 2 % of the mid price of the pair.', {
    denom: Doc.DenomText,
    amount: Doc.AmountText,
    usd: Doc.textOrNull('At the mid prices; a decimal, rounded down.'),
  }),
)

const DayVolume = Doc.orNull(
  Doc.object('Traded through the router in the day, in the base of the pair.', {
    swaps: Doc.count('Executed hops through the pair.'),
    denom: Doc.DenomText,
    amount: Doc.AmountText,
    usd: Doc.textOrNull(
      'Of those with a price, at the mid prices of their blocks; null where none has one.',
    ),
  }),
)

const Day = Doc.orNull(
  Doc.object('The 24 hours of the history index; null where it does not cover them.', {
    from: Doc.text('Block time, RFC 3339.'),
    to: Doc.text('Of the newest indexed block, at most the block of the answer; RFC 3339.'),
  }),
)

const sides = {
  base: Doc.object('The token that is priced.', NamedDenom.properties),
  quote: Doc.object('The token that prices are in.', NamedDenom.properties),
}

const figures = {
  mid_price: price('Middle between the best bid and the best ask'),
  best_bid: price('Highest price of a buyer'),
  best_ask: price('Lowest price of a seller'),
  spread_bps: Doc.SpreadBps,
  bid_depth: Depth,
  ask_depth: Depth,
  volume_24h: DayVolume,
}

/** The answer of `swap price --json`. */
export const PriceAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  ...sides,
  ...figures,
  inverse: Doc.textOrNull('Units of the base for one of the quote, at the mid price.'),
  price_usd: Doc.textOrNull('Dollars for one of the base; a decimal.'),
  path: Doc.listOf(
    'Denoms from the base to the quote: two where a pair trades them directly. Over several pairs the prices are products, and there is no depth.',
    Doc.DenomText,
  ),
  pairs: Doc.listOf('The pairs of the path.', Doc.PairAddress),
  day: Day,
  change_24h_percent: Doc.numberOrNull(
    'Change of the price since the beginning of the day, by dollar prices of both tokens; null if unknown.',
  ),
})
export type PriceAnswer = Doc.DocumentOf<typeof PriceAnswer>

const PairListing = Doc.closedObject({
  address: Doc.PairAddress,
  ...sides,
  ...figures,
  exact: Doc.flag('False where something that quotes rest on is unknown.'),
})
export type PairListing = Doc.DocumentOf<typeof PairListing>

/** The answer of `swap pairs --json`. */
export const PairsAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  pairs: Doc.listOf(
    'By the dollar value of both depths, descending; then by address.',
    PairListing,
  ),
  day: Day,
})
export type PairsAnswer = Doc.DocumentOf<typeof PairsAnswer>
