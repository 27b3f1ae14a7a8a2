import type { Static } from 'typebox'
import * as Type from 'typebox'
import type { SwapError } from '../../engine/errors.js'
import type { Side } from '../../engine/market/pair.js'
import type { Coin } from '../../engine/market/token.js'
import {
  type Decimal,
  decimal,
  formatDecimal,
  MAX_UINT128,
  parseDecimal,
} from '../../engine/math/decimal.js'
import { type Ladder, ladderEntries, MOST_STEPS } from '../../engine/orders/ladder.js'
import { isOrderFailure } from '../../engine/orders/order-failure.js'
import type { OrderEntry } from '../../engine/orders/order-message.js'
import { LEAST_BPS, MOST_BPS } from '../../engine/orders/order-price.js'
import { readAmount } from '../amount.js'
import * as Doc from '../document-schema.js'
import { amountFor, RequestCoin } from '../route/route-request.js'
import { invalidRequest } from '../validate.js'
import { OrderDocument, placeMembers } from './order-documents.js'
import { orderRefused } from './order-refused.js'

const priceOf = (description: string) => Type.String({ description, maxLength: 60 })

/** Body of `POST /orders/preview` (docs/api.md#order-preview): `entries` or a `ladder`. */
export const OrderPreviewRequest = Doc.closedObject({
  owner: Type.Optional(
    Doc.text('Account whose orders are changed; without it, as if it had none.'),
  ),
  pair: Doc.text('Contract address of the pair.'),
  entries: Type.Optional(
    Type.Array(
      Doc.closedObject({
        side: Doc.OrderSide,
        price: Type.Optional(
          priceOf('Fixed price: quote per base, both in atomics. A decimal on the tick.'),
        ),
        oracle_bps: Type.Optional(
          Doc.wholeBetween(
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
    Doc.object('In place of entries: new orders at evenly spaced prices.', {
      side: Doc.OrderSide,
      from: priceOf('Price of the first step.'),
      to: priceOf('Price of the last step.'),
      steps: Doc.wholeBetween(1, MOST_STEPS, 'Orders of the ladder.'),
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
    Doc.wholeBetween(0, 10_000, 'Refuse a price further across the best one of the other side.'),
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
    side: SIDES[side],
    steps,
    weight,
    total: readAmount(total, '/ladder/total'),
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

const ClaimDocument = Doc.object(
  'Fills of the order, which every entry claims first. In receive_denom.',
  {
    filled: Doc.atomics('Fills that are paid out.'),
    fee: Doc.atomics('Maker fee of them, rounded up.'),
    paid: Doc.atomics('filled less fee.'),
  },
)

const TakenDocument = Doc.object('What a new order takes of the other side at once.', {
  offered: Doc.atomics('Taken from what is offered, in offer_denom.'),
  gross: Doc.atomics('Received for it before the fee, in receive_denom.'),
  fee: Doc.atomics('Taker fee, rounded up; it stays in the contract.'),
  received: Doc.atomics('gross less fee.'),
  levels: Doc.objects('Best first.', {
    rate: Doc.text('Quote per base, as the book shows the level.'),
    offered: Doc.atomics('In offer_denom.'),
    received: Doc.atomics('In receive_denom, before the fee.'),
  }),
})

/** The effects of one entry. */
const EffectDocument = Doc.closedObject({
  ...placeMembers,
  target: Doc.orNull(Doc.atomics('As it is sent, in offer_denom; null only claims.')),
  offer_denom: Doc.DenomText,
  receive_denom: Doc.DenomText,
  claimed: ClaimDocument,
  taken: TakenDocument,
  added: Doc.atomics('What joins the orders at the price, in offer_denom.'),
  returned: Doc.atomics('What comes back from them, in offer_denom.'),
  rests: Doc.atomics('What rests after the entry, in offer_denom.'),
})

/** The router's output for the same coins. */
const RouterComparison = Doc.object(
  'The best single route for what the entries take at once; null without.',
  {
    input: Doc.coin('What the entries sell at once.'),
    output: Doc.coin('What the router pays for it.'),
    received: Doc.atomics('What the order receives for them, in the same denom.'),
    exact: Doc.flag('Whether the router’s number is exact.'),
  },
)

/** The answer of `POST /orders/preview` (docs/api.md#order-preview). */
export const OrderPreviewAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  pair: Doc.PairAddress,
  base: Doc.DenomText,
  quote: Doc.DenomText,
  owner: Doc.textOrNull('Address of the account; null without one.'),
  notices: Doc.objects('What the sender should know; nothing is changed without one.', {
    kind: Doc.text(
      'raise_rewritten, only_claims, claim_pays_nothing, fills_pay_nothing or takes_own_order.',
    ),
    entry: Doc.count('Index of the entry in the request.'),
    text: Doc.text('What was changed or does nothing.'),
  }),
  entries: Doc.listOf('In the order of the message, as they are sent.', EffectDocument),
  funds: Doc.coins('Coins to send with the message.'),
  paid: Doc.coins('Coins that come back: fills, what is taken, what is cancelled, the surplus.'),
  maker_fees: Doc.coins('Maker fees of what is claimed.'),
  orders: Doc.listOf('The orders of the account on this pair after the message.', OrderDocument),
  exact: Doc.flag('Whether every number follows from complete knowledge of what is touched.'),
  router: Doc.orNull(RouterComparison),
  tx: Doc.object('One contract call, with `funds` attached.', {
    contract: Doc.PairAddress,
    msg: Type.Unknown({ description: 'The message for the pair; unsigned.' }),
  }),
})
export type OrderPreviewAnswer = Doc.DocumentOf<typeof OrderPreviewAnswer>
