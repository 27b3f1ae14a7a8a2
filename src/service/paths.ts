import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { SwapError } from '../engine/errors.js'
import { history } from '../operations/history/history.js'
import { HistoryRequest } from '../operations/history/history-documents.js'
import { OrderHistoryRequest, orderHistory } from '../operations/history/order-history.js'
import type { Endpoint, Operation } from '../operations/operation.js'
import { operations, snapshotOperation } from '../operations/operations.js'
import { sendCompressed } from './answers/compressed.js'
import { handlerOf } from './answers/handler.js'
import { JSON_HEADERS, sendDocument } from './answers/reply.js'
import type { Admission } from './guards/admission.js'
import { BATCH_BYTES, type RateKind } from './guards/limits.js'
import { livezEndpoint, type readiness, readyzEndpoint, versionEndpoint } from './metrics/health.js'
import { type Metrics, metricsEndpoint, metricsHandler } from './metrics/metrics.js'
import { addDocs, docsEndpoint } from './openapi/docs-page.js'
import { openApiEndpoint, openApiOf } from './openapi/openapi-endpoint.js'
import { batchEndpoint, batchHandler } from './routes/batch.js'
import { historyEndpoint, historyHandler, orderHistoryEndpoint } from './routes/history.js'
import { type McpOptions, mcpEndpoint, mcpHandler } from './routes/mcp.js'
import { addPage, pageEndpoint } from './routes/page.js'
import { snapshotHandler } from './routes/snapshot.js'
import { type Streams, streamEndpoint } from './routes/stream.js'
import type { Pool } from './workers/worker-pool.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint's name, for the metrics. */
    readonly endpoint?: string
  }
}

/** All endpoints of the API document, in its order. */
export const endpoints: readonly Endpoint[] = [
  ...operations,
  batchEndpoint,
  streamEndpoint,
  snapshotOperation,
  historyEndpoint,
  orderHistoryEndpoint,
  mcpEndpoint,
  livezEndpoint,
  readyzEndpoint,
  versionEndpoint,
  metricsEndpoint,
  openApiEndpoint,
  docsEndpoint,
  pageEndpoint,
]

export type PathOptions = McpOptions & {
  readonly commit: string
  readonly admission: Admission
  readonly streams: Streams
  readonly pool: Pool
  readonly metrics: Metrics
  readonly ready: () => ReturnType<typeof readiness>
}

/** Puts every endpoint at its path. */
export function addPaths(server: FastifyInstance, parts: PathOptions): void {
  const { context, history: served, metrics, streams, version, commit } = parts
  const put = (
    { name, path: url, method }: Endpoint,
    handler: RouteHandlerMethod,
    kind?: RateKind,
    limit?: { readonly bodyLimit: number },
  ) =>
    server.route({
      method,
      url,
      handler,
      config: { endpoint: name, ...(kind && { kind }) },
      ...limit,
    })
  for (const each of operations) put(each, handlerOf(context, each), kindOf(each))
  const limit = { bodyLimit: BATCH_BYTES }
  put(batchEndpoint, batchHandler(context, parts.admission), 'light', limit)
  put(streamEndpoint, streams.handle, 'get')
  put(snapshotOperation, snapshotHandler(context, parts.pool), 'snapshot')
  put(historyEndpoint, historyHandler(served, HistoryRequest, history), 'get')
  put(orderHistoryEndpoint, historyHandler(served, OrderHistoryRequest, orderHistory), 'get')
  put(mcpEndpoint, mcpHandler(parts), 'light')
  put(livezEndpoint, (_, reply) => sendDocument(reply, { alive: true }))
  put(readyzEndpoint, (_, reply) => {
    const document = parts.ready()
    sendDocument(reply, document, document.ready ? 200 : 503)
  })
  put(versionEndpoint, (_, reply) =>
    sendDocument(reply, { version, commit, node: process.versions.node }),
  )
  put(metricsEndpoint, metricsHandler(metrics), 'metrics')
  const document = openApiOf(endpoints, operations, version, context)
  put(openApiEndpoint, async (request, reply) =>
    sendCompressed(request, reply, await document(), JSON_HEADERS),
  )
  addDocs(server, document)
  addPage(server, version)
}

function kindOf({ method, weight }: Operation): RateKind {
  if (weight === 'heavy') return 'heavy'
  return method === 'GET' ? 'get' : 'light'
}

/**
 * Refuses unknown paths with 404 and unsupported methods with 405, by the routes that are added to the server from now on.
 * `OPTIONS *` is of all paths.
 */
export function unknownRefusal(server: FastifyInstance) {
  const methods = new Map<string, readonly string[]>()
  server.addHook('onRoute', ({ url, method }) => {
    methods.set(url, [...(methods.get(url) ?? []), ...[method].flat()])
  })
  return ({ url, method }: FastifyRequest, reply: FastifyReply): never => {
    const path = url.split('?')[0] ?? ''
    const those =
      path === '*' && method === 'OPTIONS' ? [...methods.values()].flat() : methods.get(path)
    if (those === undefined) throw new SwapError('NOT_FOUND', 'there is nothing here', hint)
    const allow = [...new Set(those)].sort()
    reply.header('allow', allow.join(', '))
    throw new SwapError('METHOD_NOT_ALLOWED', `this path takes ${allow.join(' and ')}`, hint)
  }
}

const hint = { hint: 'see /docs for what there is' }
