import { Type } from 'typebox'
import { VerifiedRoutes } from './chain-answers.js'
import { AmountAnswer, CoinAnswer, closedObject, marketHead, orNull } from './market-schemas.js'

const Price = Type.String({ description: 'A decimal of at most 18 significant digits.' })
const Impact = orNull(
  Type.Number({ description: 'Worse than the mid price by this much, fees excluded.' }),
)

/** One swap of a path through one pair. */
export const HopAnswer = closedObject({
  address: Type.String(),
  input: CoinAnswer,
  output: CoinAnswer,
  fee: CoinAnswer,
  levels_used: Type.Integer(),
  depth_used_percent: Type.Number(),
  price_impact_bps: Impact,
  exact: Type.Boolean(),
})

/** The message of the contract call, as the network's router reads it. */
export const MessageAnswer = Type.Object(
  {
    swap: Type.Object(
      {
        stages: Type.Array(Type.Unknown()),
        min_return: CoinAnswer,
        recipient: Type.Optional(Type.String()),
        affiliate_code: Type.Optional(Type.String()),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

export const RejectedAnswer = closedObject({
  path: Type.Array(Type.String()),
  reason: Type.String(),
  detail: Type.String(),
})

/** One way to swap. */
export const RankedRoute = closedObject({
  id: Type.String({ description: 'The same path has the same id in every answer.' }),
  expected_output: AmountAnswer,
  simulated_output: orNull(AmountAnswer),
  exact: Type.Boolean({
    description: 'False where something that the numbers rest on is unknown.',
  }),
  min_return: AmountAnswer,
  gross_output: AmountAnswer,
  price_impact_bps: Impact,
  price: Price,
  mid_price: orNull(Price),
  gap_bps: Type.Number({ description: 'How far below the best route this one is.' }),
  path: Type.Array(Type.String()),
  hops: Type.Array(HopAnswer),
  fees: closedObject({
    venue: Type.Array(CoinAnswer),
    protocol: CoinAnswer,
    referral: CoinAnswer,
    affiliate: CoinAnswer,
  }),
  tx: MessageAnswer,
  funds: CoinAnswer,
})

/** Levels consumed, hop by hop. */
export const LevelsAnswer = Type.Array(
  closedObject({
    address: Type.String(),
    levels: Type.Array(
      closedObject({
        rate: Type.String(),
        sold: AmountAnswer,
        bought: AmountAnswer,
        parts: Type.Array(
          closedObject({ source: Type.String(), sold: AmountAnswer, bought: AmountAnswer }),
        ),
      }),
    ),
  }),
)

const Explained = closedObject({
  examined: Type.Integer(),
  levels: LevelsAnswer,
  lost: Type.Array(
    closedObject({
      id: Type.String(),
      gap_bps: Type.Number(),
      impact_bps: orNull(Type.Number()),
      venue_fees_bps: Type.Number(),
      hops: Type.Integer(),
    }),
  ),
  rejected: Type.Array(RejectedAnswer),
})

/** The answer of `POST /swap/route`. */
export const RouteAnswer = Type.Object(
  {
    ...marketHead,
    input: CoinAnswer,
    output: Type.Object(
      { denom: Type.String(), amount: Type.Optional(AmountAnswer) },
      { additionalProperties: false },
    ),
    slippage_bps: Type.Integer(),
    single_best: closedObject({ id: Type.String(), expected_output: AmountAnswer }),
    routes: Type.Array(RankedRoute),
    explain: Type.Optional(Explained),
    verify: Type.Optional(VerifiedRoutes),
  },
  { additionalProperties: false },
)
