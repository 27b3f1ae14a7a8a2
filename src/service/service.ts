import { randomBytes } from 'node:crypto'
import cors from '@fastify/cors'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import { errorCode, errorStack } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import type { OperationContext } from '../operations/context.js'
import { type ContractClient, contractLimiter } from './answers/contract-limiter.js'
import type { RequestContext } from './answers/handler.js'
import { quoteServiceOf } from './answers/quote-service.js'
import { sendProblem } from './answers/reply.js'
import type { FleetRole, MarketFeed, NodeState } from './feed/market-feed.js'
import { recentMarkets } from './feed/recent-markets.js'
import { admissionOf, boundConnections, boundPipelining } from './guards/admission.js'
import { closeAfterReading } from './guards/closing.js'
import { corsOptions, isPreflight } from './guards/headers.js'
import {
  answerClientError,
  answerExpectations,
  encodingFault,
  refuseConnect,
  translateError,
} from './guards/http-errors.js'
import * as limits from './guards/limits.js'
import { type Pressure, timeSlices, watchPressure } from './guards/pressure.js'
import { RateLimiter } from './guards/rate-limiter.js'
import { readiness } from './metrics/health.js'
import type { ServiceLog } from './metrics/log.js'
import { type Metrics, metricsOf } from './metrics/metrics.js'
import { addPaths, type PathOptions, unknownRefusal } from './paths.js'
import { streamsOf } from './routes/stream.js'
import type { Pool } from './workers/worker-pool.js'

/** Dependencies and options of a service. */
export type ServiceOptions = Pick<
  PathOptions,
  'version' | 'commit' | 'pool' | 'hosts' | 'cors' | 'history'
> & {
  readonly feed: MarketFeed
  /** Computes the heavy quotes of streams, so that requests do not queue behind them. */
  readonly streamPool: Pool
  /** The contracts of the markets' chain; absent for a saved market. */
  readonly contracts?: ContractClient | undefined
  readonly log: ServiceLog
  /** Light requests per second and address. Without it 20, and local clients are not limited. */
  readonly rate: number | undefined
  /** The role of the process in its fleet, if there is one. */
  readonly fleetRole?: () => FleetRole['is'] | undefined
  /** The state of the nodes; empty for a single one. */
  readonly nodes?: () => readonly NodeState[]
  /** Milliseconds that idle connections are kept: longer than a proxy in front keeps its own. */
  readonly keepAlive: number
  /** Source of `slippage: "auto"`: the number of recent blocks, and the share of executions. */
  readonly autoSlippage?: {
    readonly blocks: number
    readonly quantileBps: number
    /** Markets of the continued tape. */
    readonly recorded?: readonly Market[]
  }
  readonly cacheBytes?: number
  /** Called for every request, for the thread's watchdog. */
  readonly progress?: () => void
  /** Load of the process; measured here by default. */
  readonly pressure?: Pressure
  /** Requests that may query the chain at once, and their timeout in milliseconds. */
  readonly asking?: { readonly most: number; readonly ms: number }
}

/** A service that is not listening yet. */
export type Service = {
  readonly server: FastifyInstance
  readonly metrics: Metrics
  /** Reports unready from now on. Requests are still answered. */
  drain(): void
  /** Ends streams, completes requests in flight, and closes. @returns the number of streams */
  close(): Promise<number>
}

/** Recorded blocks for `slippage: "auto"`, read in time slices that all requests share. */
function evidenceOf(
  feed: MarketFeed,
  { blocks, quantileBps, recorded }: NonNullable<ServiceOptions['autoSlippage']>,
): OperationContext['evidence'] {
  const recent = recentMarkets(feed, blocks, recorded)
  const turn = timeSlices()
  return async () => ({ markets: recent(), quantileBps, turn })
}

