import type { IncomingHttpHeaders } from 'node:http'
import type { Judge, Verdict } from './http.js'

const isJson = ({ 'content-type': type = '' }: IncomingHttpHeaders): boolean =>
  /^application\/(?:[\w.+-]*\+)?json(?:-rpc)?\s*(?:;|$)/i.test(type)

const NOT_JSON: Verdict = { kind: 'not_json', reason: 'answered something that is not JSON' }

/** The judge of the RPC's door: 200 and JSON, or it is no answer. */
export const judgeRpc: Judge = (status, headers) =>
  status === 200 ? (isJson(headers) ? undefined : NOT_JSON) : statusVerdict(status, headers)

/** Statuses that proxies make up when the node behind them is away or overloaded. */
const PROXY = new Set([408, 425, 429, 502, 503, 504])

/** The judge of the REST door, which says with a status and JSON why it refuses. */
export const judgeRest: Judge = (status, headers) => {
  if (isRedirect(status) || PROXY.has(status)) return statusVerdict(status, headers)
  if (isJson(headers)) return undefined
  return status === 200 ? NOT_JSON : statusVerdict(status, headers)
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

function statusVerdict(status: number, headers: IncomingHttpHeaders): Verdict {
  const retryAfterMs = retryAfterOf(headers)
  const facts = retryAfterMs === undefined ? {} : { retryAfterMs }
  const reason = `answered with HTTP status ${status}`
  if (status === 429)
    return { kind: 'rate_limited', reason: 'asks for a pause (HTTP status 429)', facts }
  if (isRedirect(status))
    return { kind: 'redirect', reason: `points to another address (HTTP status ${status})` }
  if (status === 401 || status === 403) return { kind: 'forbidden', reason, facts }
  const isLasting = status >= 400 && status < 500 && !PROXY.has(status)
  return { kind: 'http_status', reason, facts: { ...facts, ...(isLasting && { isLasting }) } }
}

/**
 * How long a node asks to be left alone, in milliseconds. A date is read against the node's own
 * clock, which it sends along; without that it says nothing.
 */
export function retryAfterOf(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return undefined
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const wait = Date.parse(text) - Date.parse(headers.date ?? '')
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
