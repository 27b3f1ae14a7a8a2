import { isObject, memberIn } from '../../platform/json-object.js'
import type { Endpoint } from './endpoint.js'
import { NodeFault } from './faults.js'
import { heightIn, type RpcCall, type RpcOutcome } from './http/json-rpc.js'
import { nodeText } from './http/mask.js'

type Shown = Pick<Endpoint, 'shown'>

/** The calls of one batch whose answers `statusIn` reads. */
export const STATUS_CALLS: readonly RpcCall[] = ['status', 'abci_info'].map((method) => ({
  method,
  params: {},
}))

/**
 * The chain id is that of `status`. The height is that of the application: the one of `status` can be ahead of the
 * state that can be queried.
 *
 * @throws NodeFault bad_answer, or behind while the node is catching up
 */
export function statusIn(
  endpoint: Shown,
  [status, info]: readonly (RpcOutcome | undefined)[],
): { readonly chainId: string; readonly height: number } {
  const { node_info, sync_info } = membersOf(endpoint, status)
  const { response } = membersOf(endpoint, info)
  if (!isObject(node_info) || typeof node_info['network'] !== 'string' || !isObject(sync_info))
    throw new NodeFault('bad_answer', endpoint.shown, 'does not say which chain it is of')
  if (sync_info['catching_up'] !== false)
    throw new NodeFault('behind', endpoint.shown, 'is still catching up with its chain')
  return {
    chainId: node_info['network'],
    height: heightOf(endpoint, memberIn(response, 'last_block_height')),
  }
}

function membersOf(endpoint: Shown, outcome: RpcOutcome | undefined) {
  if (outcome?.ok === true && isObject(outcome.result)) return outcome.result
  const detail = outcome?.ok === false ? `: ${outcome.text}` : ''
  throw new NodeFault('bad_answer', endpoint.shown, `reports no sync status${detail}`)
}

/** @throws NodeFault */
function heightOf({ shown }: Shown, value: unknown): number {
  // The field is absent before the first block.
  if (value === undefined || value === '0') throw new NodeFault('behind', shown, 'has no block yet')
  const height = heightIn(value)
  if (height !== undefined) return height
  throw new NodeFault('bad_answer', shown, 'gives a height that is not a number')
}

/** @throws NodeFault wrong_chain */
export function checkChain(
  endpoint: Pick<Endpoint, 'shown' | 'secrets'>,
  chainId: string,
  reportedId: string,
): void {
  if (reportedId === chainId) return
  const maskedId = nodeText(reportedId, endpoint.secrets).slice(0, 64)
  throw new NodeFault(
    'wrong_chain',
    endpoint.shown,
    `is of the chain "${maskedId}", not "${chainId}"`,
  )
}
