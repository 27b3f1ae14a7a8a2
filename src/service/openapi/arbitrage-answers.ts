import { Type } from 'typebox'
import { AmountAnswer, CoinAnswer, closedObject, marketHead, orNull } from './market-schemas.js'
import { MessageAnswer, RankedRoute } from './route-answer.js'

const closed = { additionalProperties: false } as const

const profit = {
  profit: CoinAnswer,
  profit_percent: Type.Number(),
  profit_usd: orNull(Type.String()),
}

const Opportunity = closedObject({
  id: Type.String(),
  path: Type.Array(Type.String()),
  input: CoinAnswer,
  output: CoinAnswer,
  ...profit,
  hops: RankedRoute.properties.hops,
  fees: RankedRoute.properties.fees,
  tx: MessageAnswer,
  funds: CoinAnswer,
})

/** The answer of `GET /swap/arbs`. */
export const ArbsAnswer = Type.Object(
  {
    ...marketHead,
    min_percent: Type.Number(),
    min_profit_usd: Type.Optional(Type.Number()),
    examined: Type.Integer(),
    opportunities: Type.Array(Opportunity),
  },
  closed,
)

const Execution = closedObject({
  input: CoinAnswer,
  output: CoinAnswer,
  min_return: CoinAnswer,
  tx: MessageAnswer,
  funds: CoinAnswer,
})

const Step = closedObject({
  path: Type.Array(Type.String()),
  count: Type.Integer({ description: 'Executions of the same circle, one after the other.' }),
  input: CoinAnswer,
  output: CoinAnswer,
  executions: Type.Array(Execution),
})

/** The answer of `POST /swap/arbroute`. */
export const ArbrouteAnswer = Type.Object(
  {
    ...marketHead,
    input: CoinAnswer,
    output: CoinAnswer,
    ...profit,
    steps: Type.Array(Step),
    curve: Type.Optional(
      Type.Array(closedObject({ input: AmountAnswer, profit: orNull(Type.String()) })),
    ),
  },
  closed,
)
