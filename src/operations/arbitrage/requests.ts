import type { Static } from 'typebox'
import * as Type from 'typebox'
import { DEFAULTS } from '../defaults.js'
import { closedObject } from '../document-schema.js'
import { Amount, checkNumericAmounts, SlippageBps } from '../route/route-request.js'
import { validate } from '../validate.js'

const MaxHops = Type.Integer({
  minimum: 2,
  maximum: 6,
  default: DEFAULTS.maxHops,
  description: 'Maximum number of pairs in a loop.',
})

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
      description: 'Only profits worth at least this many dollars. One of unknown worth is none.',
    }),
  ),
  max_hops: Type.Optional(MaxHops),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Maximum number of loops in the answer.',
    }),
  ),
})
export type ArbsRequest = Static<typeof ArbsRequest>

/** Body of `POST /swap/arbroute`, arguments of `swap arbroute` (docs/api.md#arbitrage-route). */
export const ArbrouteRequest = closedObject({
  input: closedObject(
    { denom: Type.String({ description: 'Bank denom of the token.' }), amount: Amount },
    { description: 'The capital at hand. Each execution may use all of it.' },
  ),
  slippage_bps: Type.Optional(SlippageBps),
  max_hops: Type.Optional(MaxHops),
  curve: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 200,
      description: 'Add the profit of the first loop at this many sizes.',
    }),
  ),
})
export type ArbrouteRequest = Static<typeof ArbrouteRequest>

/** Reads parameters from outside. @throws SwapError INVALID_REQUEST */
export const readArbsRequest = (body: unknown): ArbsRequest =>
  validate(ArbsRequest, body, { cli: 'arbs', http: 'GET /swap/arbs' })

/** Reads a body from outside. @throws SwapError INVALID_REQUEST, INVALID_AMOUNT */
export function readArbrouteRequest(body: unknown): ArbrouteRequest {
  checkNumericAmounts(body, [['input', 'amount']])
  return validate(ArbrouteRequest, body, { cli: 'arbroute', http: 'POST /swap/arbroute' })
}
