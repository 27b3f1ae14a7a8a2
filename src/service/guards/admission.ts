import type { FastifyReply, FastifyRequest } from 'fastify'
import { SwapError } from '../../engine/errors.js'
import { overloaded } from '../workers/worker-pool.js'
import { PerAddress } from './connections.js'
import { hostsOf, isLoopback } from './headers.js'
import { type RateKind, ratesOf, STREAMS_PER_ADDRESS, URL_LENGTH } from './limits.js'
import type { Pressure } from './pressure.js'
import { type Allowance, RateLimiter } from './rate-limiter.js'

export type AdmissionOptions = {
  /** Host names beside those of the loopback address. */
  readonly hosts: readonly string[]
  /** Light requests a second of one address; `undefined` leaves clients of this machine unlimited. */
  readonly rate: number | undefined
  readonly pressure: Pressure
  readonly now?: () => number
}

/** Checks before every request; refused requests have no body read. */
export type Admission = {
  /** @throws SwapError when the request is refused */
  check(request: FastifyRequest, reply: FastifyReply): void
  /** Charges more requests of the same client, which came in one batch. */
  chargeMore(request: FastifyRequest, kind: RateKind, count: number): void
  /** Counts a stream of the client. @returns what counts it as closed @throws SwapError RATE_LIMITED */
  openStream(request: FastifyRequest): () => void
  /** Charges `count` heavy requests. @throws SwapError RATE_LIMITED */
  chargeHeavy(request: FastifyRequest, count?: number): void
}

/** Default light requests per second of one address. */
const USUAL_RATE = 20

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What kind of request it is, for the rate limit; without it, the endpoint is always open. */
    readonly kind?: RateKind
  }
}

export function admissionOf(options: AdmissionOptions): Admission {
  const isHost = hostsOf(options.hosts)
  const rates = ratesOf(options.rate ?? USUAL_RATE)
  const limits = {
    get: new RateLimiter(rates.get, options.now),
    light: new RateLimiter(rates.light, options.now),
    heavy: new RateLimiter(rates.heavy, options.now),
    metrics: new RateLimiter(rates.metrics, options.now),
    snapshot: new RateLimiter(rates.snapshot, options.now),
  }
  const streams = new PerAddress(STREAMS_PER_ADDRESS)
  const isLimited = (address: string) => options.rate !== undefined || !isLoopback(address)
  return {
    check(request, reply) {
      if (request.headers.host === undefined) throw noHost()
      if (!isHost(request.headers.host)) throw wrongHost()
      refuseSmuggling(request)
      if (request.url.length > URL_LENGTH) throw tooLong()
      const kind = request.routeOptions.config?.kind
      if (kind === undefined) return
      if (isLimited(request.ip)) setRateHeaders(reply, limits[kind].take(request.ip))
      // A service under pressure is when its metrics matter, and they cost next to nothing.
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
  new SwapError('RATE_LIMITED', 'this address asks too often', {
    why: `one more request passes in ${wait} ms`,
    hint: 'ask less often, or many at once: POST /swap/batch',
    members: { retry_after_ms: wait },
  })

const tooManyStreams = (): SwapError =>
  new SwapError('RATE_LIMITED', 'this address has too many streams open', {
    why: `it may have ${STREAMS_PER_ADDRESS}`,
    hint: 'close one of them',
    members: { retry_after_ms: 10_000 },
  })

/**
 * What a proxy may read otherwise than Node does: a second `Host` header, of which Node takes the
 * first, and a transfer encoding that it does not know.
 */
function refuseSmuggling({ raw }: FastifyRequest): void {
  const { rawHeaders } = raw
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  const encoding = raw.headers['transfer-encoding']
  if (hosts < 2 && (encoding === undefined || encoding.toLowerCase() === 'chunked')) return
  throw new SwapError('INVALID_REQUEST', 'the request can be read in two ways', {
    why: hosts > 1 ? 'it has two Host headers' : 'its transfer encoding is not chunked',
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
    why: 'a page of another site could have its name point here',
    hint: {
      cli: 'name the host when the service is started: swap serve --allow-host NAME',
      http: 'ask under the name of the service; its operator can allow another',
    },
  })

const tooLong = (): SwapError =>
  new SwapError('URI_TOO_LONG', 'the path with its parameters is too long', {
    why: `it may have ${URL_LENGTH} characters`,
    hint: 'send long requests as a body',
  })
