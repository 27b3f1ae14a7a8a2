import type { Static } from 'typebox'
import * as Type from 'typebox'
import type { SwapError } from '../../engine/errors.js'
import type { Side } from '../../engine/market/pair.js'
import type { Coin } from '../../engine/market/token.js'
import { type Decimal, decimal, formatDecimal, parseDecimal } from '../../engine/math/decimal.js'
import { MAX_UINT128 } from '../../engine/math/uint.js'
import { type Ladder, ladderEntries, MOST_STEPS } from '../../engine/orders/ladder.js'
import { isOrderFailure } from '../../engine/orders/order-failure.js'
import type { OrderEntry } from '../../engine/orders/order-message.js'
import { LEAST_BPS, MOST_BPS } from '../../engine/orders/order-price.js'
import { readAmount } from '../amount.js'
import {
  atomicsOf,
  closedObject,
  coinOf,
  coinsOf,
  countOf,
  DenomText,
  type DocumentOf,
  flagOf,
  marketHeadMembers,
  OrderSide,
  objectOf,
  objectsOf,
  orNull,
  PairAddress,
  textOf,
  textOrNull,
  wholeBetween,
} from '../document-schema.js'
import { amountFor, RequestCoin } from '../route/route-request.js'
import { invalidRequest } from '../validate.js'
import { OrderDocument, placeMembers } from './order-document.js'
import { orderRefused } from './order-refused.js'

const priceOf = (description: string) => Type.String({ description, maxLength: 60 })

/** Body of `POST /orders/preview` (docs/api.md#order-preview): `entries` or a `ladder`. */
export const OrderPreviewRequest = closedObject({
  owner: Type.Optional(textOf('Account whose orders are changed; without it, as if it had none.')),
  pair: textOf('Contract address of the pair.'),
  entries: Type.Optional(
    Type.Array(
      closedObject({
        side: OrderSide,
        price: Type.Optional(
          priceOf('Fixed price: quote per base, both in atomics. A decimal on the tick.'),
        ),
        oracle_bps: Type.Optional(
          wholeBetween(
            LEAST_BPS,
            MOST_BPS,
            'In place of a price: basis points from the oracle price.',
          ),
        ),
        target: Type.Union([Type.String(), Type.Integer(), Type.Null()], {
          description:
            'What rests at the price after the entry, in atomics of the denom that the side gives. "0" claims and cancels, null only claims.',
        }),
      }),
      {
        minItems: 1,
        maxItems: 40,
        description: 'In sequence. An order and its cancel are an immediate-or-cancel order.',
      },
    ),
  ),
  ladder: Type.Optional(
    objectOf('In place of entries: new orders at evenly spaced prices.', {
      side: OrderSide,
      from: priceOf('Price of the first step.'),
      to: priceOf('Price of the last step.'),
      steps: wholeBetween(1, MOST_STEPS, 'Orders of the ladder.'),
      weight: Type.Optional(
        Type.Union([Type.Literal('flat'), Type.Literal('linear')], {
          default: 'flat',
          description: 'linear: step n gets n times what the first one gets.',
        }),
      ),
      total: amountFor('What all steps offer together.'),
    }),
  ),
  max_cross_bps: Type.Optional(
    wholeBetween(0, 10_000, 'Refuse a price further across the best one of the other side.'),
  ),
  funds: Type.Optional(
    Type.Array(RequestCoin, {
      maxItems: 2,
      description: 'Coins sent with the message; by default those it needs.',
    }),
  ),
})
export type OrderPreviewRequest = Static<typeof OrderPreviewRequest>

const SIDES = { buy: 'bid', sell: 'ask' } as const satisfies Record<string, Side>

/**
 * The entries of a request on a pair with this tick.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT, ORDER_REFUSED
 */
export function entriesOf(
  { entries, ladder }: OrderPreviewRequest,
  tick: number,
): readonly OrderEntry[] {
  if ((entries === undefined) === (ladder === undefined))
    throw invalid('', 'must have either entries or a ladder')
  if (entries !== undefined) return entries.map(entryOf)
  const made = ladderEntries(ladderOf(ladder!), tick)
  if (isOrderFailure(made)) throw orderRefused(made)
  return made
}

function ladderOf(ladder: NonNullable<OrderPreviewRequest['ladder']>): Ladder {
  const { side, from, to, steps, weight = 'flat', total } = ladder
  return {
    ...{ side: SIDES[side], steps, weight, total: readAmount(total, '/ladder/total') },
    from: readPrice(from, '/ladder/from'),
    to: readPrice(to, '/ladder/to'),
  }
}

