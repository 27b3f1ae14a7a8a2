import type { Static } from 'typebox'
import * as Type from 'typebox'
import * as Doc from '../document-schema.js'
import { placeDocument, placeMembers } from '../orders/order-documents.js'
import { plainHash } from '../tx-hash.js'
import { validate } from '../validate.js'
import { addressOf } from './history.js'
import {
  pageMembers,
  pageOf,
  pageParameters,
  placeOnChain,
  requireOne,
  txHashOf,
  windowOf,
} from './history-documents.js'
import type { HistoryPort, OrderAction, OrderChange, OrdersFilter } from './history-port.js'

/** Parameters of `GET /history/orders` (docs/api.md#executed-orders). */
export const OrderHistoryRequest = Doc.closedObject({
  owner: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Changes of the orders of this account. An address.',
    }),
  ),
  pair: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Changes of orders on this pair. Its contract address.',
    }),
  ),
  txHash: Type.Optional(txHashOf('All changes of this transaction. 64 hexadecimal digits.')),
  ...pageParameters,
})
export type OrderHistoryRequest = Static<typeof OrderHistoryRequest>

/** A change of a resting order, as executed by a pair. */
const OrderChangeDocument = Doc.closedObject({
  ...placeOnChain,
  owner: Doc.text('The account whose order it is.'),
  action: Doc.word<OrderAction>(
    'place, raise, lower, cancel or claim. A change of an order claims its fills first, as an item of its own.',
  ),
  ...placeMembers,
  pair: Doc.PairAddress,
  offer_denom: Doc.DenomText,
  receive_denom: Doc.DenomText,
  sold: Doc.atomics('What a new order gave to the other side of the book at once, in offer_denom.'),
  added: Doc.atomics('What was added to what rests, in offer_denom.'),
  returned: Doc.atomics('What was taken back from what rested, in offer_denom.'),
  received: Doc.atomics('What the owner got for what was sold or filled, in receive_denom.'),
  fee: Doc.atomics('Taker or maker fee, already deducted from received, in receive_denom.'),
})
export type OrderChangeDocument = Doc.DocumentOf<typeof OrderChangeDocument>

/** The answer of `GET /history/orders` and of `swap history --orders --json`. */
export const OrderHistoryAnswer = Doc.closedObject({
  ...pageMembers(OrderChangeDocument),
  without_orders: Doc.objects(
    'Indexed blocks whose orders are missing: an earlier version indexed them.',
    {
      from: Doc.count('The first block.'),
      to: Doc.count('The last block.'),
    },
  ),
})
export type OrderHistoryAnswer = Doc.DocumentOf<typeof OrderHistoryAnswer>

/** Validates external parameters. @throws SwapError INVALID_REQUEST */
export function readOrderHistoryRequest(input: unknown): OrderHistoryRequest {
  const names = { cli: 'history', http: 'GET /history/orders' } as const
  const request = validate(OrderHistoryRequest, input, names)
  requireOne(request, ['owner', 'pair', 'txHash'])
  return request
}

/**
 * Changes of resting orders by order messages, from the index: all, or by account, pair or transaction.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_ADDRESS
 */
export async function orderHistory(port: HistoryPort, input: unknown): Promise<OrderHistoryAnswer> {
  const request = readOrderHistoryRequest(input)
  const window = windowOf(request)
  const found = await port.orders(await filterOf(port, request), window)
  return {
    ...pageOf(window, found, changeDocument),
    without_orders: found.without.map(({ from, to }) => ({ from, to })),
  }
}

async function filterOf(
  port: HistoryPort,
  { owner, pair, txHash }: OrderHistoryRequest,
): Promise<OrdersFilter> {
  if (owner !== undefined) return { by: 'owner', owner: await addressOf(port, owner, '/owner') }
  if (pair !== undefined)
    return { by: 'pair', pair: await addressOf(port, pair, '/pair', 'contract') }
  return txHash === undefined ? { by: 'latest' } : { by: 'transaction', txHash: plainHash(txHash) }
}

const changeDocument = (change: OrderChange): OrderChangeDocument => ({
  tx_hash: change.txHash,
  msg_index: change.msgIndex,
  height: change.height,
  time: change.time,
  owner: change.owner,
  action: change.action,
  ...placeDocument({ address: change.pair }, change),
  pair: change.pair,
  offer_denom: change.offerDenom,
  receive_denom: change.receiveDenom,
  sold: `${change.sold}`,
  added: `${change.added}`,
  returned: `${change.returned}`,
  received: `${change.received}`,
  fee: `${change.fee}`,
})

const denoms = {
  offer_denom: 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  receive_denom: 'rune',
}
const pair = 'demo1qwq27s3phjuvs98mwuh40wstl9fvwyvmlr5hcy9fvgmgtn5ydyqqwzr4wd'

export const orderHistoryExample: OrderHistoryAnswer = {
  page: 1,
  limit: 20,
  total: 1,
  items: [
    {
      tx_hash: '8B7DF143D91C716ECFA5FC1730022F6B421B05CEDEE8FD52B1FC65A96030AD52',
      msg_index: 0,
      height: 118,
      time: '2026-05-01T12:03:56Z',
      owner: 'demo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx',
      action: 'claim',
      id: `${pair}/buy/0.499`,
      side: 'buy',
      price: '0.499',
      oracle_bps: null,
      pair,
      ...denoms,
      sold: '0',
      added: '0',
      returned: '0',
      received: '199850000',
      fee: '150000',
    },
  ],
  indexed_height: 120,
  indexed_time: '2026-05-01T12:04:00Z',
  missing_blocks: 0,
  without_orders: [],
}
