import { errorStack, reasonOf, SwapError } from '../../engine/errors.js'
import type { MarketView } from '../../operations/context.js'
import { MOST_APART_S } from '../../platform/clock.js'
import { escapeObeyed, printable } from '../../platform/printable.js'
import { RateLimiter } from '../guards/rate-limiter.js'

/** A logged request, without body, parameters or addresses. */
type RequestLine = {
  readonly id: string
  /** The client's request id, if it is safe to log. */
  readonly clientId: string | undefined
  readonly method: string
  /** The documented path; `unknown` for any other. */
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly code: string | undefined
  readonly height: number | undefined
}

/** Fields of an event. Values must not come from a request; those of nodes may hold any character. */
type LogFields = { readonly [name: string]: string | number | boolean | readonly string[] }

export type ServiceLog = {
  request(line: RequestLine): void
  event(level: 'info' | 'warn' | 'error', message: string, facts?: LogFields): void
}

/** Lines of one kind per second, and burst. Bugs (500) are never dropped; refusals (503) can be as many as requests. */
const LINES = { perSecond: 20, burst: 40 }

/** The failure of a step that is repeated: what happened and why, and what to do about it. */
export type FailureFields = { readonly reason: string; readonly hint?: string }

/** The fields of a failure; of a bug its stack. */
export function failureOf(error: unknown): FailureFields {
  if (!(error instanceof SwapError)) return { reason: errorStack(error) }
  const { hint } = error
  return { reason: reasonOf(error), ...(hint !== undefined && { hint }) }
}

/** Reasons that are remembered: a node may give another one with every answer. */
const REASONS = 20

/** Tells new reasons of failures from repeated ones; numbers are ignored, because they differ between attempts. */
export function reasonsSeen() {
  const seen = new Set<string>()
  return {
    isNew(reason: string): boolean {
      const kind = reason.replaceAll(/\d+/g, '0')
      const isNew = !seen.delete(kind)
      seen.add(kind)
      const [oldest] = seen
      if (oldest !== undefined && seen.size > REASONS) seen.delete(oldest)
      return isNew
    },
    clear: (): void => seen.clear(),
  }
}

/** Bytes of lines that may wait for the reader of a log. */
const WAITING_BYTES = 1 << 20

/** Writes lines to a stream whose errors are no concern of the service; drops them while its reader does not read. */
export const lineWriter =
  (stream: { readonly writableLength?: number; write(line: string, done: () => void): unknown }) =>
  (line: string): void => {
    if ((stream.writableLength ?? 0) < WAITING_BYTES) stream.write(line, () => {})
  }

/**
 * Logs events, one a line. Under load requests are sampled, with the number of dropped lines before each.
 *
 * @param form `json` for machines, `text` for a terminal
 */
export function serviceLog(form: 'json' | 'text', write: (line: string) => void): ServiceLog {
  const limit = new RateLimiter(LINES)
  const unwritten = new Map<string, number>()
  const out = form === 'json' ? jsonLines(write) : textLines(write)
  return {
    event: out.event,
    request(line) {
      const kind = line.status === 500 ? '500' : `${Math.floor(line.status / 100)}xx`
      const before = unwritten.get(kind) ?? 0
      if (kind !== '500' && !limit.take(kind).allowed) {
        unwritten.set(kind, before + 1)
        return
      }
      unwritten.delete(kind)
      out.request(line, before)
    },
  }
}

type Lines = {
  request(line: RequestLine, unwritten: number): void
  event: ServiceLog['event']
}

function jsonLines(write: (line: string) => void): Lines {
  const event: ServiceLog['event'] = (level, msg, facts) =>
    write(
      `${escapeObeyed(JSON.stringify({ level, time: new Date().toISOString(), ...facts, msg }))}\n`,
    )
  return {
    request({ status, clientId, code, height, ...line }, unwritten) {
      const facts = {
        ...line,
        ms: Math.round(line.ms * 100) / 100,
        status,
        ...(clientId !== undefined && { client_id: clientId }),
        ...(code !== undefined && { code }),
        ...(height !== undefined && { height }),
        ...(unwritten > 0 && { unwritten }),
      }
      event(levelOf(status), 'request', facts)
    },
    event,
  }
}

/** 503 refuses for now; a probe of /readyz repeats it while the service is not ready. */
function levelOf(status: number): 'info' | 'warn' | 'error' {
  if (status === 503) return 'warn'
  return status >= 500 ? 'error' : 'info'
}

/** A value for a terminal: escaped, and lines after the first, as of a stack, cannot be taken for events. */
const valueText = (value: LogFields[string]): string =>
  String(value).split('\n').map(printable).join('\n         ')

const clock = (): string => new Date().toTimeString().slice(0, 8)

function textLines(write: (line: string) => void): Lines {
  return {
    request({ method, path, status, ms, code, height }, unwritten) {
      const what = code ?? (height === undefined ? '' : `block ${height}`)
      const more = unwritten > 0 ? `  (${unwritten} more)` : ''
      const took = `${Math.round(ms)} ms`.padStart(7)
      write(`${clock()} ${method.padEnd(4)} ${path.padEnd(16)} ${status} ${took}  ${what}${more}\n`)
    },
    event(level, message, facts = {}) {
      const fields = Object.entries(facts).map(([name, value]) => `${name}=${valueText(value)}`)
      const words = level === 'info' ? message : `${level}: ${message}`
      write(`${[clock(), words, ...fields].join(' ')}\n`)
    },
  }
}

/**
 * Logs when the local clock and block time differ by more than a minute, and when they agree again. Ages are
 * measured by a monotonic clock.
 *
 * @param wall the local clock, in milliseconds since 1970
 */
export function clockWatch(
  { event }: Pick<ServiceLog, 'event'>,
  wall: () => number = Date.now,
): (market: MarketView['market']) => void {
  let apart = false
  return ({ time, height }) => {
    const ahead = Math.round((wall() - Date.parse(time)) / 1_000)
    const before = apart
    apart = Math.abs(ahead) > MOST_APART_S
    const facts = { height, block_time: time, clock_ahead_s: ahead }
    if (apart && !before) event('warn', 'this clock and the time of the blocks are apart', facts)
    if (!apart && before) event('info', 'this clock and the time of the blocks agree again', facts)
  }
}
