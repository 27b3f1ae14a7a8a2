import { type Static, Type } from 'typebox'
import { Amount, checkNumericAmounts } from '../route/route-request.js'
import { validate } from '../validate.js'
import { SplitRequest } from './split-request.js'

const closed = { additionalProperties: false } as const
const { via, exclude, affiliate, max_hops, max_legs } = SplitRequest.properties
const { split_step } = SplitRequest.properties.input.properties

const Output = Type.Object({ denom: Type.String() }, closed)
const Split = Type.Optional(
  Type.Boolean({ description: 'Quote divisions; else the best single path.' }),
)
const limits = { max_hops, max_legs, via, exclude, affiliate, split: Split }

/** Arguments of `swap curve`. */
export const CurveRequest = Type.Object(
  {
    input: Type.Object(
      {
        denom: Type.String(),
        from: Type.Optional(Amount),
        to: Type.Optional(Amount),
        split_step,
      },
      closed,
    ),
    output: Output,
    points: Type.Optional(Type.Integer({ minimum: 2, maximum: 100, default: 10 })),
    ...limits,
  },
  closed,
)
export type CurveRequest = Static<typeof CurveRequest>

/** Arguments of `swap max`. */
export const MaxRequest = Type.Object(
  {
    input: Type.Object({ denom: Type.String(), split_step }, closed),
    output: Output,
    max_impact_bps: Type.Integer({ minimum: 0, maximum: 10_000 }),
    ...limits,
  },
  closed,
)
export type MaxRequest = Static<typeof MaxRequest>

/** Reads a request from outside. @throws SwapError INVALID_REQUEST, INVALID_AMOUNT */
export function readCurveRequest(body: unknown): CurveRequest {
  checkNumericAmounts(body, [
    ['input', 'from'],
    ['input', 'to'],
  ])
  return validate(CurveRequest, body)
}

/** Reads a request from outside. @throws SwapError INVALID_REQUEST */
export const readMaxRequest = (body: unknown): MaxRequest => validate(MaxRequest, body)
