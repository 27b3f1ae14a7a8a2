import type { Static } from 'typebox'
import * as Type from 'typebox'
import { DEFAULTS, MOST_HOPS } from '../defaults.js'
import * as Doc from '../document-schema.js'
import { MessageDocument, RouteDocument, RouteId, SearchCut } from '../route/route-documents.js'
import { Amount, RequestDenom, SlippageBps } from '../route/route-request.js'

const MaxHops = Doc.wholeBetween(
  2,
  MOST_HOPS,
  'Maximum number of pairs in a loop.',
  DEFAULTS.maxHops,
)

/** Parameters of `GET /swap/arbs` and arguments of `swap arbs` (docs/api.md#arbitrage-scan). */
export const ArbsRequest = Doc.closedObject({
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
      description: 'Minimum profit in dollars. Loops of unknown worth are left out.',
    }),
  ),
  max_hops: Type.Optional(MaxHops),
  limit: Type.Optional(
    Doc.wholeBetween(1, DEFAULTS.loops, 'Maximum number of loops.', DEFAULTS.loops),
  ),
})
export type ArbsRequest = Static<typeof ArbsRequest>

/** Body of `POST /swap/arbroute`, arguments of `swap arbroute` (docs/api.md#arbitrage-route). */
export const ArbrouteRequest = Doc.closedObject({
  input: Doc.object('The capital at hand. Each execution may use all of it.', {
    denom: RequestDenom,
    amount: Amount,
  }),
  slippage_bps: Type.Optional(SlippageBps),
  max_hops: Type.Optional(MaxHops),
  curve: Type.Optional(
    Doc.wholeBetween(2, 200, 'Add the profit of the first loop at up to this many sizes.'),
  ),
})
export type ArbrouteRequest = Static<typeof ArbrouteRequest>

const profitMembers = {
  profit: Doc.coin('Output less input.'),
  profit_percent: Doc.number('Profit in percent of the input.'),
  profit_usd: Doc.textOrNull('At the mid prices of the books; a decimal, null where unknown.'),
}

/** A profitable loop (docs/api.md#arbitrage-scan). */
const OpportunityDocument = Doc.closedObject({
  id: RouteId,
  path: Doc.DenomPath,
  input: Doc.coin('Paid in.'),
  output: Doc.coin('Paid out, after all fees.'),
  ...profitMembers,
  exact: RouteDocument.properties.exact,
  hops: RouteDocument.properties.hops,
  fees: RouteDocument.properties.fees,
  tx: MessageDocument,
  funds: Doc.coin('The coin to attach to the contract call.'),
})
export type OpportunityDocument = Doc.DocumentOf<typeof OpportunityDocument>

/** The answer of `GET /swap/arbs` and of `swap arbs --json`. */
export const ArbsAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  min_percent: Doc.number('Only loops with more profit than this, in percent.'),
  min_profit_usd: Type.Optional(Doc.number('Only loops with at least this profit, in dollars.')),
  tried: Doc.coins('The whitelisted denoms and their amounts that loops were searched from.'),
  examined: Doc.count('Loops whose every hop could be filled.'),
  opportunities: Doc.listOf('Highest percentage first.', OpportunityDocument),
  search_cut: SearchCut,
})
export type ArbsAnswer = Doc.DocumentOf<typeof ArbsAnswer>

/** One router message that executes a loop once. */
const ExecutionDocument = Doc.closedObject({
  input: Doc.coin('Paid in.'),
  output: Doc.coin('Paid out, after all fees.'),
  min_return: Doc.coin('The router fails below this output.'),
  exact: RouteDocument.properties.exact,
  tx: MessageDocument,
  funds: Doc.coin('The coin to attach to the contract call.'),
})
export type ExecutionDocument = Doc.DocumentOf<typeof ExecutionDocument>

/** One loop, executed `count` times in a row; `input` and `output` are sums. */
const StepDocument = Doc.closedObject({
  path: Doc.DenomPath,
  count: Doc.count('Number of executions of the same loop, one after the other.'),
  input: Doc.coin('Sum over the executions.'),
  output: Doc.coin('Sum over the executions.'),
  executions: Doc.listOf('In order of execution.', ExecutionDocument),
})
export type StepDocument = Doc.DocumentOf<typeof StepDocument>

/** Profit of one loop at one size: negative is a loss, `null` if the path is refused. */
const CurvePoint = Doc.closedObject({
  input: Doc.atomics('The size.'),
  profit: Doc.textOrNull('Atomics, below zero for a loss; null where the path is refused.'),
})
export type CurvePoint = Doc.DocumentOf<typeof CurvePoint>

/** The answer of `POST /swap/arbroute` and `swap arbroute` (docs/api.md#arbitrage-route). */
export const ArbrouteAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  input: Doc.coin('The capital.'),
  output: Doc.coin('The capital after the last step.'),
  ...profitMembers,
  steps: Doc.listOf('In order of execution; empty without a profit.', StepDocument),
  curve: Type.Optional(Doc.listOf('Profit of the first loop by size.', CurvePoint)),
  search_cut: SearchCut,
})
export type ArbrouteAnswer = Doc.DocumentOf<typeof ArbrouteAnswer>
