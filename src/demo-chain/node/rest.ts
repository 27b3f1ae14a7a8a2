import { ORACLE_SPACE } from '../contracts/fin/config.js'
import { PRICE_STEP } from '../market/oracles.js'
import { ChainFailure } from '../modules/chain-failure.js'
import type { Node } from './queries/node.js'
import { viewAt } from './queries/query.js'
import { goJson, jsonReply, type NodeRequest, type Reply, targetOf } from './reply.js'
import { nodeInfoJson } from './rpc/chain-methods.js'

/** HTTP's status of a gRPC status. */
const statuses = { 2: 500, 12: 501 } as const

const failureReply = (code: keyof typeof statuses, message: string): Reply =>
  jsonReply(statuses[code], goJson({ code, message, details: [] }))

/**
 * Answers an HTTP request of the REST endpoint. Of the gateway it has what this program reads: the id of the chain, and
 * the prices of THORChain's base layer.
 */
export function answerRest(node: Node, { method, url }: NodeRequest): Reply {
  const { path, query } = targetOf(url)
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && path === '/cosmos/base/tendermint/v1beta1/node_info')
    return jsonReply(200, goJson({ default_node_info: nodeInfoJson(node) }))
  try {
    const price = isRead ? priceReply(node, path, query.get('height') ?? '') : undefined
    return price ?? failureReply(12, 'Not Implemented')
  } catch (error) {
    if (!(error instanceof ChainFailure)) throw error
    const { codespace, code, message } = error
    return failureReply(2, `codespace ${codespace} code ${code}: ${message}`)
  }
}

/**
 * A price of the base layer at a height; `undefined` for another path, and for an asset without a price.
 *
 * @throws ChainFailure for a height without a state
 */
function priceReply(node: Node, path: string, wanted: string): Reply | undefined {
  const [, asset] = /^\/thorchain\/(network$|pool\/[^/]+$)/.exec(path) ?? []
  if (asset === undefined) return undefined
  const { state, height } = viewAt(node, /^\d{1,15}$/.test(wanted) ? BigInt(wanted) : 0n)
  const isRune = asset === 'network'
  const price = state.get<bigint>(ORACLE_SPACE, isRune ? 'THOR.RUNE' : asset.slice('pool/'.length))
  if (price === undefined) return undefined
  const name = isRune ? 'rune_price_in_tor' : 'asset_tor_price'
  return jsonReply(200, JSON.stringify({ [name]: `${price / PRICE_STEP}` }), {
    'x-cosmos-block-height': `${height}`,
  })
}
