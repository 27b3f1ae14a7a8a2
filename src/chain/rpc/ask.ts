import type { Endpoint } from './endpoint.js'
import { NodeFault } from './faults.js'
import { sendRequest } from './http/http.js'
import { bodyOf, isRead, type RpcCall, type RpcOutcome, readReplies } from './http/json-rpc.js'
import { judgeRpc } from './http/judge.js'
import { nodeText } from './http/mask.js'

/** JSON-RPC error codes that node providers use instead of HTTP status 429. */
const TOO_MANY = new Set([429, -32005, -32029])

/** The largest id, after which ids start at 1 again; every JSON parser reads it exactly. */
const IDS = 2 ** 31

/** Ids that no recent request had, so that an answer to another request is detected. */
function takeIds(endpoint: Endpoint, count: number): number {
  const first = endpoint.lastId + count > IDS ? 1 : endpoint.lastId + 1
  endpoint.lastId = first + count - 1
  return first
}

/**
 * Sends calls to one endpoint, in batches of its size, and returns the answers in the order of the calls. The batch
 * size of a node that refuses a whole batch is halved from then on.
 *
 * @throws NodeFault
 */
export async function ask(
  endpoint: Endpoint,
  calls: readonly RpcCall[],
  deadlineAt: number,
): Promise<readonly RpcOutcome[]> {
  const outcomes: RpcOutcome[] = []
  for (let at = 0; at < calls.length; ) {
    const batch = calls.slice(at, at + Math.max(1, endpoint.batch))
    const batchOutcomes = await askOnce(endpoint, batch, deadlineAt)
    if (batchOutcomes === undefined) {
      endpoint.batch = Math.min(endpoint.batch, Math.floor(batch.length / 2))
      continue
    }
    outcomes.push(...batchOutcomes)
    at += batch.length
  }
  return outcomes
}

/** Sends one batch. `undefined` if the node refuses the whole batch. */
async function askOnce(
  endpoint: Endpoint,
  calls: readonly RpcCall[],
  deadlineAt: number,
): Promise<readonly RpcOutcome[] | undefined> {
  const firstId = takeIds(endpoint, calls.length)
  const { url, shown, secrets } = endpoint
  const { text } = await sendRequest(
    endpoint,
    {
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      body: bodyOf(calls, firstId),
      connection: calls.every(isRead) ? 'kept' : 'fresh',
      judge: judgeRpc,
    },
    deadlineAt,
  )
  const reading = readReplies(text, firstId, calls.length)
  if (reading.is === 'wrong') throw new NodeFault(reading.kind, shown, reading.reason)
  const outcomes =
    reading.is === 'outcomes' ? reading.outcomes : [{ ...reading, ok: false as const }]
  if (outcomes.some((outcome) => !outcome.ok && TOO_MANY.has(outcome.code)))
    throw new NodeFault('rate_limited', shown, 'asks for a pause')
  if (reading.is === 'refused' && calls.length > 1) return undefined
  return outcomes.map((outcome) =>
    outcome.ok ? outcome : { ok: false, code: outcome.code, text: nodeText(outcome.text, secrets) },
  )
}
