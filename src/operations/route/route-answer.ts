import * as Type from 'typebox'
import {
  AmountText,
  atomicsOf,
  CoinDocument,
  closedObject,
  coinOf,
  coinsOf,
  countOf,
  DenomPath,
  DenomText,
  type DocumentOf,
  flagOf,
  marketHeadMembers,
  numberOf,
  numberOrNull,
  OrderSide,
  objectOf,
  objectsOf,
  orNull,
  PairAddress,
  textOf,
  textOrNull,
} from '../document-schema.js'
import { SlippageChoice } from '../slippage/slippage-answer.js'
import { VerifiedCall, verificationOf } from './verification-answer.js'

export const RouteId = textOf('The same path has the same id in every answer.')
const ExpectedOutput = atomicsOf('What the recipient receives, after all fees.')
export const PriceText = textOf('A decimal of at most 18 significant digits.')
export const ImpactBps = numberOrNull('Worse than the mid price by this much, fees excluded.')
export const SlippageBps = countOf('Slippage that `min_return` allows, in bps.')

export const DollarsText = textOrNull(
  'Dollars at the mid prices of the books; null without a price.',
)

/** In parts (docs/api.md#cost). */
export const CostDocument = objectOf('Cost against the mid prices; null where a path has none.', {
  cost_bps: numberOf('How far the output is below what the mid prices promise.'),
  impact_bps: numberOf('Part of the books: worse prices than the mid prices.'),
  venue_fees_bps: numberOf('Part of the fees of the pairs.'),
  protocol_fee_bps: numberOf('Part of the fee of the protocol, its referral included.'),
  affiliate_fee_bps: numberOf('Part of the fee of the affiliate.'),
  cost_usd: textOrNull('The same share of the dollars that the input is worth.'),
})
export type CostDocument = DocumentOf<typeof CostDocument>

/** One swap of a path through one pair. */
const HopDocument = closedObject({
  address: PairAddress,
  input: coinOf('Offered to the pair.'),
  output: coinOf('Paid by the pair, after its fee.'),
  fee: coinOf('Fee of the pair, taken from the output.'),
  levels_used: countOf('Price levels that the hop trades with.'),
  depth_used_percent: numberOf(
    'Share of the depth of that side that the hop consumes, in percent.',
  ),
  price_impact_bps: ImpactBps,
  exact: flagOf('False where the state of the pair is not fully known.'),
})
export type HopDocument = DocumentOf<typeof HopDocument>

/** One stage of a message, in the dialect of the router. */
export const StageDocument = closedObject({ address: PairAddress, denom: DenomText })

export const MessageDocument = objectOf('The message of the contract call; unsigned.', {
  swap: objectOf('The path, the least output and the recipient.', {
    stages: Type.Array(StageDocument, {
      description: 'Pairs with their denoms, in the dialect of the router.',
    }),
    min_return: coinOf('The router fails below this output.'),
    recipient: Type.Optional(textOf('Address that is paid; the sender where it is left out.')),
    affiliate_code: Type.Optional(textOf('Registered code of the affiliate.')),
  }),
})

export const RejectedDocument = closedObject({
  path: Type.Array(PairAddress, { description: 'Pairs in order of execution.' }),
  reason: textOf('A word for scripts.'),
  detail: textOf('The reason as a sentence.'),
})
export type RejectedDocument = DocumentOf<typeof RejectedDocument>

const GasText = Type.String({
  pattern: '^[1-9][0-9]*$',
  description: 'Estimated gas: of the transaction, or of the message of a leg.',
})

export const RejectedPaths = Type.Array(RejectedDocument, {
  description: 'Paths that were examined and rejected, with the reason.',
})

/** One ranked route (docs/api.md#route-answer). */
export const RouteDocument = closedObject({
  id: RouteId,
  expected_output: ExpectedOutput,
  expected_output_usd: DollarsText,
  simulated_output: orNull(
    atomicsOf('What the `simulate` of the router answers; null where it fails.'),
  ),
  exact: flagOf('False where something that the numbers rest on is unknown.'),
  min_return: atomicsOf('What the message demands: below it the router fails.'),
  min_return_usd: DollarsText,
  gross_output: atomicsOf('Output before the fees of the router.'),
  gas_estimate: GasText,
  price_impact_bps: ImpactBps,
  cost: orNull(CostDocument),
  price: PriceText,
  mid_price: orNull(PriceText),
  gap_bps: numberOf('How far its output is below that of the best route, or its input above.'),
  path: DenomPath,
  hops: Type.Array(HopDocument, { description: 'In order of execution.' }),
  fees: objectOf('What the pairs and the router take.', {
    venue: Type.Array(CoinDocument, { description: 'Fee of each pair, in the order of the hops.' }),
    protocol: coinOf('Fee of the protocol.'),
    referral: coinOf('Part of the protocol fee that goes to the referrer.'),
    affiliate: coinOf('Fee of the affiliate.'),
  }),
  tx: MessageDocument,
  funds: coinOf('The coin to attach to the contract call.'),
})
export type RouteDocument = DocumentOf<typeof RouteDocument>