function entryOf(
  entry: NonNullable<OrderPreviewRequest['entries']>[number],
  index: number,
): OrderEntry {
  const { side, price, oracle_bps: bps, target } = entry
  const at = `/entries/${index}`
  const isZero = target === '0' || target === 0
  const amount = isZero ? 0n : target === null ? undefined : readAmount(target, `${at}/target`)
  if ((price === undefined) === (bps === undefined))
    throw invalid(at, 'must have either a price or oracle_bps')
  return {
    side: SIDES[side],
    price: price === undefined ? { bps: bps! } : { fixed: readPrice(price, `${at}/price`) },
    target: amount,
  }
}

function readPrice(text: string, pointer: string): Decimal {
  const price = parseDecimal(text)
  if (price === undefined || price === 0n)
    throw invalid(
      pointer,
      `must be a decimal above zero with at most 18 fractional digits, at most ${formatDecimal(decimal(MAX_UINT128))}`,
    )
  return price
}

const invalid = (pointer: string, detail: string): SwapError =>
  invalidRequest([{ pointer, detail }], {})

/** The coins sent with a request. @throws SwapError INVALID_AMOUNT */
export const fundsOf = ({ funds }: OrderPreviewRequest): readonly Coin[] | undefined =>
  funds?.map(({ denom, amount }, i) => ({
    denom,
    amount: readAmount(amount, `/funds/${i}/amount`),
  }))

const ClaimDocument = objectOf(
  'Fills of the order, which every entry claims first. In receive_denom.',
  {
    filled: atomicsOf('Fills that are paid out.'),
    fee: atomicsOf('Maker fee of them, rounded up.'),
    paid: atomicsOf('filled less fee.'),
  },
)

const TakenDocument = objectOf('What a new order takes of the other side at once.', {
  offered: atomicsOf('Taken from what is offered, in offer_denom.'),
  gross: atomicsOf('Received for it before the fee, in receive_denom.'),
  fee: atomicsOf('Taker fee, rounded up; it stays in the contract.'),
  received: atomicsOf('gross less fee.'),
  levels: objectsOf('Best first.', {
    rate: textOf('Quote per base, as the book shows the level.'),
    offered: atomicsOf('In offer_denom.'),
    received: atomicsOf('In receive_denom, before the fee.'),
  }),
})

/** The effects of one entry. */
const EffectDocument = closedObject({
  ...placeMembers,
  target: orNull(atomicsOf('As it is sent, in offer_denom; null only claims.')),
  offer_denom: DenomText,
  receive_denom: DenomText,
  claimed: ClaimDocument,
  taken: TakenDocument,
  added: atomicsOf('What joins the orders at the price, in offer_denom.'),
  returned: atomicsOf('What comes back from them, in offer_denom.'),
  rests: atomicsOf('What rests after the entry, in offer_denom.'),
})

/** The router's output for the same coins. */
const RouterComparison = objectOf(
  'The best single route for what the entries take at once; null without.',
  {
    input: coinOf('What the entries sell at once.'),
    output: coinOf('What the router pays for it.'),
    received: atomicsOf('What the order receives for them, in the same denom.'),
    exact: flagOf('Whether the router’s number is exact.'),
  },
)

/** The answer of `POST /orders/preview` (docs/api.md#order-preview). */
export const OrderPreviewAnswer = closedObject({
  ...marketHeadMembers,
  pair: PairAddress,
  base: DenomText,
  quote: DenomText,
  owner: textOrNull('Address of the account; null without one.'),
  notices: objectsOf('What the sender should know; nothing is changed without one.', {
    kind: textOf(
      'raise_rewritten, only_claims, claim_pays_nothing, fills_pay_nothing or takes_own_order.',
    ),
    entry: countOf('Index of the entry in the request.'),
    text: textOf('What was changed or does nothing.'),
  }),
  entries: Type.Array(EffectDocument, {
    description: 'In the order of the message, as they are sent.',
  }),
  funds: coinsOf('Coins to send with the message.'),
  paid: coinsOf('Coins that come back: fills, what is taken, what is cancelled, the surplus.'),
  maker_fees: coinsOf('Maker fees of what is claimed.'),
  orders: Type.Array(OrderDocument, {
    description: 'The orders of the account on this pair after the message.',
  }),
  exact: flagOf('Whether every number follows from complete knowledge of what is touched.'),
  router: orNull(RouterComparison),
  tx: objectOf('One contract call, with `funds` attached.', {
    contract: PairAddress,
    msg: Type.Unknown({ description: 'The message for the pair; unsigned.' }),
  }),
})
export type OrderPreviewAnswer = DocumentOf<typeof OrderPreviewAnswer>
