import { type Static, Type } from 'typebox'
import { Amount, checkNumericAmounts } from '../route/route-request.js'
import { validate } from '../validate.js'

const closed = { additionalProperties: false } as const

const MaxHops = Type.Integer({ minimum: 2, maximum: 6, default: 4 })

/** Parameters of `GET /swap/arbs` and arguments of `swap arbs` (docs/api.md#arbitrage-scan). */
export const ArbsRequest = Type.Object(
  {
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
        description: 'Only profits worth at least this many dollars; one of unknown worth is none.',
      }),
    ),
    max_hops: Type.Optional(MaxHops),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  },
  closed,
)
export type ArbsRequest = Static<typeof ArbsRequest>

/** Body of `POST /swap/arbroute`, arguments of `swap arbroute` (docs/api.md#arbitrage-route). */
export const ArbrouteRequest = Type.Object(
  {
    input: Type.Object(
      { denom: Type.String(), amount: Amount },
      { ...closed, description: 'The capital at hand. Each execution may use all of it.' },
    ),
    slippage_bps: Type.Optional(
      Type.Integer({ description: 'Accept this much less than quoted, 0 to 9999.', default: 50 }),
    ),
    max_hops: Type.Optional(MaxHops),
    curve: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 200,
        description: 'Add the profit of the first circle at so many sizes.',
      }),
    ),
  },
  closed,
)
export type ArbrouteRequest = Static<typeof ArbrouteRequest>

/** Reads parameters from outside. @throws SwapError INVALID_REQUEST */
export const readArbsRequest = (body: unknown): ArbsRequest => validate(ArbsRequest, body)

/** Reads a body from outside. @throws SwapError INVALID_REQUEST, INVALID_AMOUNT */
export function readArbrouteRequest(body: unknown): ArbrouteRequest {
  checkNumericAmounts(body, [['input', 'amount']])
  return validate(ArbrouteRequest, body)
}