/** Creates a service. All market data comes from the feed. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { feed, pool, log } = options
  const { cacheBytes = limits.CACHE_BYTES } = options
  const evidence = options.autoSlippage && evidenceOf(feed, options.autoSlippage)
  const version = `${options.version} ${options.commit}`
  const limiter = limiterOf(options)
  const quotes = quoteServiceOf({ version, feed, pool, cacheBytes, limiter, evidence })
  const bug: RequestContext['bug'] = (error, id = '') =>
    log.event('error', 'a bug', { id, stack: errorStack(error) })
  const pressure = options.pressure ?? watchPressure()
  const admission = admissionOf({ ...options, pressure })
  const context: RequestContext = { feed, quotes, chargeHeavy: admission.chargeHeavy, bug }
  const streams = streamsOf(context, admission, options.streamPool, (request) =>
    answered(request, 200),
  )
  let draining = false
  const ready = () => readiness(feed, draining, options.history?.indexed())
  const metrics = metricsOf({
    feed,
    pool,
    counts: quotes.counts,
    history: options.history,
    fleetRole: () => options.fleetRole?.(),
    nodes: () => options.nodes?.() ?? [],
    streams: () => streams.open,
    ready: () => ready().ready,
    lag: pressure.lag,
  })
  const count = (status: number, code: string): void => {
    metrics.answered('unknown', status, 0)
    metrics.refused(code)
  }
  const server = bareServer(options, count)
  if (options.cors.length > 0) await server.register(cors, corsOptions(options.cors))
  const answered = observer({ log, metrics, bug })
  // Before the response is handed to the socket: waiting for it to finish costs more than the rest of this hook.
  server.addHook('onSend', (request, reply, _payload, done) => {
    answered(request, reply.statusCode)
    // Closing waits for kept-alive connections, so none is kept while draining.
    if (draining) reply.header('connection', 'close')
    done()
  })
  const refuseUnknown = unknownRefusal(server)
  server.addHook('onRequest', (request, reply, done) => {
    options.progress?.()
    // Requests of a closed connection are dropped; one that was reset has no address any more.
    if (request.socket.destroyed || request.socket.remoteAddress === undefined) {
      reply.hijack()
      return
    }
    request.cameAt = performance.now()
    reply.header('x-request-id', request.id)
    try {
      admission.check(request, reply)
      // Runs before the framework's body checks, which fail for some methods without a body.
      const isOptions = request.method === 'OPTIONS'
      // The framework reads a path that begins with * as one that begins with /.
      const isUnknown = request.is404 || request.url.startsWith('*')
      if (isUnknown || (isOptions && !isPreflight(request))) refuseUnknown(request, reply)
      if (isOptions) reply.code(204).header('content-length', '0')
      done()
    } catch (error) {
      sendProblem(request, reply, error)
    }
  })
  addPaths(server, { ...options, context, admission, streams, metrics, ready })
  const notices = new RateLimiter({ perSecond: 1 / 60, burst: 1 })
  boundConnections(server.server, () => {
    metrics.connectionRefused()
    if (notices.take('').allowed) log.event('warn', 'connections beyond the limits are refused')
  })
  boundPipelining(server.server)
  closeAfterReading(server)
  refuseConnect(server.server, count)
  answerExpectations(server.server)
  await server.ready()
  return {
    server,
    metrics,
    drain() {
      draining = true
    },
    async close() {
      draining = true
      const ended = streams.end()
      await server.close()
      pressure.close()
      return ended
    },
  }
}

/** Limits queries of contracts, and logs the errors of nodes. */
function limiterOf({ contracts, log, asking }: ServiceOptions) {
  return (
    contracts &&
    contractLimiter(contracts, {
      most: asking?.most ?? limits.CHAIN_REQUESTS,
      ms: asking?.ms ?? limits.CHAIN_REQUEST_MS,
      failed: ({ code, message, why = '' }) =>
        log.event('warn', 'the chain cannot be queried', { code, reason: `${message} ${why}` }),
    })
  )
}

/** A server that reads bodies as text only, with the limits of a service. */
function bareServer(
  { keepAlive }: ServiceOptions,
  count: (status: number, code: string) => void,
): FastifyInstance {
  const server = fastify({
    logger: false,
    bodyLimit: limits.BODY_BYTES,
    connectionTimeout: limits.SOCKET_MS,
    requestTimeout: limits.REQUEST_MS,
    // Fastify takes 0 for its own 72 s.
    keepAliveTimeout: Math.max(keepAlive, 1),
    maxRequestsPerSocket: limits.REQUESTS_PER_SOCKET,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: false,
    routerOptions: { maxParamLength: 128 },
    http: {
      // Refused with a problem document (guards/admission.ts); Node's own response has no body.
      requireHostHeader: false,
      maxHeaderSize: limits.HEADER_BYTES,
      headersTimeout: limits.HEADERS_MS,
      connectionsCheckingInterval: limits.CHECK_MS,
    },
    genReqId: requestIds(),
    clientErrorHandler: answerClientError(count),
    // These run no hooks.
    frameworkErrors(error, request, reply) {
      sendProblem(request, reply.header('x-request-id', request.id), translateError(error))
      count(reply.statusCode, request.problemCode)
    },
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    ({ headers }, body, done) => {
      const fault = encodingFault(headers)
      if (fault === undefined) done(null, body)
      else done(fault)
    },
  )
  server.decorateRequest('problemCode', '')
  server.decorateRequest('servedHeight', 0)
  server.decorateRequest('cameAt', 0)
  server.decorateRequest('bug', undefined)
  server.setErrorHandler((error, request, reply) => {
    // The client left before the first part of a streamed answer, which is counted when it is opened.
    if (reply.raw.destroyed && errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE') return
    const fault = translateError(error, request.routeOptions.bodyLimit)
    sendProblem(request, reply, fault, request.servedHeight || undefined)
  })
  return server
}

/** Generates ids with a random prefix for each process, and a counter. */
function requestIds(): () => string {
  const begin = randomBytes(6).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${begin}-${count.toString(36)}`
  }
}

/** Client request ids that are safe to log. */
const CLIENT_ID = /^[\w-]{1,64}$/

/** Counts and logs an answer when it is sent, a stream when it is opened. */
const observer =
  ({
    log,
    metrics,
    bug,
  }: { readonly metrics: Metrics } & Pick<ServiceOptions, 'log'> & Pick<RequestContext, 'bug'>) =>
  (request: FastifyRequest, status: number): void => {
    const { problemCode: code, servedHeight: height } = request
    const { url, config } = request.routeOptions
    const ms = request.cameAt === 0 ? 0 : performance.now() - request.cameAt
    metrics.answered(config?.endpoint ?? 'unknown', status, ms / 1_000)
    if (code !== '') metrics.refused(code)
    if (request.bug !== undefined) bug(request.bug, request.id)
    const named = request.headers['x-request-id']
    log.request({
      id: request.id,
      clientId: typeof named === 'string' && CLIENT_ID.test(named) ? named : undefined,
      method: request.method,
      path: url ?? 'unknown',
      status,
      ms,
      code: code === '' ? undefined : code,
      height: height === 0 ? undefined : height,
    })
  }
