import type { Static } from 'typebox'
import * as Type from 'typebox'
import { DEFAULTS, MOST_HOPS, SLIPPAGES } from '../defaults.js'
import * as Doc from '../document-schema.js'
import { validate } from '../validate.js'

const ATOMICS = 'Atomics (smallest units) of the denom: a string of digits, or an exact integer.'

/** An amount in atomics: digits in a string, or an integer that JSON holds exactly. */
export const amountFor = (meaning?: string) =>
  Type.Union([Type.String({ pattern: '^[1-9][0-9]{0,38}$' }), Type.Integer({ minimum: 1 })], {
    description: meaning === undefined ? ATOMICS : `${meaning} ${ATOMICS}`,
  })
export const Amount = amountFor()

const names = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), { maxItems: 32, description })

export const RequestDenom = Doc.text('Bank denom of the token.')
export const RequestCoin = Doc.closedObject({ denom: RequestDenom, amount: Amount })

export const SlippageBps = Type.Integer({
  description: `Accept this much less than quoted. From ${SLIPPAGES.join(' to ')}.`,
  default: DEFAULTS.slippageBps,
})

/** Its limit is `slippage_bps`. */
const AutoSlippage = Type.Literal('auto', {
  description:
    'Choose it from recorded blocks. `slippage_bps` is the limit, and holds where too little was recorded.',
})

/** Body of `POST /swap/route` and arguments of `swap route` (docs/api.md#route-request). */
export const RouteRequest = Doc.object('The body of `POST /swap/route`.', {
  input: Doc.object('What is sold.', { denom: RequestDenom, amount: Type.Optional(Amount) }),
  output: Doc.object('What is bought.', { denom: RequestDenom, amount: Type.Optional(Amount) }),
  slippage: Type.Optional(AutoSlippage),
  slippage_bps: Type.Optional(SlippageBps),
  affiliate: Type.Optional(Doc.text('A code registered with the router.')),
  recipient: Type.Optional(Doc.text('The account that is paid. By default the one that signs.')),
  max_hops: Type.Optional(
    Doc.wholeBetween(
      1,
      MOST_HOPS,
      'At most this many swaps one after the other.',
      DEFAULTS.maxHops,
    ),
  ),
  limit: Type.Optional(
    Doc.wholeBetween(1, 25, 'At most this many routes in the answer.', DEFAULTS.routes),
  ),
  via: Type.Optional(names('Tokens or pairs that every path must use.')),
  exclude: Type.Optional(names('Tokens or pairs that no path may use.')),
  path: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 6,
      description: 'Exactly these pairs, in order of execution. Contract addresses.',
    }),
  ),
  min_out: Type.Optional(amountFor('Refuse a smaller output.')),
  max_impact_bps: Type.Optional(
    Type.Number({ minimum: 0, description: 'Refuse a larger price impact.' }),
  ),
  allow_direct: Type.Optional(
    Doc.flag('Add the immediate-or-cancel order on one pair, where it pays more than a route.'),
  ),
  explain: Type.Optional(Doc.flag('Add the levels consumed and why other paths pay less.')),
  verify: Type.Optional(Doc.flag('Add what the contracts themselves simulate at this height.')),
})
export type RouteRequest = Static<typeof RouteRequest>

/** Reads a body from outside. @throws SwapError INVALID_REQUEST, INVALID_AMOUNT */
export const readRouteRequest = (body: unknown): RouteRequest =>
  validate(RouteRequest, body, { cli: 'route', http: 'POST /swap/route' })
