import * as Type from 'typebox'
import * as Doc from '../document-schema.js'
import { SlippageChoice } from '../slippage/slippage-documents.js'
import { VerifiedCall, verificationOf } from './verification-documents.js'

export const RouteId = Doc.text('The same path has the same id in every answer.')
const ExpectedOutput = Doc.atomics('What the recipient receives, after all fees.')
export const PriceText = Doc.text(
  'Display units of the output for one of the input, after all fees; at most 18 significant digits, rounded down.',
)
const MidPriceText = Doc.textOrNull(
  'The same at the mid prices of the path, without fees; null where a pair has none.',
)
export const ImpactBps = Doc.numberOrNull('Worse than the mid price by this much, fees excluded.')
export const SlippageBps = Doc.count('Slippage that `min_return` allows, in bps.')

export const DollarsText = Doc.textOrNull(
  'Dollars at the mid prices of the books; null without a price.',
)

/** In parts (docs/api.md#cost). */
export const CostDocument = Doc.object('Cost against the mid prices; null where a path has none.', {
  cost_bps: Doc.number('How far the output is below what the mid prices promise.'),
  impact_bps: Doc.number('Part of the books: worse prices than the mid prices.'),
  venue_fees_bps: Doc.number('Part of the fees of the pairs.'),
  protocol_fee_bps: Doc.number('Part of the fee of the protocol, its referral included.'),
  affiliate_fee_bps: Doc.number('Part of the fee of the affiliate.'),
  cost_usd: Doc.textOrNull('The same share of the dollars that the input is worth.'),
})
export type CostDocument = Doc.DocumentOf<typeof CostDocument>

/** One swap of a path through one pair. */
const HopDocument = Doc.closedObject({
  address: Doc.PairAddress,
  input: Doc.coin('Offered to the pair.'),
  output: Doc.coin('Paid by the pair, after its fee.'),
  fee: Doc.coin('Fee of the pair, taken from the output.'),
  levels_used: Doc.count('Price levels that the hop trades with.'),
  depth_used_percent: Doc.number(
    'Share of the depth of that side that the hop consumes, in percent.',
  ),
  price_impact_bps: ImpactBps,
  exact: Doc.flag('False where the state of the pair is not fully known.'),
})
export type HopDocument = Doc.DocumentOf<typeof HopDocument>

/** One stage of a message, in the dialect of the router. */
export const StageDocument = Doc.closedObject({ address: Doc.PairAddress, denom: Doc.DenomText })

export const MessageDocument = Doc.object('The message of the contract call; unsigned.', {
  swap: Doc.object('The path, the least output and the recipient.', {
    stages: Doc.listOf('Pairs with their denoms, in the dialect of the router.', StageDocument),
    min_return: Doc.coin('The router fails below this output.'),
    recipient: Type.Optional(Doc.text('Address that is paid; the sender where it is left out.')),
    affiliate_code: Type.Optional(Doc.text('Registered code of the affiliate.')),
  }),
})

export const RejectedDocument = Doc.closedObject({
  path: Doc.listOf('Pairs in order of execution.', Doc.PairAddress),
  reason: Doc.text('A word for scripts.'),
  detail: Doc.text('The reason as a sentence.'),
})
export type RejectedDocument = Doc.DocumentOf<typeof RejectedDocument>

const GasText = Type.String({
  pattern: '^[1-9][0-9]*$',
  description: 'Estimated gas: of the transaction, or of the message of a leg.',
})

/** Members of a transaction where gas has a price. */
export const NetworkFee = {
  network_fee: Type.Optional(
    Doc.coin('Fee of the transaction for its estimated gas; left out where gas is free.'),
  ),
  network_fee_usd: Type.Optional(DollarsText),
}

export const RejectedPaths = Doc.listOf(
  'Paths that were examined and rejected, with the reason.',
  RejectedDocument,
)

