import * as Type from 'typebox'
import {
  AmountText,
  CoinDocument,
  closedObject,
  coinOf,
  DenomPath,
  type DocumentOf,
  marketHeadMembers,
  orNull,
} from '../document-schema.js'
import { MessageDocument, RouteDocument, RouteId } from '../route/route-answer.js'

const profitMembers = {
  profit: coinOf('Output less input.'),
  profit_percent: Type.Number({ description: 'Profit in percent of the input.' }),
  profit_usd: orNull(
    Type.String({ description: 'At the mid prices of the books; a decimal, null where unknown.' }),
  ),
}

/** A profitable loop (docs/api.md#arbitrage-scan). */
const OpportunityDocument = closedObject({
  id: RouteId,
  path: DenomPath,
  input: coinOf('Paid in.'),
  output: coinOf('Paid out, after all fees.'),
  ...profitMembers,
  hops: RouteDocument.properties.hops,
  fees: RouteDocument.properties.fees,
  tx: MessageDocument,
  funds: coinOf('The coin to attach to the contract call.'),
})
export type OpportunityDocument = DocumentOf<typeof OpportunityDocument>

/** The answer of `GET /swap/arbs` and of `swap arbs --json`. */
export const ArbsAnswer = closedObject({
  ...marketHeadMembers,
  min_percent: Type.Number({ description: 'The least profit that was asked for, in percent.' }),
  min_profit_usd: Type.Optional(
    Type.Number({ description: 'The least profit that was asked for, in dollars.' }),
  ),
  tried: Type.Array(CoinDocument, {
    description: 'The whitelisted denoms and their amounts that loops were searched from.',
  }),
  examined: Type.Integer({ description: 'Loops whose every hop could be filled.' }),
  opportunities: Type.Array(OpportunityDocument, { description: 'Highest percentage first.' }),
})
export type ArbsAnswer = DocumentOf<typeof ArbsAnswer>

/** One router message that executes a loop once. */
const ExecutionDocument = closedObject({
  input: coinOf('Paid in.'),
  output: coinOf('Paid out, after all fees.'),
  min_return: coinOf('The router fails below this output.'),
  tx: MessageDocument,
  funds: coinOf('The coin to attach to the contract call.'),
})
export type ExecutionDocument = DocumentOf<typeof ExecutionDocument>

/** One loop, executed `count` times in a row; `input` and `output` are sums. */
const StepDocument = closedObject({
  path: DenomPath,
  count: Type.Integer({
    description: 'Number of executions of the same loop, one after the other.',
  }),
  input: coinOf('Sum over the executions.'),
  output: coinOf('Sum over the executions.'),
  executions: Type.Array(ExecutionDocument, { description: 'In order of execution.' }),
})
export type StepDocument = DocumentOf<typeof StepDocument>

/** Profit of one loop at one size: negative is a loss, `null` where an execution would fail. */
const CurvePoint = closedObject({
  input: AmountText,
  profit: orNull(Type.String({ description: 'Atomics, below zero for a loss.' })),
})
export type CurvePoint = DocumentOf<typeof CurvePoint>

/** The answer of `POST /swap/arbroute` and `swap arbroute` (docs/api.md#arbitrage-route). */
export const ArbrouteAnswer = closedObject({
  ...marketHeadMembers,
  input: coinOf('The capital.'),
  output: coinOf('The capital after the last step.'),
  ...profitMembers,
  steps: Type.Array(StepDocument, {
    description: 'In order of execution; empty without a profit.',
  }),
  curve: Type.Optional(
    Type.Array(CurvePoint, { description: 'Profit of the first loop by size.' }),
  ),
})
export type ArbrouteAnswer = DocumentOf<typeof ArbrouteAnswer>
