import type { Static } from 'typebox'
import * as Type from 'typebox'
import { prefixOf } from '../../engine/market/market.js'
import { type OperationContext, requireContracts } from '../context.js'
import { coinDocument, marketHead } from '../document-parts.js'
import * as Doc from '../document-schema.js'
import { requireAddress } from '../names.js'
import { type Example, operation, UPSTREAM_CODES } from '../operation.js'
import type { RouteAnswer } from '../route/route-documents.js'
import { OrderDocument, orderDocument, unreadOrders } from './order-documents.js'
import { OrderPreviewAnswer, OrderPreviewRequest } from './order-preview-documents.js'
import { readMarketOrders, sumsOfOrders } from './read-orders.js'

/** Parameters of `GET /orders` (docs/api.md#orders). */
export const OrdersRequest = Doc.closedObject({
  owner: Doc.text('Address of the account whose orders are listed.'),
  pair: Type.Optional(Doc.text('Only the orders of this pair. Its contract address.')),
})
export type OrdersRequest = Static<typeof OrdersRequest>

/** The answer of `GET /orders`. */
export const OrdersAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  owner: Doc.text('Address of the account.'),
  orders: Doc.listOf(
    'Pair by pair in the order of the market, then those that it leaves out; in a pair as it answers them.',
    OrderDocument,
  ),
  resting: Doc.coins('What rests of all of them, by denom.'),
  claimable: Doc.coins('What claims of all of them would pay, by denom.'),
  unread: unreadOrders('Pairs whose orders are not in the list.'),
})
export type OrdersAnswer = Doc.DocumentOf<typeof OrdersAnswer>

/** The answer of `swap order show --json`. */
export const OrderAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  owner: Doc.text('Address of the account.'),
  ...OrderDocument.properties,
})

/** An owner's orders on one pair or on all, including pairs without a readable book, at the market's height. */
export async function orders(
  context: OperationContext,
  request: OrdersRequest,
): Promise<OrdersAnswer> {
  const { market } = await context.openMarket()
  await requireAddress(request.owner, prefixOf(market.router.address), '/owner')
  const contracts = await requireContracts(context, 'orders')
  const read = await readMarketOrders(contracts, market, request.owner, request.pair)
  const { resting, claimable } = sumsOfOrders(read)
  return {
    ...marketHead(market),
    owner: request.owner,
    orders: read.orders.map(({ pair, order }) => orderDocument(pair, order)),
    resting: resting.map(coinDocument),
    claimable: claimable.map(coinDocument),
    unread: read.unread,
  }
}

/** Requires an account of the served network, whose prefix its pairs' addresses have. */
async function ordersExample(answers: ReadonlyMap<string, Example>): Promise<Example | undefined> {
  const quoted = answers.get('route')?.answer as RouteAnswer | undefined
  const hop = quoted?.routes[0]?.hops[0]
  if (hop === undefined) return undefined
  const { exampleAddress } = await import('../address.js')
  return { request: { owner: exampleAddress(prefixOf(hop.address)) }, answer: undefined }
}

export const ordersOperation = operation({
  name: 'orders',
  method: 'GET',
  path: '/orders',
  summary: 'The resting orders of an account',
  description:
    'On every pair or on one, those without a readable book included, all as of one height: what was offered, what still rests, what was filled and can be claimed.',
  request: OrdersRequest,
  exampleFrom: ordersExample,
  response: OrdersAnswer,
  codes: ['INVALID_ADDRESS', 'NOT_FOUND', ...UPSTREAM_CODES],
  weight: 'heavy',
  deadline: 10_000,
  needsChain: () => true,
  run: orders,
})

/** An immediate-or-cancel order on the first pair of the example route, since pairs differ by network. */
function previewExample(answers: ReadonlyMap<string, Example>): Example | undefined {
  const quoted = answers.get('route')?.answer as RouteAnswer | undefined
  const hop = quoted?.routes[0]?.hops[0]
  if (hop === undefined) return undefined
  const order = { side: 'sell', price: '0.5', target: '100000000' }
  const entries = [order, { ...order, target: '0' }]
  return { request: { pair: hop.address, entries }, answer: undefined }
}

export const orderPreviewOperation = operation({
  name: 'order-preview',
  method: 'POST',
  path: '/orders/preview',
  summary: 'What an order message would do, to the atomic',
  description:
    'Orders are placed, raised, lowered, claimed and cancelled by one message to the pair itself. Answers coin by coin what is taken now and from which levels, fees, what rests, what is claimed and what comes back, with the message, unsigned. A message that the pair would refuse, or that would do nothing, is refused with `ORDER_REFUSED`.',
  request: OrderPreviewRequest,
  exampleFrom: previewExample,
  response: OrderPreviewAnswer,
  codes: [
    'INVALID_AMOUNT',
    'INVALID_ADDRESS',
    'ORDER_REFUSED',
    'NOT_FOUND',
    'MARKET_HALTED',
    ...UPSTREAM_CODES,
  ],
  weight: 'heavy',
  deadline: 10_000,
  needsChain: ({ owner }) => owner !== undefined,
  run: async (...call) => (await import('./order-preview.js')).orderPreview(...call),
})