/** One ranked route (docs/api.md#route-answer). */
export const RouteDocument = Doc.closedObject({
  id: RouteId,
  expected_output: ExpectedOutput,
  expected_output_usd: DollarsText,
  simulated_output: Doc.orNull(
    Doc.atomics('What the `simulate` of the router answers; null where it fails.'),
  ),
  exact: Doc.flag('False where something that the numbers rest on is unknown.'),
  min_return: Doc.atomics('What the message demands: below it the router fails.'),
  min_return_usd: DollarsText,
  gross_output: Doc.atomics('Output before the fees of the router.'),
  gas_estimate: GasText,
  price_impact_bps: ImpactBps,
  cost: Doc.orNull(CostDocument),
  price: PriceText,
  mid_price: MidPriceText,
  gap_bps: Doc.number('How far its output is below that of the best route, or its input above.'),
  path: Doc.DenomPath,
  hops: Doc.listOf('In order of execution.', HopDocument),
  fees: Doc.object('What the pairs and the router take.', {
    venue: Doc.coins('Fee of each pair, in the order of the hops.'),
    protocol: Doc.coin('Fee of the protocol.'),
    referral: Doc.coin('Part of the protocol fee that goes to the referrer.'),
    affiliate: Doc.coin('Fee of the affiliate.'),
  }),
  tx: MessageDocument,
  funds: Doc.coin('The coin to attach to the contract call.'),
  ...NetworkFee,
})
export type RouteDocument = Doc.DocumentOf<typeof RouteDocument>

const Sold = Doc.atomics('Offered to it.')
const Bought = Doc.atomics('Taken from it, before the fee of the pair.')

/** Levels consumed, hop by hop. */
export const ConsumedLevels = Doc.objects('Every level that the hops consume, hop by hop.', {
  address: Doc.PairAddress,
  levels: Doc.objects('Best price first.', {
    rate: Doc.text('Quote per base, in atomics.'),
    sold: Sold,
    bought: Bought,
    parts: Doc.objects('Limit orders and market makers of the level.', {
      source: Doc.text('Kind of the limit orders, or the address of a market maker.'),
      sold: Sold,
      bought: Bought,
    }),
  }),
})

const Explanation = Doc.object('What the search examined, consumed and rejected.', {
  examined: Doc.count('Paths that were examined.'),
  levels: ConsumedLevels,
  lost: Doc.objects('The other routes of the answer: why they pay less.', {
    id: RouteId,
    gap_bps: Doc.number('How far its output is below that of the best route, or its input above.'),
    impact_bps: Doc.numberOrNull('Its price impact.'),
    venue_fees_bps: Doc.number('Fees of its pairs together.'),
    hops: Doc.count('Pairs on its path.'),
  }),
  rejected: RejectedPaths,
})
export type Explanation = Doc.DocumentOf<typeof Explanation>

/** The contracts' own numbers for one route. */
const Verification = verificationOf(Doc.closedObject({ id: RouteId, ...VerifiedCall.properties }))
export type Verification = Doc.DocumentOf<typeof Verification>

/** What to change if the search ended at its budget. */
export const SearchCut = Type.Optional(
  Doc.text(
    'The search ended at its budget of work: what to change for a complete one. Left out where it was complete.',
  ),
)

export const SingleBest = Doc.object('The best single path for all; null where there is none.', {
  id: RouteId,
  expected_output: ExpectedOutput,
})

export const AnswerOutput = Doc.object(
  'The token that is bought, and the amount if it was requested.',
  {
    denom: Doc.DenomText,
    amount: Type.Optional(Doc.AmountText),
  },
)

/** Display data of both sides, and the input's worth. */
export const displayMembers = {
  input_token: Doc.object('The token that is sold.', Doc.tokenMembers),
  input_usd: DollarsText,
  output_token: Doc.object('The token that is bought.', Doc.tokenMembers),
} as const

/** Of `allow_direct` (docs/api.md#route-answer). */
export const DirectOrder = Doc.orNull(
  Doc.object('An immediate-or-cancel order that pays more than the best route; null for none.', {
    pair: Doc.PairAddress,
    side: Doc.OrderSide,
    price: Doc.text('Limit price with the slippage, quote per base in atomics.'),
    amount: Doc.atomics('What is bought or sold, in the pair’s base denom.'),
    expected_output: Doc.atomics('What it pays, after the taker fee.'),
    gain_bps: Doc.number('How far that is above the best route.'),
    funds: Doc.coins('Coins to send with the message; at most the input.'),
    tx: Type.Unknown({ description: 'The message for the pair; unsigned.' }),
  }),
)
export type DirectOrder = Doc.DocumentOf<typeof DirectOrder>

/** The answer of `POST /swap/route` and of `swap route --json`. */
export const RouteAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  input: Doc.coin('What is sold.'),
  output: AnswerOutput,
  ...displayMembers,
  slippage_bps: SlippageBps,
  single_best: SingleBest,
  routes: Doc.listOf('Best first.', RouteDocument),
  search_cut: SearchCut,
  direct: Type.Optional(DirectOrder),
  explain: Type.Optional(Explanation),
  verify: Type.Optional(Verification),
  slippage: Type.Optional(SlippageChoice),
})
export type RouteAnswer = Doc.DocumentOf<typeof RouteAnswer>
