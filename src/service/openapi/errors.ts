import * as Type from 'typebox'
import { type ErrorCode, SwapError } from '../../engine/errors.js'
import { append } from '../../engine/math/grouped.js'
import { httpProblemOf, statusOf } from '../../operations/problem.js'

/** Codes of endpoints about the service itself, which any request may get. */
export const OF_SERVICE: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'HOST_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'URI_TOO_LONG',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
]

/** Codes that any request about the market may get. */
export const ALWAYS: readonly ErrorCode[] = [
  ...OF_SERVICE,
  'RATE_LIMITED',
  'NOT_READY',
  'STALE_DATA',
  'OVERLOADED',
]

/** Codes that any request with a body may get. */
export const WITH_BODY: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** The document of an error (RFC 9457). Each code adds its own members. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'A URN that names the code.' }),
    title: Type.String({ description: 'The same words for every problem of this code.' }),
    status: Type.Integer({ description: 'HTTP status.' }),
    detail: Type.String({ description: 'What happened, and why.' }),
    instance: Type.Optional(
      Type.String({
        description:
          'Id of the request, also in X-Request-Id; absent in problems of a batch or a stream, and where no request could be read.',
      }),
    ),
    code: Type.String({ description: 'One of the codes in the documentation.' }),
    retryable: Type.Boolean({ description: 'The same request may work later.' }),
    hint: Type.Optional(Type.String({ description: 'What to do about it.' })),
    height: Type.Optional(Type.Integer({ description: 'The block that it was computed at.' })),
  },
  { description: 'RFC 9457. Programs should decide by `code`: texts may change.' },
)

type Codes = readonly ErrorCode[]

type ProblemResponse = {
  readonly description: string
  readonly headers?: object
  readonly content: object
}

export const headerOf = (type: 'string' | 'integer', description: string) => ({
  description,
  schema: { type },
})

/** Problem responses of an operation by status, with an example for each code. */
export function problemResponses(codes: Codes): Record<string, ProblemResponse> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set(codes)) append(byStatus, statusOf(code), code)
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, those]) => [`${status}`, responseOf(status, those)]),
  )
}

const rateHeaders = {
  'RateLimit-Limit': headerOf('integer', 'Requests that may come at once.'),
  'RateLimit-Remaining': headerOf('integer', 'Requests that may still come now.'),
  'RateLimit-Reset': headerOf('integer', 'Seconds until one more may come.'),
}

const responseOf = (status: number, codes: Codes): ProblemResponse => ({
  description: codes.join(', '),
  ...((status === 429 || status === 503) && {
    headers: {
      'Retry-After': headerOf('integer', 'Seconds; retry_after_ms is finer.'),
      ...(status === 429 && rateHeaders),
    },
  }),
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
    },
  },
})

/** An example problem for a code, with generic texts. */
function exampleOf(code: ErrorCode): object {
  const { title, ...problem } = httpProblemOf(new SwapError(code, 'what happened, in words'))
  return { ...problem, title, instance: '5f2c9a7e10b4-1' }
}
