import { memberIn, recordOf } from '../../platform/json-object.js'
import { abciCall, readAnswer } from './abci.js'
import { ask } from './ask.js'
import { parsedJson, restPath } from './check.js'
import type { Endpoint } from './endpoint.js'
import { readFromAny, survey } from './failover.js'
import { NodeFault, NodeRefusal, NodesFailed, wrongHeight } from './faults.js'
import { type HttpReply, sendRequest } from './http/http.js'
import { inBatches, type RpcCall } from './http/json-rpc.js'
import { judgeRest } from './http/judge.js'
import { nodeText } from './http/mask.js'
import { fromEach, soonFrom } from './node-pool.js'
import { checkChain } from './node-status.js'
import type { Nodes } from './nodes.js'
import type { Answer, Query, Source } from './query-source.js'

const HEIGHT = 'x-cosmos-block-height'

/**
 * Queries one REST endpoint, as of a height if one is given.
 *
 * @throws NodeFault, also for an answer as of another height; NodeRefusal for a refusal of the gateway
 */
async function askRest(
  endpoint: Endpoint,
  path: string,
  height: number | undefined,
  deadlineAt: number,
): Promise<unknown> {
  const reply = await sendRequest(
    endpoint,
    {
      method: 'GET',
      path: restPath(endpoint, path),
      connection: 'kept',
      judge: judgeRest,
      ...(height !== undefined && { headers: { [HEIGHT]: String(height) } }),
    },
    deadlineAt,
  )
  const value = parsedJson(endpoint, reply.text)
  if (reply.status !== 200) throw refusalOf(endpoint, reply, value)
  if (height !== undefined && heightOf(reply) !== String(height))
    throw wrongHeight(endpoint.shown, height)
  return value
}

/** The gateway passes on the height header of the gRPC service under another name. */
const heightOf = ({ headers }: HttpReply): unknown =>
  headers[HEIGHT] ?? headers[`grpc-metadata-${HEIGHT}`]

/** The SDK's error codes for heights in the text of the gateway, whose status is 500 for all errors. */
const ABOUT_HEIGHT = /codespace sdk code (26|38):/

function refusalOf({ shown, secrets }: Endpoint, { status }: HttpReply, value: unknown): Error {
  const { code, message } = recordOf(value)
  if (typeof code !== 'number' || typeof message !== 'string')
    return new NodeFault('http_status', shown, `answered with HTTP status ${status}`)
  const match = ABOUT_HEIGHT.exec(message)
  if (match !== null)
    return new NodeFault('height_unavailable', shown, 'cannot answer as of that block', {
      ...(match[1] === '38' && { isLasting: true as const }),
    })
  return new NodeRefusal(shown, code, nodeText(message, secrets))
}

/** A source over the nodes, which other callers may share. */
export function sourceOf(nodes: Nodes): Source {
  let served = 0
  return {
    async newestHeight() {
      const height = await survey(nodes.rpc, nodes.deadline())
      // Nodes differ by a block or two; a larger difference means that the chain was reset or rolled back.
      const isBack = height + nodes.rpc.limits.behind < served
      served = isBack ? height : Math.max(served, height)
      return served
    },
    queries: (questions, height) => queries(nodes, questions, height),
    ...(nodes.rpc.endpoints.length > 1 && {
      queriesOfEach: (questions: readonly Query[], height: number) =>
        fromEach(nodes.rpc, nodes.deadline(), asking(questions, height), soonFrom),
    }),
    call: (method, params) => call(nodes, { method, params }),
    rest: (path, height) =>
      readFromAny(
        nodes.rest,
        nodes.deadline(),
        (endpoint, deadlineAt) => askRest(endpoint, path, height, deadlineAt),
        height,
      ),
    close: () => nodes.close(),
  }
}

/** Each batch fails over separately; all share one deadline. */
async function queries(
  { rpc, deadline }: Nodes,
  questions: readonly Query[],
  height: number,
): Promise<readonly Answer[]> {
  if (!Number.isSafeInteger(height) || height < 1) throw new RangeError(`no height: ${height}`)
  const deadlineAt = deadline()
  const batches = inBatches(questions, rpc.limits.batch).map((batch) =>
    readFromAny(rpc, deadlineAt, asking(batch, height), height),
  )
  return (await Promise.all(batches)).flat()
}

/** Asks one endpoint. @throws NodeFault */
function asking(questions: readonly Query[], height: number) {
  const calls = questions.map((question) => abciCall(question, height))
  return async (endpoint: Endpoint, deadlineAt: number): Promise<readonly Answer[]> => {
    const outcomes = await ask(endpoint, calls, deadlineAt)
    return outcomes.map((outcome) => readAnswer(endpoint, outcome, height))
  }
}

/** The JSON-RPC code of every refusal by a handler of the node, also of a height that it does not have. */
const INTERNAL_ERROR = -32603

/**
 * A block that one node does not give is requested from the others, which may keep more of them.
 *
 * @throws NodeFault, also of a new block that the node does not have yet; NodeRefusal
 */
async function call({ rpc, deadline }: Nodes, rpcCall: RpcCall): Promise<unknown> {
  const { height } = rpcCall.params as { readonly height?: unknown }
  const asked = Number(height ?? 0)
  let refusal: NodeRefusal | undefined
  const attempt = async (endpoint: Endpoint, deadlineAt: number): Promise<unknown> => {
    const [outcome] = await ask(endpoint, [rpcCall], deadlineAt)
    if (outcome?.ok === true) {
      if (asked > 0) checkBlock(endpoint, rpc.chainId, asked, outcome.result)
      return outcome.result
    }
    const { code = 0, text = '' } = outcome ?? {}
    // Nodes behind one address differ by a block or two, and have results a moment after the block.
    const isNew = Math.abs(asked - rpc.best) <= rpc.limits.behind
    if (code !== INTERNAL_ERROR || asked === 0) throw new NodeRefusal(endpoint.shown, code, text)
    if (!isNew) refusal ??= new NodeRefusal(endpoint.shown, code, text)
    throw new NodeFault('height_unavailable', endpoint.shown, `does not have block ${asked}`, {
      ...(!isNew && { isLasting: true }),
    })
  }
  try {
    return await readFromAny(rpc, deadline(), attempt, asked)
  } catch (error) {
    const isOfAll =
      error instanceof NodesFailed && error.failures.every(({ fault }) => !fault.passes)
    throw isOfAll ? (refusal ?? error) : error
  }
}

/** @throws NodeFault for a block, header or results of another chain or height */
export function checkBlock(
  endpoint: Endpoint,
  chainId: string,
  height: number,
  result: unknown,
): void {
  const block = memberIn(result, 'block') ?? result
  const head = memberIn(block, 'header') ?? block
  const [ofChain, ofHeight] = [memberIn(head, 'chain_id'), memberIn(head, 'height')]
  if (typeof ofChain === 'string') checkChain(endpoint, chainId, ofChain)
  if (typeof ofHeight === 'string' && ofHeight !== `${height}`)
    throw wrongHeight(endpoint.shown, height)
}
