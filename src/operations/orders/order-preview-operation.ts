import { type Example, operation, UPSTREAM_CODES } from '../operation.js'
import type { RouteAnswer } from '../route/route-answer.js'
import { OrderPreviewAnswer } from './order-preview-answer.js'
import { OrderPreviewRequest, readOrderPreviewRequest } from './order-preview-request.js'

/** An immediate-or-cancel order on the first pair of the example route: pairs differ by network. */
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
  tag: 'swap',
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
  read: readOrderPreviewRequest,
  run: async (...call) => (await import('./order-preview.js')).orderPreview(...call),
})
