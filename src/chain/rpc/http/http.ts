import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { attempt } from '../../../platform/attempt.js'
import { utf8Text } from '../../../platform/bytes.js'
import { NodeFault, type NodeFaultDetails, type NodeFaultKind } from '../faults.js'
import { partsWithin } from './body-parts.js'
import { decodeComponent } from './mask.js'
import { httpModule, httpsModule, type Target } from './target.js'

/** A request to a target. */
type HttpRequest = {
  readonly method: 'GET' | 'POST'
  /** With the query string; replaces that of the URL. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /**
   * `fresh` opens a new connection: the node may have closed a kept one already, which cannot be distinguished from
   * closing it in response to the request. A request over a kept one is then sent again over a new one.
   */
  readonly connection: 'kept' | 'fresh'
  /** Decides by status and headers, before the body is read, whether the reply is an answer. */
  readonly judge: ReplyCheck
}

export type HttpReply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Why a reply is not an answer. */
export type Verdict = {
  readonly kind: NodeFaultKind
  readonly reason: string
  readonly details?: NodeFaultDetails
}
export type ReplyCheck = (status: number, headers: IncomingHttpHeaders) => Verdict | undefined

/**
 * Sends one request and reads the reply. `deadlineAt` limits the whole exchange, from waiting for a connection to the last
 * byte. Redirects are not followed; certificates are always verified.
 *
 * @param deadlineAt on the target's clock
 * @throws NodeFault
 */
export function sendRequest(
  target: Target,
  request: HttpRequest,
  deadlineAt: number,
): Promise<HttpReply> {
  const { clock, limits, ending, shown } = target
  return new Promise((resolve, reject) => {
    const leftMs = Math.ceil(deadlineAt - clock.now())
    // Once a connection is established, bytes may have been sent on it.
    let connected = false
    // `reusedSocket` of a request does not tell of a connection that the agent passes on to a waiting request.
    let isReused = false
    const fault = ({ kind, reason, details }: Verdict) =>
      new NodeFault(kind, shown, reason, { ...details, ...(!connected && { isUnsent: true }) })
    if (ending.aborted) return reject(fault(CLOSED))
    if (leftMs <= 0) return reject(fault(timeoutVerdict(0)))
    const outgoing = requestTo(target, request)
    let isOver = false
    const cancels: (() => void)[] = []
    const cancelAll = (): void => {
      isOver = true
      for (const cancel of cancels.splice(0)) cancel()
    }
    const fail = (verdict: Verdict): void => {
      if (isOver) return
      cancelAll()
      reject(fault(verdict))
      outgoing.destroy()
    }
    const close = () => fail(CLOSED)
    ending.addEventListener('abort', close)
    cancels.push(
      () => ending.removeEventListener('abort', close),
      clock.after(leftMs, () => fail(timeoutVerdict(leftMs))),
    )
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) {
        connected = true
        isReused = true
        return
      }
      const failToConnect = () =>
        fail({ kind: 'unreachable', reason: `took no connection within ${limits.connectMs} ms` })
      const cancel = clock.after(limits.connectMs, failToConnect)
      cancels.push(cancel)
      socket.once(target.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        connected = true
        cancel()
      })
    })
    outgoing.on('error', (error) => {
      if (isOver) return
      const verdict = connectionVerdict(error, outgoing)
      if (verdict.kind !== 'reset' || !isReused) return fail(verdict)
      cancelAll()
      resolve(sendRequest(target, { ...request, connection: 'fresh' }, deadlineAt))
    })
    // Without a listener Node closes the connection and reports nothing.
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy()
      fail({ kind: 'not_json', reason: 'switches to another protocol than HTTP' })
    })
    outgoing.on('response', (incoming) => {
      const { statusCode: status = 0, headers } = incoming
      const verdict = request.judge(status, headers)
      if (verdict !== undefined) {
        incoming.on('error', () => {})
        return fail(verdict)
      }
      const give = (text: string): void => {
        cancelAll()
        resolve({ status, headers, text })
      }
      readBody(incoming, limits.bytes, give, fail)
    })
    outgoing.end(request.body)
  })
}

const CLOSED: Verdict = { kind: 'closed', reason: 'is no longer queried' }

const timeoutVerdict = (timeoutMs: number): Verdict => ({
  kind: 'timeout',
  reason: timeoutMs > 0 ? `did not answer within ${timeoutMs} ms` : 'could not be queried in time',
  details: { timeoutMs },
})

