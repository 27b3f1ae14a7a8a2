import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SwapError } from '../../engine/errors.js'
import { keptWith } from '../../platform/memoize.js'
import { overloaded } from '../workers/worker-pool.js'
import { hostsOf, isLoopback } from './headers.js'
import {
  CONNECTIONS_PER_ADDRESS,
  connectionsWithin,
  mostOpenFiles,
  PIPELINED,
  RATE_KINDS,
  type RateKind,
  rateOf,
  STREAMS_PER_ADDRESS,
  URL_LENGTH,
} from './limits.js'
import type { Pressure } from './pressure.js'
import { type Allowance, addressGroup, RateLimiter } from './rate-limiter.js'

type AdmissionOptions = {
  /** Allowed host names beside those of the loopback address. */
  readonly hosts: readonly string[]
  /** Light requests per second and address; `undefined`: 20, and local clients are exempt. */
  readonly rate: number | undefined
  readonly pressure: Pressure
}

/** Checks before every request; the body of a refused request is not read. */
export type Admission = {
  /** @throws SwapError INVALID_REQUEST, HOST_NOT_ALLOWED, URI_TOO_LONG, RATE_LIMITED, OVERLOADED */
  check(request: FastifyRequest, reply: FastifyReply): void
  /** Charges further requests of the same client, for batches; refuses none. */
  chargeMore(request: FastifyRequest, kind: RateKind, count: number): void
  /** Counts a stream of the client. @returns a function that releases it @throws SwapError RATE_LIMITED */
  openStream(request: FastifyRequest): () => void
  /** Charges `count` heavy requests. @throws SwapError RATE_LIMITED */
  chargeHeavy(request: FastifyRequest, count?: number): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rate limit's kind of request; without it the endpoint is not limited. */
    readonly kind?: RateKind
  }
}

export function admissionOf(options: AdmissionOptions): Admission {
  const isHost = hostsOf(options.hosts)
  // Health checks of balancers use HTTP/1.0 without a host; browsers, which the check is for, always name it.
  const isAllowed = (name: string | undefined) => name === undefined || isHost(name)
  const limiterOf = (kind: RateKind) => [kind, new RateLimiter(rateOf(kind, options.rate))]
  const limits: Readonly<Record<RateKind, RateLimiter>> = Object.fromEntries(
    RATE_KINDS.map(limiterOf),
  )
  const streams = new PerAddress(STREAMS_PER_ADDRESS)
  const isLimited = (address: string) => options.rate !== undefined || !isLoopback(address)
  return {
    check(request, reply) {
      const { host } = request.headers
      if (host === undefined && request.raw.httpVersion !== '1.0') throw noHost()
      if (!isAllowed(host) || !isAllowed(targetHost(request))) throw wrongHost()
      refuseSmuggling(request, reply)
      if (request.url.length > URL_LENGTH) throw tooLong()
      const kind = request.routeOptions.config?.kind
      if (kind === undefined) return
      if (isLimited(request.ip)) setRateHeaders(reply, limits[kind].take(request.ip))
      // Metrics are needed most under load, and cost little.
      if (kind === 'metrics') return
      const pressure = options.pressure.tooMuch()
      if (pressure !== undefined) throw overloaded(pressure)
    },
    openStream({ ip }) {
      if (!isLimited(ip)) return () => {}
      const close = streams.open(ip)
      if (close === undefined) throw tooManyStreams()
      return close
    },
    chargeMore(request, kind, count) {
      if (count > 0 && isLimited(request.ip)) limits[kind].take(request.ip, count)
    },
    chargeHeavy({ ip }, count = 1) {
      if (count === 0 || !isLimited(ip)) return
      const { allowed, wait } = limits.heavy.take(ip, count)
      if (!allowed) throw tooOften(wait)
    },
  }
}

function setRateHeaders(reply: FastifyReply, { allowed, limit, remaining, wait }: Allowance): void {
  reply.header('ratelimit-limit', `${limit}`)
  reply.header('ratelimit-remaining', `${remaining}`)
  reply.header('ratelimit-reset', `${Math.ceil(wait / 1_000)}`)
  if (!allowed) throw tooOften(wait)
}

const tooOften = (wait: number): SwapError =>
  new SwapError('RATE_LIMITED', 'this address sends too many requests', {
    why: `one more request passes in ${wait} ms`,
    hint: 'send fewer, or many in one: POST /swap/batch',
    members: { retry_after_ms: wait },
  })

