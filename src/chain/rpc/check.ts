import { ask } from './ask.js'
import type { Endpoint } from './endpoint.js'
import { NodeFault } from './faults.js'
import { sendRequest } from './http/http.js'
import { isObject, JsonLimitError, parseNodeJson, type RpcOutcome } from './http/json-rpc.js'
import { judgeRest } from './http/judge.js'
import { nodeText } from './http/mask.js'

/** The chain and height that a node reports. */
type NodeStatus = {
  readonly chainId: string
  /** Highest block of the application; `undefined` if not reported. */
  readonly height: number | undefined
}

/** Asks a node for its status. @throws NodeFault */
export type ReadStatus = (endpoint: Endpoint, deadlineAt: number) => Promise<NodeStatus>

/**
 * The chain id is that of `status`. The height is that of the application: the one of `status` can be ahead of the
 * state that can be queried.
 */
export const readRpcStatus: ReadStatus = async (endpoint, deadlineAt) => {
  const calls = ['status', 'abci_info'].map((method) => ({ method, params: {} }))
  const [status, info] = await ask(endpoint, calls, deadlineAt)
  const { node_info, sync_info } = membersOf(endpoint, status)
  const { response } = membersOf(endpoint, info)
  if (!isObject(node_info) || typeof node_info['network'] !== 'string' || !isObject(sync_info))
    throw new NodeFault('bad_answer', endpoint.shown, 'does not say which chain it is of')
  if (sync_info['catching_up'] !== false)
    throw new NodeFault('behind', endpoint.shown, 'is still catching up with its chain')
  return {
    chainId: node_info['network'],
    height: heightOf(endpoint, isObject(response) ? response['last_block_height'] : undefined),
  }
}

function membersOf(endpoint: Endpoint, outcome: RpcOutcome | undefined) {
  if (outcome?.ok === true && isObject(outcome.result)) return outcome.result
  const detail = outcome?.ok === false ? `: ${outcome.text}` : ''
  throw new NodeFault('bad_answer', endpoint.shown, `reports no sync status${detail}`)
}

/** A block height as CometBFT writes it. @throws NodeFault */
function heightOf({ shown }: Endpoint, value: unknown): number {
  // The field is absent before the first block.
  if (value === undefined || value === '0') throw new NodeFault('behind', shown, 'has no block yet')
  if (typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)) return Number(value)
  throw new NodeFault('bad_answer', shown, 'gives a height that is no number')
}

const NODE_INFO = '/cosmos/base/tendermint/v1beta1/node_info'

/** The chain id of a REST endpoint; its heights are checked in each answer. */
export const readRestStatus: ReadStatus = async (endpoint, deadlineAt) => {
  const { status, text } = await sendRequest(
    endpoint,
    { method: 'GET', path: restPath(endpoint, NODE_INFO), connection: 'kept', judge: judgeRest },
    deadlineAt,
  )
  const info = status === 200 ? parsedJson(endpoint, text) : undefined
  const node = isObject(info) ? info['default_node_info'] : undefined
  const network = isObject(node) ? node['network'] : undefined
  if (typeof network !== 'string')
    throw new NodeFault('bad_answer', endpoint.shown, 'does not say which chain it is of')
  return { chainId: network, height: undefined }
}

/** The value of a JSON text. @throws NodeFault */
export function parsedJson({ shown }: Endpoint, text: string): unknown {
  try {
    return parseNodeJson(text)
  } catch (error) {
    if (error instanceof JsonLimitError) throw new NodeFault('too_large', shown, error.message)
    throw new NodeFault('not_json', shown, 'answered something that is not JSON')
  }
}

/** A path below that of the endpoint, with the query strings of both: providers put keys there. */
export function restPath({ url }: Endpoint, path: string): string {
  const [bare = '', query = ''] = path.split(/\?(.*)/s)
  const queries = [url.search.slice(1), query].filter((each) => each !== '')
  const fullPath = `${url.pathname.replace(/\/$/, '')}/${bare.replace(/^\//, '')}`
  return queries.length === 0 ? fullPath : `${fullPath}?${queries.join('&')}`
}

/** @throws NodeFault `wrong_chain`, after which the endpoint is never used again */
export function checkChain(endpoint: Endpoint, chainId: string, reportedId: string): void {
  if (reportedId === chainId) return
  const maskedId = nodeText(reportedId, endpoint.secrets).slice(0, 64)
  throw new NodeFault(
    'wrong_chain',
    endpoint.shown,
    `is of the chain "${maskedId}", not "${chainId}"`,
  )
}
