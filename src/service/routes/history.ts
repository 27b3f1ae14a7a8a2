import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { onlyMarket } from '../../operations/context.js'
import {
  HistoryAnswer,
  HistoryRequest,
  historyExample,
} from '../../operations/history/history-documents.js'
import type { HistoryPort } from '../../operations/history/history-port.js'
import {
  OrderHistoryAnswer,
  OrderHistoryRequest,
  orderHistoryExample,
} from '../../operations/history/order-history.js'
import type { Endpoint } from '../../operations/operation.js'
import { queryStringOf } from '../answers/handler.js'
import { sendTagged, weakTag } from '../answers/reply.js'
import { readQuery } from '../query.js'

export const historyEndpoint: Endpoint = {
  name: 'history',
  method: 'GET',
  path: '/history',
  tag: 'history',
  summary: 'Swaps that were executed, from the index of the chain',
  description:
    'The latest, or those of one `sender`, `txHash` or `affiliate`, newest first; or with `period` the wallets that swapped most. Parameters of two of these together are refused.',
  request: HistoryRequest,
  example: { limit: 20 },
  response: HistoryAnswer,
  answer: historyExample,
  codes: ['INVALID_ADDRESS'],
}

export const orderHistoryEndpoint: Endpoint = {
  name: 'history-orders',
  method: 'GET',
  path: '/history/orders',
  tag: 'history',
  summary: 'Changes of resting orders that were executed, from the index of the chain',
  description:
    'What order messages placed, raised, lowered, cancelled and claimed, newest first: of everyone, or of one `owner`, `pair` or `txHash`. Two of these together are refused.',
  request: OrderHistoryRequest,
  example: { limit: 20 },
  response: OrderHistoryAnswer,
  answer: orderHistoryExample,
  codes: ['INVALID_ADDRESS'],
}

/** The service's access to the index. */
export type ServedHistory = {
  readonly port: HistoryPort
  /** The newest indexed block known to this process. */
  indexed(): number | undefined
  figures(): IndexFigures
}

/** Figures of an index as known to this process; `undefined` if unknown. */
export type IndexFigures = {
  /** The newest block of the chain, if this process indexes. */
  readonly head: number | undefined
  /** Blocks up to the head still to be indexed, if this process indexes. */
  readonly missing: number | undefined
  /** Whether this process indexes. */
  readonly leads: boolean
  /** Epoch of the latest leader. */
  readonly epoch: number | undefined
  readonly legs: number | undefined
  /** Events that could not be decoded as swaps or orders. */
  readonly quarantined: number | undefined
  /** Indexed blocks that this process removed, because they differed from the chain. */
  readonly forgotten: number
  /** Whether indexing is stopped: the index is of another chain or decoder, or unusable. */
  readonly stopped: boolean
  /** The newest height published by the fleet's leader, and the number of kept heights. */
  readonly published: { readonly height: number; readonly heights: number } | undefined
}

/** Answers from the index. @throws SwapError INVALID_REQUEST for a saved market, which has none */
export const historyHandler =
  (
    served: ServedHistory | undefined,
    schema: TSchema,
    answer: (port: HistoryPort, request: unknown) => Promise<object>,
  ) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    if (served === undefined) throw onlyMarket('the history')
    const text = JSON.stringify(
      await answer(served.port, readQuery(queryStringOf(request.url), schema)),
    )
    // Blocks below the newest one may be indexed later.
    sendTagged(request, reply, { text, tag: weakTag(text) })
    return reply
  }
