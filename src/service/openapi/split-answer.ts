import { Type } from 'typebox'
import { VerifiedSplits } from './chain-answers.js'
import { AmountAnswer, CoinAnswer, closedObject, marketHead, orNull } from './market-schemas.js'
import { LevelsAnswer, MessageAnswer, RankedRoute, RejectedAnswer } from './route-answer.js'

const closed = { additionalProperties: false } as const

const Share = closedObject({
  fraction: Type.String({ description: 'Of the input; a decimal, 1 for all of it.' }),
  amount: AmountAnswer,
})

const leg = RankedRoute.properties

const Leg = closedObject({
  split: Share,
  expected_output: leg.expected_output,
  min_return: leg.min_return,
  price_impact_bps: leg.price_impact_bps,
  simulated_output: leg.simulated_output,
  exact: leg.exact,
  path: leg.path,
  hops: leg.hops,
  fees: leg.fees,
  tx: leg.tx,
  funds: leg.funds,
})

const measures = {
  gap_bps: Type.Number(),
  gain_over_single_bps: orNull(
    Type.Number({ description: 'What the division earns over the best single path.' }),
  ),
  optimum_gap_bps: orNull(
    Type.Number({ description: 'No division over any paths pays more than this above it.' }),
  ),
}

const Division = Type.Object(
  {
    id: Type.String(),
    expected_output: AmountAnswer,
    min_return: AmountAnswer,
    price_impact_bps: leg.price_impact_bps,
    price: leg.price,
    ...measures,
    legs: Type.Array(Leg),
    tx: Type.Optional(MessageAnswer),
    funds: Type.Optional(CoinAnswer),
  },
  closed,
)

const point = {
  id: Type.String(),
  expected_output: AmountAnswer,
  ...measures,
  legs: Type.Array(closedObject({ split: Share, path: Type.Array(Type.String()) })),
}

const Explained = closedObject({
  examined: Type.Integer({ description: 'Paths that were looked at for one step more.' }),
  step: AmountAnswer,
  legs: Type.Array(
    closedObject({
      id: Type.String(),
      last_output: orNull(
        Type.String({ description: 'What all would pay less without the leg’s last step.' }),
      ),
      levels: LevelsAnswer,
    }),
  ),
  lost: Type.Array(
    closedObject({
      id: Type.String(),
      legs: Type.Integer(),
      gap_bps: Type.Number(),
      impact_bps: orNull(Type.Number()),
    }),
  ),
  unused: Type.Array(
    closedObject({
      id: Type.String(),
      path: Type.Array(Type.String()),
      hops: Type.Integer(),
      gap_bps: Type.Number({
        description: 'How much less all would pay if the weakest step took this path.',
      }),
    }),
  ),
  rejected: Type.Array(RejectedAnswer),
})

/** The answer of `POST /swap/sroute`. */
export const SplitAnswer = Type.Object(
  {
    ...marketHead,
    input: Type.Object(
      {
        denom: Type.String(),
        amount: AmountAnswer,
        split_step: Type.Optional(Type.Integer()),
      },
      closed,
    ),
    output: Type.Object({ denom: Type.String(), amount: Type.Optional(AmountAnswer) }, closed),
    slippage_bps: Type.Integer(),
    single_best: orNull(closedObject({ id: Type.String(), expected_output: AmountAnswer })),
    routes: Type.Array(Division),
    frontier: Type.Optional(
      closedObject({
        by_legs: Type.Array(closedObject({ max_legs: Type.Integer(), ...point })),
        by_steps: Type.Array(closedObject({ split_step: Type.Integer(), ...point })),
      }),
    ),
    explain: Type.Optional(Explained),
    verify: Type.Optional(VerifiedSplits),
  },
  closed,
)
