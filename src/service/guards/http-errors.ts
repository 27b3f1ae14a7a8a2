import { type IncomingHttpHeaders, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errorCode, SwapError } from '../../engine/errors.js'
import { httpProblemOf } from '../../operations/problem.js'
import { HEADER_BYTES, HEADERS_MS, REQUEST_MS } from './limits.js'

/** Error codes for the framework's errors. */
const meanings: ReadonlyMap<string, readonly [code: ErrorCode, message: string, hint: string]> =
  new Map([
    [
      'FST_ERR_CTP_BODY_TOO_LARGE',
      ['PAYLOAD_TOO_LARGE', 'the body is larger than this operation takes', 'send less at once'],
    ],
    [
      'FST_ERR_CTP_INVALID_MEDIA_TYPE',
      [
        'UNSUPPORTED_MEDIA_TYPE',
        'the body is not declared as JSON',
        'send the header Content-Type: application/json',
      ],
    ],
    [
      'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
      ['INVALID_REQUEST', 'the body is not as long as its header says', 'send it again'],
    ],
    ['FST_ERR_BAD_URL', ['INVALID_REQUEST', 'the path cannot be decoded', 'write a % as %25']],
    [
      'FST_ERR_MAX_PARAM_LENGTH',
      ['URI_TOO_LONG', 'the path is too long', 'see /docs for the paths that there are'],
    ],
  ])

/** A body cut off by its client, which the framework reports as a bad request. */
const isCutOff = (error: unknown): boolean =>
  errorCode(error) === 'ECONNRESET' && (error as { statusCode?: unknown }).statusCode === 400

/** Translates the framework's errors; others are returned unchanged. `bodyBytes` is the limit of a body. */
export function translateError(error: unknown, bodyBytes?: number): unknown {
  const code = isCutOff(error) ? 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' : (errorCode(error) ?? '')
  const meaning = meanings.get(code)
  if (meaning === undefined) return error
  const [ours, message, hint] = meaning
  return new SwapError(ours, message, {
    hint,
    ...(ours === 'PAYLOAD_TOO_LARGE' && { why: `it may have ${bodyBytes} bytes` }),
    ...(ours === 'INVALID_REQUEST' && { members: { errors: [] } }),
  })
}

/** The error for a compressed body or an unsupported character set. */
export function encodingFault(headers: IncomingHttpHeaders): SwapError | undefined {
  const packed = headers['content-encoding'] ?? 'identity'
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '') ?? []
  if (packed.toLowerCase() === 'identity' && /^utf-?8$/i.test(charset)) return undefined
  return new SwapError('UNSUPPORTED_MEDIA_TYPE', 'the body is not plain UTF-8', {
    why: 'a body is read neither compressed nor in another character set',
    hint: 'send it without Content-Encoding, in UTF-8',
  })
}

/** Counts an answer to a request that the framework does not see. */
type Count = (status: number, code: ErrorCode) => void

/** Answers input that is not HTTP, has too large headers or timed out, on the raw socket. */
export const answerClientError =
  (count: Count) =>
  (error: ClientError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    endConnection(socket, count, clientFault(error))
  }

/** `reason` is the parser's, one of its constant texts. */
type ClientError = NodeJS.ErrnoException & { readonly reason?: string }

/** Whether an answer has begun, such as a stream: a refusal would become a part of it. Node's own handler checks this too. */
const isAnswering = (socket: Socket): boolean => responseOn(socket)?.headersSent === true

/** The response that is computed or sent on a socket of an HTTP server, which Node has no public name for. */
export const responseOn = (socket: Socket): ServerResponse | undefined =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined

/** Answers CONNECT, which Node emits as a raw socket instead of a request. */
export function refuseConnect(server: Server, count: Count): void {
  server.on('connect', (_, socket: Duplex) => {
    // Node no longer reads this socket, nor limits its time: it would stay open after the client has closed it.
    socket.on('error', () => {}).once('finish', () => socket.destroy())
    const refusal = new SwapError('METHOD_NOT_ALLOWED', 'the service is not a proxy')
    endConnection(socket, count, refusal, 'Allow: GET, HEAD, POST\r\n')
  })
}

/**
 * Sends 100 (Continue) once the body is read, so that a request refused for its headers gets the refusal
 * instead; Node closes its connection then, since the client may or may not send the body. Other
 * expectations are ignored, as RFC 9110 allows: Node's own 417 has no body and is not logged.
 */
export function answerExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue()
    })
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Writes a problem document to a raw socket, and ends it. */
function endConnection(socket: Duplex, count: Count, error: SwapError, headers = ''): void {
  const problem = httpProblemOf(error)
  const { status, code } = problem
  count(status, code)
  const body = JSON.stringify(problem)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nDate: ${new Date().toUTCString()}\r\n` +
      `Content-Type: application/problem+json\r\n${headers}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function clientFault({ code, reason }: ClientError): SwapError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new SwapError('HEADERS_TOO_LARGE', 'the headers are too large', {
      why: `together they may have ${HEADER_BYTES} bytes`,
      hint: 'send fewer or shorter headers',
    })
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new SwapError('REQUEST_TIMEOUT', 'the request came too slowly', {
      why: `its headers may take ${HEADERS_MS / 1_000} s, and all of it ${REQUEST_MS / 1_000} s`,
      hint: 'send it again',
    })
  return new SwapError('INVALID_REQUEST', 'this is not HTTP', {
    ...(reason !== undefined && { why: `the parser reports: ${reason}` }),
    members: { errors: [] },
  })
}
