import { JsonLimitError } from '../../platform/json-limits.js'
import { memberIn } from '../../platform/json-object.js'
import { ask } from './ask.js'
import type { Endpoint } from './endpoint.js'
import { NodeFault } from './faults.js'
import { sendRequest } from './http/http.js'
import { parseNodeJson } from './http/json-rpc.js'
import { judgeRest } from './http/judge.js'
import { STATUS_CALLS, statusIn } from './node-status.js'

/** The chain and height that a node reports. */
type NodeStatus = {
  readonly chainId: string
  /** Highest block of the application; `undefined` if not reported. */
  readonly height: number | undefined
}

/** Asks a node for its status. @throws NodeFault */
export type ReadStatus = (endpoint: Endpoint, deadlineAt: number) => Promise<NodeStatus>

/** The status of a node, from its JSON-RPC endpoint. */
export const readRpcStatus: ReadStatus = async (endpoint, deadlineAt) =>
  statusIn(endpoint, await ask(endpoint, STATUS_CALLS, deadlineAt))

const NODE_INFO = '/cosmos/base/tendermint/v1beta1/node_info'

/** The chain id of a REST endpoint; its heights are checked in each answer. */
export const readRestStatus: ReadStatus = async (endpoint, deadlineAt) => {
  const { status, text } = await sendRequest(
    endpoint,
    { method: 'GET', path: restPath(endpoint, NODE_INFO), connection: 'kept', judge: judgeRest },
    deadlineAt,
  )
  const info = status === 200 ? parsedJson(endpoint, text) : undefined
  const network = memberIn(info, 'default_node_info', 'network')
  if (typeof network !== 'string')
    throw new NodeFault('bad_answer', endpoint.shown, 'does not say which chain it is of')
  return { chainId: network, height: undefined }
}

/** The value of a JSON text. @throws NodeFault */
export function parsedJson({ shown }: Endpoint, text: string): unknown {
  try {
    return parseNodeJson(text)
  } catch (error) {
    if (error instanceof JsonLimitError)
      throw new NodeFault('too_large', shown, `answered ${error.message}`)
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