const tooManyStreams = (): SwapError =>
  new SwapError('RATE_LIMITED', 'this address has too many streams open', {
    why: `it may have ${STREAMS_PER_ADDRESS}`,
    hint: 'close one of them',
    members: { retry_after_ms: 10_000 },
  })

/** The host of a target in absolute form, which takes precedence over `Host` (RFC 9112, 3.2.2). */
const targetHost = ({ raw }: FastifyRequest): string | undefined =>
  /^https?:\/\/([^/?#]*)/i.exec(raw.url ?? '')?.[1]

/**
 * Refuses requests that a proxy may parse differently: a second `Host` header, of which Node uses the first, and a
 * transfer encoding that is unknown, or in HTTP/1.0, which has none. The connection is closed: where the next request
 * begins is not certain.
 */
function refuseSmuggling({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { rawHeaders } = raw
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  const encoding = raw.headers['transfer-encoding']?.toLowerCase()
  const isClear = encoding === undefined || (encoding === 'chunked' && raw.httpVersion === '1.1')
  if (hosts < 2 && isClear) return
  reply.header('connection', 'close')
  throw new SwapError('INVALID_REQUEST', 'the request can be read in two ways', {
    why:
      hosts > 1
        ? 'it has two Host headers'
        : 'its transfer encoding is not that of HTTP/1.1, chunked',
    hint: 'send it as any HTTP client does',
    members: { errors: [] },
  })
}

const noHost = (): SwapError =>
  new SwapError('INVALID_REQUEST', 'the request names no host', {
    hint: 'send the header Host, as any HTTP client does',
    members: { errors: [] },
  })

const wrongHost = (): SwapError =>
  new SwapError('HOST_NOT_ALLOWED', 'the service does not answer for the host of this request', {
    why: 'the name of another site may resolve to this address (DNS rebinding)',
    hint: {
      cli: 'name the host when the service is started: swap serve --allow-host <name>',
      http: 'use the name of the service; its operator can allow another',
    },
  })

const tooLong = (): SwapError =>
  new SwapError('URI_TOO_LONG', 'the path with its parameters is too long', {
    why: `it may have ${URL_LENGTH} characters`,
    hint: 'send long requests as a body',
  })

/**
 * Limits connections, in total and per address: with the total alone one address could use up all of them.
 * Local addresses, which may be a proxy's, have no limit of their own.
 *
 * @param refused called for every connection that is closed for this
 */
export function boundConnections(server: Server, refused: () => void): void {
  server.maxConnections = connectionsWithin(mostOpenFiles())
  server.on('drop', refused)
  const places = new PerAddress(CONNECTIONS_PER_ADDRESS)
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isLoopback(address)) return
    const close = places.open(address)
    if (close !== undefined) return void socket.once('close', close)
    socket.destroy()
    refused()
  })
}

/**
 * Limits pipelined requests of a connection. Their answers wait in memory for a client that may never read
 * them, and Node pauses a connection only after parsing a whole chunk: a few kilobytes of requests would hold
 * hundreds of megabytes of answers. When the connection closes, Node closes only the first of its answers.
 */
export function boundPipelining(server: Server): void {
  const waitingOn = keptWith((socket: Socket) => {
    const waiting = new Set<ServerResponse>()
    socket.once('close', () => {
      for (const each of waiting) if (each.socket === null) each.destroy().emit('close')
    })
    return waiting
  })
  server.on('request', ({ socket }, response) => {
    // An answer has its socket immediately unless an earlier one is pending.
    if (response.socket !== null) return
    const others = waitingOn(socket)
    others.add(response)
    if (others.size > PIPELINED) socket.destroy()
    response.once('close', () => others.delete(response))
  })
}

/** Counts open connections or streams by address, up to a limit. */
class PerAddress {
  readonly #open = new Map<string, number>()

  constructor(readonly limit: number) {}

  /** Counts one. @returns a function that releases it, or `undefined` above the limit */
  open(address: string): (() => void) | undefined {
    const group = addressGroup(address)
    const count = (this.#open.get(group) ?? 0) + 1
    if (count > this.limit) return undefined
    this.#open.set(group, count)
    return () => {
      const left = (this.#open.get(group) ?? 1) - 1
      if (left > 0) this.#open.set(group, left)
      else this.#open.delete(group)
    }
  }
}
