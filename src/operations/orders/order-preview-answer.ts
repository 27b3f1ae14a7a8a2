import * as Type from 'typebox'
import {
  atomicsOf,
  CoinDocument,
  closedObject,
  coinsOf,
  DenomText,
  type DocumentOf,
  marketHeadMembers,
  orNull,
  PairAddress,
} from '../document-schema.js'
import { OrderDocument, placeMembers } from './order-document.js'

const ClaimDocument = closedObject(
  {
    filled: atomicsOf('Fills that are paid out.'),
    fee: atomicsOf('Maker fee of them, rounded up.'),
    paid: atomicsOf('filled less fee.'),
  },
  { description: 'Fills of the order, which every entry claims first. In receive_denom.' },
)

const TakenDocument = closedObject(
  {
    offered: atomicsOf('Taken from what is offered, in offer_denom.'),
    gross: atomicsOf('Received for it before the fee, in receive_denom.'),
    fee: atomicsOf('Taker fee, rounded up; it stays in the contract.'),
    received: atomicsOf('gross less fee.'),
    levels: Type.Array(
      closedObject({
        rate: Type.String({ description: 'Quote per base, as the book shows the level.' }),
        offered: atomicsOf('In offer_denom.'),
        received: atomicsOf('In receive_denom, before the fee.'),
      }),
      { description: 'Best first.' },
    ),
  },
  { description: 'What a new order takes of the other side at once.' },
)

/** What one entry of the message does. */
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

/** What the router pays for the same coins. */
const RouterComparison = closedObject(
  {
    input: CoinDocument,
    output: CoinDocument,
    received: atomicsOf('What the order receives for them, in the same denom.'),
    exact: Type.Boolean({ description: 'Whether the router’s number is exact.' }),
  },
  { description: 'The best single route for what the entries take at once; null without.' },
)

/** The answer of `POST /orders/preview` (docs/api.md#order-preview). */
export const OrderPreviewAnswer = closedObject({
  ...marketHeadMembers,
  pair: PairAddress,
  base: DenomText,
  quote: DenomText,
  owner: orNull(Type.String({ description: 'Address of the account; null without one.' })),
  notices: Type.Array(
    closedObject({
      kind: Type.String({
        description: 'raise_rewritten, only_claims, claim_pays_nothing or takes_own_order.',
      }),
      entry: Type.Integer({ description: 'Index of the entry in the request.' }),
      text: Type.String({ description: 'What was changed or does nothing.' }),
    }),
    { description: 'What the sender should know; nothing is changed without one.' },
  ),
  entries: Type.Array(EffectDocument, {
    description: 'In the order of the message, as they are sent.',
  }),
  funds: coinsOf('Coins to send with the message.'),
  paid: coinsOf('Coins that come back: fills, what is taken, what is cancelled, the surplus.'),
  maker_fees: coinsOf('Maker fees of what is claimed.'),
  orders: Type.Array(OrderDocument, {
    description: 'The orders of the account on this pair after the message.',
  }),
  exact: Type.Boolean({
    description: 'Whether every number follows from complete knowledge of what is touched.',
  }),
  router: orNull(RouterComparison),
  tx: closedObject(
    {
      contract: PairAddress,
      msg: Type.Unknown({ description: 'The message for the pair; unsigned.' }),
    },
    { description: 'One contract call, with `funds` attached.' },
  ),
})
export type OrderPreviewAnswer = DocumentOf<typeof OrderPreviewAnswer>