const Sold = atomicsOf('Offered to it.')
const Bought = atomicsOf('Taken from it, before the fee of the pair.')

/** Levels consumed, hop by hop. */
export const ConsumedLevels = objectsOf('Every level that the hops consume, hop by hop.', {
  address: PairAddress,
  levels: objectsOf('Best price first.', {
    rate: textOf('Quote per base, in atomics.'),
    sold: Sold,
    bought: Bought,
    parts: objectsOf('Limit orders and market makers of the level.', {
      source: textOf('Kind of the limit orders, or the address of a market maker.'),
      sold: Sold,
      bought: Bought,
    }),
  }),
})

const Explanation = objectOf('What the search examined, consumed and rejected.', {
  examined: countOf('Paths that were examined.'),
  levels: ConsumedLevels,
  lost: objectsOf('The other routes of the answer: why they pay less.', {
    id: RouteId,
    gap_bps: numberOf('How far its output is below that of the best route, or its input above.'),
    impact_bps: numberOrNull('Its price impact.'),
    venue_fees_bps: numberOf('Fees of its pairs together.'),
    hops: countOf('Pairs on its path.'),
  }),
  rejected: RejectedPaths,
})
export type Explanation = DocumentOf<typeof Explanation>

/** The contracts' own numbers for one route. */
const VerifiedRoute = closedObject({ id: RouteId, ...VerifiedCall.properties })

const Verification = verificationOf(VerifiedRoute)
export type Verification = DocumentOf<typeof Verification>

/** What to change if the search ended at its budget. */
export const SearchCut = Type.Optional(
  textOf(
    'The search ended at its budget of work: what to change for a complete one. Left out where it was complete.',
  ),
)

export const SingleBest = objectOf('The best single path for all; null where there is none.', {
  id: RouteId,
  expected_output: ExpectedOutput,
})

export const AnswerOutput = objectOf(
  'The token that is bought, and the amount if it was requested.',
  {
    denom: DenomText,
    amount: Type.Optional(AmountText),
  },
)

const tokenOf = (description: string) =>
  objectOf(description, {
    symbol: textOf('Short name; not unique.'),
    decimals: countOf('Digits between atomics and a displayed unit.'),
  })

/** Display data of both sides, and the input's worth. */
export const displayMembers = {
  input_token: tokenOf('The token that is sold.'),
  input_usd: DollarsText,
  output_token: tokenOf('The token that is bought.'),
} as const

/** Of `allow_direct` (docs/api.md#route-answer). */
export const DirectOrder = orNull(
  objectOf('An immediate-or-cancel order that pays more than the best route; null for none.', {
    pair: PairAddress,
    side: OrderSide,
    price: textOf('Limit price with the slippage, quote per base in atomics.'),
    amount: atomicsOf('What is bought or sold, in the pair’s base denom.'),
    expected_output: atomicsOf('What it pays, after the taker fee.'),
    gain_bps: numberOf('How far that is above the best route.'),
    funds: coinsOf('Coins to send with the message; at most the input.'),
    tx: Type.Unknown({ description: 'The message for the pair; unsigned.' }),
  }),
)
export type DirectOrder = DocumentOf<typeof DirectOrder>

/** The answer of `POST /swap/route` and of `swap route --json`. */
export const RouteAnswer = closedObject({
  ...marketHeadMembers,
  input: coinOf('What is sold.'),
  output: AnswerOutput,
  ...displayMembers,
  slippage_bps: SlippageBps,
  single_best: SingleBest,
  routes: Type.Array(RouteDocument, { description: 'Best first.' }),
  search_cut: SearchCut,
  direct: Type.Optional(DirectOrder),
  explain: Type.Optional(Explanation),
  verify: Type.Optional(Verification),
  slippage: Type.Optional(SlippageChoice),
})
export type RouteAnswer = DocumentOf<typeof RouteAnswer>
