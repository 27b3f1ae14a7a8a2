import { JsonLimitError, parseWithin } from '../../../platform/json-limits.js'
import { isObject, type JsonObject } from '../../../platform/json-object.js'
import type { NodeFaultKind } from '../faults.js'

/** A JSON-RPC request without its id, which the transport assigns. */
export type RpcCall = {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>> | readonly unknown[]
}

/** A call about the block of a height. */
export const callAt = (method: string, height: number): RpcCall => ({
  method,
  params: { height: `${height}` },
})

/** A block's height as CometBFT writes it; `undefined` for anything else, also for `0`. */
export const heightIn = (value: unknown): number | undefined =>
  typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined

/** The node's answer to one call. */
export type RpcOutcome =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false
      readonly code: number
      /** The node's message, for display only. */
      readonly text: string
    }

/** The content of a reply. */
type RpcReading =
  /** One outcome for every call, in the calls' order. */
  | { readonly is: 'outcomes'; readonly outcomes: readonly RpcOutcome[] }
  /** One error instead of all answers: the batch may be too large for the node. */
  | { readonly is: 'refused'; readonly code: number; readonly text: string }
  | { readonly is: 'wrong'; readonly kind: NodeFaultKind; readonly reason: string }

/** Whether a call only reads, so that it may be repeated and sent to several nodes. */
export const isRead = ({ method }: RpcCall): boolean => !method.startsWith('broadcast_')

/** Parts of a list, each of at most `size` elements. */
export const inBatches = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )

/** The body of calls whose ids count up from `firstId`; a single call is not wrapped in a list. */
export function bodyOf(calls: readonly RpcCall[], firstId: number): string {
  const requests = calls.map(({ method, params }, at) => ({
    jsonrpc: '2.0',
    id: firstId + at,
    method,
    params,
  }))
  return JSON.stringify(requests.length === 1 ? requests[0] : requests)
}

const wrongReading = (reason: string, kind: NodeFaultKind = 'bad_batch'): RpcReading => ({
  is: 'wrong',
  kind,
  reason,
})

/**
 * Reads the answers to `count` calls whose ids count up from `firstId`. Every id has to occur exactly once, in any
 * order, each with a result or an error; otherwise the whole reply is wrong.
 */
export function readReplies(text: string, firstId: number, count: number): RpcReading {
  let body: unknown
  try {
    body = parseNodeJson(text)
  } catch (error) {
    return error instanceof JsonLimitError
      ? wrongReading(`answered ${error.message}`, 'too_large')
      : wrongReading('answered something that is not JSON', 'not_json')
  }
  if (count > 1 && isObject(body)) {
    const outcome = outcomeOf(body)
    if (outcome === undefined || outcome.ok)
      return wrongReading(`answered ${count} calls with one object`)
    return { is: 'refused', code: outcome.code, text: outcome.text }
  }
  const elements: readonly unknown[] = Array.isArray(body) ? body : [body]
  // Some nodes answer a single call with a list.
  if (elements.length !== count)
    return wrongReading(`answered ${count} calls with ${elements.length} answers`)
  const outcomes = new Map<number, RpcOutcome>()
  for (const element of elements) {
    if (!isObject(element))
      return wrongReading('answered with something that is no JSON-RPC answer')
    const { id } = element
    const at = typeof id === 'number' ? id - firstId : -1
    if (!Number.isInteger(at) || at < 0 || at >= count) {
      if (count === 1 && isRefusal(element)) return refusalOf(element)
      return wrongReading('answered with the id of another call')
    }
    if (outcomes.has(at)) return wrongReading('answered one call twice')
    const outcome = outcomeOf(element)
    if (outcome === undefined) return wrongReading('answered with neither a result nor an error')
    outcomes.set(at, outcome)
  }
  return {
    is: 'outcomes',
    outcomes: Array.from({ length: count }, (_, at) => outcomes.get(at) as RpcOutcome),
  }
}

/** Whether an answer is an error without an id: the node could not read the request. */
const isRefusal = ({ id, error }: JsonObject): boolean =>
  (id === undefined || id === null || id === -1) && isObject(error)

function refusalOf(element: JsonObject): RpcReading {
  const outcome = outcomeOf(element)
  return outcome === undefined || outcome.ok
    ? wrongReading('answered with neither a result nor an error')
    : { is: 'refused', code: outcome.code, text: outcome.text }
}

function outcomeOf(element: JsonObject): RpcOutcome | undefined {
  const { jsonrpc, result, error } = element
  if (jsonrpc !== '2.0') return undefined
  const hasError = error !== undefined && error !== null
  // Some nodes send `"error": null` with a result, or `"result": null` with an error.
  if (!hasError)
    return 'result' in element && result !== undefined ? { ok: true, result } : undefined
  if (result !== undefined && result !== null) return undefined
  if (!isObject(error)) return undefined
  const { code, message, data } = error
  if (typeof code !== 'number' || !Number.isInteger(code) || typeof message !== 'string')
    return undefined
  const text = typeof data === 'string' && data !== '' ? `${message}: ${data}` : message
  return { ok: false, code, text }
}

/**
 * Most members and elements of one answer. A full batch of blocks has some hundred thousand; a million of the
 * costliest take about 100 MB and half a second to parse.
 */
const ITEMS = 1_000_000

/** The value of a node's JSON text, its size checked before it is parsed. @throws JsonLimitError, SyntaxError */
export const parseNodeJson = (text: string): unknown => parseWithin(text, ITEMS)