function requestTo(
  target: Target,
  { method, path, headers, body, connection }: HttpRequest,
): ClientRequest {
  const { url, agent } = target
  const isSecure = url.protocol === 'https:'
  const login = url.username !== '' || url.password !== ''
  const options: RequestOptions & { readonly rejectUnauthorized: true } = {
    method,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 443 : 80) : url.port,
    path,
    agent: connection === 'kept' ? agent : false,
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(login && { auth: `${decodeComponent(url.username)}:${decodeComponent(url.password)}` }),
    headers: {
      accept: 'application/json',
      'accept-encoding': ACCEPTED_ENCODING,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
      ...headers,
    },
  }
  return (isSecure ? httpsModule() : httpModule()).request(options)
}

/** Describes error codes of the system and of TLS in our words: the original messages may contain the URL. */
function connectionVerdict(error: NodeJS.ErrnoException, outgoing: ClientRequest): Verdict {
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') return { kind: 'refused', reason: 'refused the connection' }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { kind: 'unknown_host', reason: `has a host name that does not resolve (${code})` }
  if (/^(?:EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL|EACCES)$/.test(code))
    return { kind: 'unreachable', reason: `cannot be reached (${code})` }
  if (/^(?:ECONNRESET|EPIPE|ECONNABORTED)$/.test(code))
    return { kind: 'reset', reason: 'closed the connection without an answer' }
  if (code === 'EPROTO')
    return {
      kind: 'not_tls',
      reason: 'answers without TLS or with an unusable version of it (EPROTO)',
    }
  if (isTls(code, outgoing.socket))
    return {
      kind: 'tls',
      reason: `${tlsReasons[code] ?? 'has a certificate that cannot be trusted'} (${code})`,
    }
  if (code.startsWith('HPE_')) return { kind: 'not_json', reason: `does not speak HTTP (${code})` }
  return { kind: 'unreachable', reason: `cannot be reached (${code})` }
}

/** The code of an error; of an `AggregateError` over several addresses, that of the first one. */
function codeOf(error: NodeJS.ErrnoException): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  const { code } = (error.code === undefined && first ? first : error) as NodeJS.ErrnoException
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown'
}

const tlsReasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet by the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate of another host',
}

const isTls = (code: string, socket: Socket | null): boolean =>
  /CERT|TLS|SSL|SIGNATURE|ISSUER|SELF_SIGNED/.test(code) ||
  (socket !== null && 'authorizationError' in socket && Boolean(socket.authorizationError))

/** The only compression that is requested. */
const ACCEPTED_ENCODING = 'gzip'

/** The decompressed stream; `undefined` for an encoding that was not requested. */
function unpacked(incoming: IncomingMessage): Readable | undefined {
  const encoding = incoming.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return incoming
  if (encoding !== ACCEPTED_ENCODING) return undefined
  const gunzip = process.getBuiltinModule('node:zlib').createGunzip()
  incoming.on('error', (error) => gunzip.destroy(error))
  return incoming.pipe(gunzip)
}

const UNREADABLE: Verdict = {
  kind: 'not_json',
  reason: 'answered what cannot be unpacked as text',
}

const CUT_OFF: Verdict = {
  kind: 'reset',
  reason: 'closed the connection in the middle of its answer',
}

/**
 * Reads a body to its end and passes on its text, or why it has none; after a failure, further ones may follow. Bytes are
 * counted while they arrive, compressed and decompressed, so that no more than `most` of them are kept.
 */
function readBody(
  incoming: IncomingMessage,
  most: number,
  give: (text: string) => void,
  fail: (verdict: Verdict) => void,
): void {
  const tooLarge: Verdict = { kind: 'too_large', reason: `answered more than ${most} bytes` }
  const declared = Number(incoming.headers['content-length'] ?? 0)
  const content = declared > most ? undefined : unpacked(incoming)
  if (content === undefined) {
    fail(declared > most ? tooLarge : UNREADABLE)
    return
  }
  const parts = partsWithin(most)
  let received = 0
  const stop = (verdict: Verdict): void => {
    content.destroy()
    fail(verdict)
  }
  // An archive may have any number of empty parts.
  if (content !== incoming)
    incoming.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > most) stop(tooLarge)
    })
  content.on('data', (chunk: Buffer) => {
    if (!parts.add(chunk)) stop(tooLarge)
  })
  content.on('end', () => {
    const text = attempt(() => utf8Text(parts.joined()))
    if (text === undefined) stop(UNREADABLE)
    else give(text)
  })
  content.on('error', () => stop(incoming.complete ? UNREADABLE : CUT_OFF))
  incoming.on('error', () => stop(CUT_OFF))
  incoming.on('close', () => {
    if (!incoming.complete) stop(CUT_OFF)
  })
}
