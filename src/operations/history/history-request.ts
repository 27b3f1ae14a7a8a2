import type { Static } from 'typebox'
import * as Type from 'typebox'
import { type Json, SwapError } from '../../engine/errors.js'
import { DEFAULTS } from '../defaults.js'
import { TX_HASH_PATTERN } from '../document-schema.js'
import { validate } from '../validate.js'

export const pageParameters = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: DEFAULTS.page,
      description: 'The page.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: DEFAULTS.pageSize,
      description: 'Rows of a page.',
    }),
  ),
}

export const txHashOf = (description: string) =>
  Type.String({ pattern: TX_HASH_PATTERN, description })

/** Parameters of `GET /history` and arguments of `swap history` (docs/api.md#executed-swaps). */
export const HistoryRequest = Type.Object(
  {
    type: Type.Optional(
      Type.Union([Type.Literal('swap'), Type.Literal('arbitrage')], {
        description: 'The latest of one type.',
      }),
    ),
    sender: Type.Optional(
      Type.String({ minLength: 1, description: 'Swaps that this wallet signed. An address.' }),
    ),
    txHash: Type.Optional(txHashOf('All legs of this transaction. 64 hexadecimal digits.')),
    affiliate: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Swaps of this affiliate: its code, or the address its fees go to.',
      }),
    ),
    period: Type.Optional(
      Type.Union([Type.Literal('1d'), Type.Literal('7d'), Type.Literal('30d')], {
        description: 'The wallets that swapped most, by dollars, in so many days. Of block time.',
      }),
    ),
    ...pageParameters,
  },
  { additionalProperties: false },
)
export type HistoryRequest = Static<typeof HistoryRequest>

/** The parameters that choose what is listed; one of them at a time. */
const MODES = ['sender', 'txHash', 'affiliate', 'period', 'type'] as const

/** Reads parameters from outside. @throws SwapError INVALID_REQUEST */
export function readHistoryRequest(input: unknown): HistoryRequest {
  const request = validate(HistoryRequest, input, { cli: 'history', http: 'GET /history' })
  requireOne(request, MODES)
  return request
}

/** @throws SwapError INVALID_REQUEST for two parameters that choose what is listed */
export function requireOne<Request>(
  request: Request,
  modes: readonly (keyof Request & string)[],
): void {
  const given = modes.filter((name) => request[name] !== undefined)
  if (given.length < 2) return
  const errors = given.map((name) => ({
    pointer: `/${name}`,
    detail: 'cannot be combined with the others',
  }))
  throw new SwapError('INVALID_REQUEST', `${given.join(' and ')} cannot be asked for together`, {
    why: 'each of them asks for another list',
    hint: `keep one of ${given.join(', ')}`,
    members: { errors: errors as Json },
  })
}
