import { ORACLE_SPACE } from '../../contracts/fin/config.js'
import type { Node } from '../queries/node.js'
import { viewAt } from '../queries/query.js'
import { jsonReply, type Reply } from '../reply.js'

/** Digits after the point that the base layer's prices do not have. */
const TENTH_BILLION = 10n ** 10n

/**
 * A price of the base layer as THORChain's REST endpoint has it, at `height` of the query; `undefined` for
 * another path, and for an asset without a price.
 *
 * @throws QueryFailure for a height without a state
 */
export function baseLayerReply(
  node: Node,
  path: string,
  query: URLSearchParams,
): Reply | undefined {
  const [, asset] = /^\/thorchain\/(network$|pool\/[^/]+$)/.exec(path) ?? []
  if (asset === undefined) return undefined
  const wanted = query.get('height') ?? ''
  const { state, height: at } = viewAt(node, /^\d{1,15}$/.test(wanted) ? BigInt(wanted) : 0n)
  const isRune = asset === 'network'
  const key = isRune ? 'THOR.RUNE' : asset.slice('pool/'.length)
  const price = state.get<bigint>(ORACLE_SPACE, key)
  if (price === undefined) return undefined
  const name = isRune ? 'rune_price_in_tor' : 'asset_tor_price'
  return jsonReply(200, JSON.stringify({ [name]: `${price / TENTH_BILLION}` }), {
    'x-cosmos-block-height': `${at}`,
  })
}
