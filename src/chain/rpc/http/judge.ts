import type { IncomingHttpHeaders } from 'node:http'
import type { ReplyCheck, Verdict } from './http.js'

const isJson = ({ 'content-type': type = '' }: IncomingHttpHeaders): boolean =>
  /^application\/(?:[\w.+-]*\+)?json(?:-rpc)?\s*(?:;|$)/i.test(type)

const NOT_JSON: Verdict = { kind: 'not_json', reason: 'answered something that is not JSON' }

/** Accepts status 200 with JSON only. */
export const judgeRpc: ReplyCheck = (status, headers) =>
  status === 200 ? (isJson(headers) ? undefined : NOT_JSON) : statusVerdict(status, headers)

/** Statuses of proxies whose node is unreachable or overloaded. */
const PROXY = new Set([408, 425, 429, 502, 503, 504])

/** Accepts any status with JSON: a REST endpoint reports the reason of a refusal in it. */
export const judgeRest: ReplyCheck = (status, headers) => {
  if (isRedirect(status) || PROXY.has(status)) return statusVerdict(status, headers)
  if (isJson(headers)) return undefined
  return status === 200 ? NOT_JSON : statusVerdict(status, headers)
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

function statusVerdict(status: number, headers: IncomingHttpHeaders): Verdict {
  const retryAfterMs = retryAfterOf(headers)
  const details = retryAfterMs === undefined ? {} : { retryAfterMs }
  const reason = `answered with HTTP status ${status}`
  if (status === 429)
    return { kind: 'rate_limited', reason: 'asks for a pause (HTTP status 429)', details }
  if (isRedirect(status))
    return { kind: 'redirect', reason: `points to another address (HTTP status ${status})` }
  if (status === 401 || status === 403) return { kind: 'forbidden', reason, details }
  const isLasting = status >= 400 && status < 500 && !PROXY.has(status)
  return { kind: 'http_status', reason, details: { ...details, ...(isLasting && { isLasting }) } }
}

/**
 * The pause of `Retry-After`, in milliseconds. A date is compared with the `Date` header of the same reply, and ignored
 * without one.
 */
export function retryAfterOf(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return undefined
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const wait = Date.parse(text) - Date.parse(headers.date ?? '')
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
