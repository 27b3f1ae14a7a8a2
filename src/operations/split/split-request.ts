import type { Static } from 'typebox'
import * as Type from 'typebox'
import { DEFAULTS } from '../defaults.js'
import { closedObject } from '../document-schema.js'
import { Amount, checkNumericAmounts, memberOf, RouteRequest } from '../route/route-request.js'
import { validate } from '../validate.js'
import { readSplitStep } from './split-step.js'

const { input: _input, output, ...terms } = RouteRequest.properties

const SplitStep = Type.Integer({
  minimum: 1,
  maximum: 10,
  default: DEFAULTS.splitStep,
  description: 'Shares in steps of this many percent. One leg takes what is left.',
})

const Leg = closedObject({
  path: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 6,
    description: 'Pair addresses in order of execution.',
  }),
  amount: Amount,
})

/** Legs of a request at most. */
const MOST_LEGS = 32

/** Body of `POST /swap/sroute` and arguments of `swap sroute` (docs/api.md#split-request). */
export const SplitRequest = closedObject({
  input: closedObject({
    denom: Type.String({ description: 'Bank denom of the token.' }),
    amount: Type.Optional(Amount),
    split_step: Type.Optional(SplitStep),
  }),
  output: Type.Optional(output),
  ...terms,
  max_legs: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      default: DEFAULTS.maxLegs,
      description: 'At most this many legs. Without a grid: no limit unless given.',
    }),
  ),
  grid: Type.Optional(
    Type.Boolean({ default: true, description: 'False: shares of any size, no steps.' }),
  ),
  frontier: Type.Optional(
    Type.Boolean({ description: 'Also the best with 1, 2, 3 ... legs and with other steps.' }),
  ),
  legs: Type.Optional(
    Type.Array(Leg, {
      minItems: 1,
      maxItems: MOST_LEGS,
      description:
        'Quotes exactly this division. The legs are taken in this order, and nothing is searched.',
    }),
  ),
})
export type SplitRequest = Static<typeof SplitRequest>

/** Where a request holds amounts. */
const AMOUNTS = [
  ['input', 'amount'],
  ['output', 'amount'],
  ['min_out'],
  ...Array.from({ length: MOST_LEGS }, (_, i) => ['legs', i, 'amount'] as const),
] as const

/**
 * Reads a body from outside: checked against the schema, nothing dropped, coerced or filled in.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT, INVALID_SPLIT_STEP
 */
export function readSplitRequest(body: unknown): SplitRequest {
  checkNumericAmounts(body, AMOUNTS)
  const step = memberOf(memberOf(body, 'input'), 'split_step')
  if (step !== undefined) readSplitStep(step)
  return validate(SplitRequest, body, { cli: 'sroute', http: 'POST /swap/sroute' })
}
