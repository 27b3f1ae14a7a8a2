import type { Static } from 'typebox'
import * as Type from 'typebox'
import { DEFAULTS } from '../defaults.js'
import {
  atomicsOf,
  CoinDocument,
  closedObject,
  coinOf,
  countOf,
  DenomPath,
  type DocumentOf,
  marketHeadMembers,
  numberOf,
  objectOf,
  textOrNull,
  wholeBetween,
} from '../document-schema.js'
import { MessageDocument, RouteDocument, RouteId } from '../route/route-answer.js'
import { Amount, RequestDenom, SlippageBps } from '../route/route-request.js'

const MaxHops = wholeBetween(2, 6, 'Maximum number of pairs in a loop.', DEFAULTS.maxHops)

/** Parameters of `GET /swap/arbs` and arguments of `swap arbs` (docs/api.md#arbitrage-scan). */
export const ArbsRequest = closedObject({
  minPercent: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1000,
      default: 0,
      description: 'Only profits above this, in percent of the input.',
    }),
  ),
  min_profit_usd: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1e15,
      description:
        'Only profits worth at least this many dollars. Loops of unknown worth are left out.',
    }),
  ),
  max_hops: Type.Optional(MaxHops),
  limit: Type.Optional(wholeBetween(1, 1000, 'Maximum number of loops in the answer.')),
})
export type ArbsRequest = Static<typeof ArbsRequest>

/** Body of `POST /swap/arbroute`, arguments of `swap arbroute` (docs/api.md#arbitrage-route). */
export const ArbrouteRequest = closedObject({
  input: objectOf('The capital at hand. Each execution may use all of it.', {
    denom: RequestDenom,
    amount: Amount,
  }),
  slippage_bps: Type.Optional(SlippageBps),
  max_hops: Type.Optional(MaxHops),
  curve: Type.Optional(
    wholeBetween(2, 200, 'Add the profit of the first loop at up to this many sizes.'),
  ),
})
export type ArbrouteRequest = Static<typeof ArbrouteRequest>

const profitMembers = {
  profit: coinOf('Output less input.'),
  profit_percent: numberOf('Profit in percent of the input.'),
  profit_usd: textOrNull('At the mid prices of the books; a decimal, null where unknown.'),
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
  min_percent: numberOf('Only loops with more profit than this, in percent.'),
  min_profit_usd: Type.Optional(numberOf('Only loops with at least this profit, in dollars.')),
  tried: Type.Array(CoinDocument, {
    description: 'The whitelisted denoms and their amounts that loops were searched from.',
  }),
  examined: countOf('Loops whose every hop could be filled.'),
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
  count: countOf('Number of executions of the same loop, one after the other.'),
  input: coinOf('Sum over the executions.'),
  output: coinOf('Sum over the executions.'),
  executions: Type.Array(ExecutionDocument, { description: 'In order of execution.' }),
})
export type StepDocument = DocumentOf<typeof StepDocument>

/** Profit of one loop at one size: negative is a loss, `null` if the path is refused. */
const CurvePoint = closedObject({
  input: atomicsOf('The size.'),
  profit: textOrNull('Atomics, below zero for a loss; null where the path is refused.'),
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
