import type { ErrorCode } from '../engine/errors.js'
import type { ProblemAnswer } from './documents.js'

/** A request that the service refused or did not answer. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'

  constructor(
    /** The service's code. `UNREACHABLE`: no response; `INVALID_ANSWER`: the response is not from this service. */
    readonly code: ErrorCode | 'UNREACHABLE' | 'INVALID_ANSWER',
    message: string,
    /** HTTP status; 0 without an answer. */
    readonly status: number,
    /** Whether the same request may succeed later. */
    readonly retryable: boolean,
    /** The whole document of the error, with the members of its code. */
    readonly problem?: ProblemAnswer & Readonly<Record<string, unknown>>,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Throws the error of a call that got no answer, or a part of one. */
export const throwNoAnswer =
  (base: string) =>
  (cause: unknown): never => {
    const message = `the service at ${base} gave no answer: ${reasonOf(cause)}`
    throw new ServiceError('UNREACHABLE', message, 0, true, undefined, { cause })
  }

/** The innermost reason: `fetch` of Node says `fetch failed`, and has the failure of the connection as its cause. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  // A failure at each of a host's addresses has a code and no message.
  return error.message || String((error as { readonly code?: unknown }).code)
}

/**
 * @param base address of the service, for errors
 * @throws ServiceError for anything but a JSON object
 */
export async function documentOf(
  response: Response,
  base: string,
): Promise<Record<string, unknown>> {
  const text = await response.text().catch(throwNoAnswer(base))
  try {
    const document: unknown = JSON.parse(text)
    if (typeof document === 'object' && document !== null) return { ...document }
  } catch {
    // Not JSON: a proxy, or another program.
  }
  throw strangeAnswer(response, base)
}

/** The error of an unsuccessful response: that of its problem document, if it has one. */
export function refusalOf(
  response: Response,
  document: Record<string, unknown>,
  base: string,
): ServiceError {
  const { code, detail, retryable } = document
  return typeof code === 'string'
    ? new ServiceError(
        code as ErrorCode,
        String(detail),
        response.status,
        retryable === true,
        document as ProblemAnswer,
      )
    : strangeAnswer(response, base)
}

/** The error of an answer that is not of this service. A proxy in front answers 5xx while the service is away. */
const strangeAnswer = ({ status }: Response, base: string): ServiceError =>
  new ServiceError(
    'INVALID_ANSWER',
    `${base} answered with status ${status} and no document of the service`,
    status,
    status >= 500,
  )

/** One server-sent event. */
type ServerEvent = { readonly event: string; readonly data: string; readonly id: string }

/** Milliseconds of silence after which a stream counts as lost: the service sends a comment every ten seconds. */
export const SILENT_MS = 30_000

/** Reads server-sent events until the body ends or is silent, or the signal aborts; leaving the loop closes the connection. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal | undefined,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const close = () => reader.cancel().catch(() => {})
  signal?.addEventListener('abort', close)
  let timer: ReturnType<typeof setTimeout> | undefined
  const decoder = new TextDecoder()
  let rest = ''
  let id = ''
  try {
    while (!signal?.aborted) {
      timer = setTimeout(close, SILENT_MS)
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
      rest = blocks.pop()!
      for (const block of blocks) {
        let event = 'message'
        let data = ''
        for (const line of block.split(/\r?\n/)) {
          const [, name, text = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
          if (name === 'event') event = text
          else if (name === 'data') data += `${data && '\n'}${text}`
          else if (name === 'id') id = text
        }
        // A block without data is a comment: a heartbeat.
        if (data !== '') yield { event, data, id }
      }
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', close)
    await close()
  }
}
