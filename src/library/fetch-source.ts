import { abciCall, readAnswer } from '../chain/rpc/abci.js'
import { NodeFault, NodeRefusal } from '../chain/rpc/faults.js'
import { partsWithin } from '../chain/rpc/http/body-parts.js'
import {
  bodyOf,
  inBatches,
  type RpcCall,
  type RpcOutcome,
  readReplies,
} from '../chain/rpc/http/json-rpc.js'
import { maskedUrl, nodeUrl, secretsOf } from '../chain/rpc/http/mask.js'
import { checkChain, STATUS_CALLS, statusIn } from '../chain/rpc/node-status.js'
import type { Answer, Source } from '../chain/rpc/query-source.js'
import { SwapError } from '../engine/errors.js'
import { requireTimeout } from './timeout.js'

/** Endpoints of a chain, read with `fetch`. */
export type FetchOptions = {
  /** URLs of CometBFT's JSON-RPC, the preferred one first. */
  readonly rpc: readonly string[]
  /** Timeout of one request in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** Requests in one body; CometBFT's default is 10. */
const BATCH = 10
/** Most bytes of one answer, after decompression. */
const MOST_BYTES = 32 << 20

/** One endpoint, and its name in errors. */
type Endpoint = {
  readonly url: URL
  /** Whether it has answered with the id of the chain. */
  isChecked: boolean
  readonly shown: string
  readonly secrets: readonly string[]
}

/**
 * A chain that is read with `fetch`, in browsers as well. Every call goes to the endpoints in their order
 * until one of the chain answers. It has no REST and no pauses: a program that runs for long retries by itself.
 *
 * @throws SwapError INVALID_REQUEST for an endpoint that is no http or https URL or contains a user name or password; TypeError for a `timeoutMs` that no timer takes
 */
export function fetchSource(chainId: string, options: FetchOptions): Source {
  const { rpc, timeoutMs = 10_000, fetch: send = globalThis.fetch } = options
  requireTimeout(timeoutMs)
  const endpoints = rpc.map((text, i): Endpoint => {
    const url = nodeUrl(String(text))
    // An invalid URL may contain a key, so it is not repeated.
    if (url === undefined)
      throw new SwapError('INVALID_REQUEST', `rpc[${i}] is not an http or https URL`)
    if (url.username !== '' || url.password !== '')
      throw new SwapError('INVALID_REQUEST', `rpc[${i}] contains a user name or password`, {
        why: 'fetch refuses such URLs',
        hint: 'send an authorization header with the option `fetch`',
      })
    return { url, isChecked: false, shown: maskedUrl(url), secrets: secretsOf(url) }
  })

  const lateFault = (error: unknown, shown: string): NodeFault | undefined =>
    error instanceof Error && error.name === 'TimeoutError'
      ? new NodeFault('timeout', shown, `gave no answer within ${timeoutMs} ms`, { timeoutMs })
      : undefined

  const post = async ({ url, shown }: Endpoint, calls: readonly RpcCall[]) => {
    const response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bodyOf(calls, 1),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw lateFault(error, shown) ?? new NodeFault('unreachable', shown, 'cannot be reached')
    })
    const parts = partsWithin(MOST_BYTES)
    const reader = response.body?.getReader()
    for (;;) {
      const part = await reader?.read().catch((error: unknown) => {
        const reason = 'closed the connection in the middle of its answer'
        throw lateFault(error, shown) ?? new NodeFault('reset', shown, reason)
      })
      if (part?.value === undefined) break
      if (parts.add(part.value)) continue
      void reader?.cancel().catch(() => {})
      throw new NodeFault('too_large', shown, `answered more than ${MOST_BYTES} bytes`)
    }
    if (response.status === 429) throw new NodeFault('rate_limited', shown, 'limits requests')
    const text = new TextDecoder().decode(parts.joined())
    return { status: response.status, text }
  }

  const ask = async (endpoint: Endpoint, calls: readonly RpcCall[]) => {
    const { status, text } = await post(endpoint, calls)
    const reading = readReplies(text, 1, calls.length)
    if (reading.is === 'outcomes') return reading.outcomes
    if (reading.is === 'refused') throw new NodeRefusal(endpoint.shown, reading.code, reading.text)
    throw status === 200
      ? new NodeFault(reading.kind, endpoint.shown, reading.reason)
      : new NodeFault('http_status', endpoint.shown, `answered with HTTP status ${status}`)
  }

  /** The height of an endpoint, after comparing its chain id. */
  const check = async (endpoint: Endpoint): Promise<number> => {
    const { chainId: reported, height } = statusIn(endpoint, await ask(endpoint, STATUS_CALLS))
    checkChain(endpoint, chainId, reported)
    endpoint.isChecked = true
    return height
  }

  const askOfChain = async (endpoint: Endpoint, calls: readonly RpcCall[]) => {
    if (!endpoint.isChecked) await check(endpoint)
    return ask(endpoint, calls)
  }

  /** The first answer of an endpoint. @throws the last endpoint's error */
  const first = async <T>(attempt: (endpoint: Endpoint) => Promise<T>): Promise<T> => {
    let failure: unknown = new NodeFault('no_endpoint', 'rpc', 'names no endpoint')
    for (const endpoint of endpoints)
      try {
        return await attempt(endpoint)
      } catch (error) {
        failure = error
      }
    throw failure
  }

  return {
    newestHeight: () => first(check),
    queries: async (questions, height) => {
      const answers = inBatches(questions, BATCH).map((batch) =>
        first(async (endpoint): Promise<readonly Answer[]> => {
          const outcomes = await askOfChain(
            endpoint,
            batch.map((question) => abciCall(question, height)),
          )
          return outcomes.map((outcome) => readAnswer(endpoint, outcome, height))
        }),
      )
      return (await Promise.all(answers)).flat()
    },
    call: (method, params) =>
      first(async (endpoint) => {
        const [outcome] = await askOfChain(endpoint, [{ method, params }])
        return resultOf(endpoint, outcome)
      }),
    rest: async () => {
      throw new NodeFault('no_endpoint', 'rest', 'is not read with fetch')
    },
    close() {},
  }
}

function resultOf({ shown }: Endpoint, outcome: RpcOutcome | undefined): unknown {
  if (outcome?.ok === true) return outcome.result
  throw new NodeRefusal(shown, outcome?.code ?? 0, outcome?.text ?? '')
}
