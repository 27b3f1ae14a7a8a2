import type { Static } from 'typebox'
import * as Type from 'typebox'
import { closedObject } from '../document-schema.js'
import { Amount, checkNumericAmounts, memberOf } from '../route/route-request.js'
import { validate } from '../validate.js'

const coin = closedObject({
  denom: Type.String({ description: 'Bank denom of the token.' }),
  amount: Amount,
})

const stages = Type.Array(
  closedObject({
    address: Type.String({ description: 'Contract address of the pair.' }),
    denom: Type.String({ description: 'Bank denom of the token.' }),
  }),
  {
    minItems: 1,
    maxItems: 12,
    description: 'As in the `tx` of a route or of a leg. They are in the dialect of the router.',
  },
)

/** Legs of a request at most. */
const MOST_LEGS = 32

/** Body of `POST /swap/simulate` (docs/api.md#simulate): one message, or those of a division. */
export const SimulateRequest = closedObject({
  coin: Type.Optional(coin),
  stages: Type.Optional(stages),
  legs: Type.Optional(
    Type.Array(closedObject({ coin, stages }), {
      minItems: 1,
      maxItems: MOST_LEGS,
      description:
        'In place of `coin` and `stages`: several messages. Each is asked for by itself.',
    }),
  ),
  tolerance_bps: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'How far off a leg may be. By default 0 where our number is exact, else 5.',
    }),
  ),
})
export type SimulateRequest = Static<typeof SimulateRequest>

/**
 * Reads a body from outside: checked against the schema, nothing dropped, coerced or filled in.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT
 */
export function readSimulateRequest(body: unknown): SimulateRequest {
  const legs = memberOf(body, 'legs')
  const places = (Array.isArray(legs) ? legs.slice(0, MOST_LEGS) : []).map(
    (_, i) => ['legs', i, 'coin', 'amount'] as const,
  )
  checkNumericAmounts(body, [['coin', 'amount'], ...places])
  return validate(SimulateRequest, body, { cli: 'simulate', http: 'POST /swap/simulate' })
}
