import type { Static } from 'typebox'
import * as Type from 'typebox'
import {
  AmountText,
  closedObject,
  countOf,
  DenomText,
  type DocumentOf,
  flagOf,
  marketHeadMembers,
  numberOrNull,
  objectOf,
  orNull,
  PairAddress,
  textOf,
  textOrNull,
} from '../document-schema.js'

/** Arguments of `swap price`. */
export const PriceRequest = closedObject({
  base: textOf('Bank denom of the token that is priced.'),
  quote: Type.Optional(
    textOf('The token that the price is in; by default the dollar reference. Bank denom.'),
  ),
})
export type PriceRequest = Static<typeof PriceRequest>

/** Arguments of `swap pairs`. */
export const PairsRequest = closedObject({
  token: Type.Optional(textOf('Only pairs that trade this bank denom.')),
})
export type PairsRequest = Static<typeof PairsRequest>

/** A token with its display data; built by `namedDenom`. */
export const NamedDenom = closedObject({
  denom: DenomText,
  symbol: textOf('Short name; not unique.'),
  decimals: countOf('Digits between atomics and a displayed unit.'),
})
export type NamedDenom = DocumentOf<typeof NamedDenom>

const price = (description: string) =>
  textOrNull(
    `${description}: units of the quote for one of the base; a decimal, rounded down. Null where a side is empty.`,
  )

const Depth = orNull(
  objectOf('What rests within 2 % of the mid price of the pair.', {
    denom: DenomText,
    amount: AmountText,
    usd: textOrNull('At the mid prices; a decimal, rounded down.'),
  }),
)

const DayVolume = orNull(
  objectOf('Traded through the router in the day, in the base of the pair.', {
    swaps: countOf('Executed hops through the pair.'),
    denom: DenomText,
    amount: AmountText,
    usd: textOrNull('At the mid prices of their blocks; null where none is known.'),
  }),
)

const Day = orNull(
  objectOf('The 24 hours of the history index; null where it does not cover them.', {
    from: textOf('Block time, RFC 3339.'),
    to: textOf('Of the newest indexed block, at most the block of the answer; RFC 3339.'),
  }),
)

const sides = {
  base: objectOf('The token that is priced.', NamedDenom.properties),
  quote: objectOf('The token that prices are in.', NamedDenom.properties),
}

const figures = {
  mid_price: price('Middle between the best bid and the best ask'),
  best_bid: price('Highest price of a buyer'),
  best_ask: price('Lowest price of a seller'),
  spread_bps: numberOrNull(
    'Best ask less best bid over the mid price; negative where the book is crossed.',
  ),
  bid_depth: Depth,
  ask_depth: Depth,
  volume_24h: DayVolume,
}

/** The answer of `swap price --json`. */
export const PriceAnswer = closedObject({
  ...marketHeadMembers,
  ...sides,
  ...figures,
  inverse: textOrNull('Units of the base for one of the quote, at the mid price.'),
  price_usd: textOrNull('Dollars for one of the base; a decimal.'),
  path: Type.Array(DenomText, {
    description:
      'Denoms from the base to the quote: two where a pair trades them directly. Over several pairs the prices are products, and there is no depth.',
  }),
  pairs: Type.Array(PairAddress, { description: 'The pairs of the path.' }),
  day: Day,
  change_24h_percent: numberOrNull(
    'Change of the price since the beginning of the day, by dollar prices of both tokens; null if unknown.',
  ),
})
export type PriceAnswer = DocumentOf<typeof PriceAnswer>

const PairListing = closedObject({
  address: PairAddress,
  ...sides,
  ...figures,
  exact: flagOf('False where something that quotes rest on is unknown.'),
})
export type PairListing = DocumentOf<typeof PairListing>

/** The answer of `swap pairs --json`. */
export const PairsAnswer = closedObject({
  ...marketHeadMembers,
  pairs: Type.Array(PairListing, {
    description: 'By the dollar value of both depths, descending; then by address.',
  }),
  day: Day,
})
export type PairsAnswer = DocumentOf<typeof PairsAnswer>
