import type { Node } from '../queries/node.js'
import { QueryFailure } from '../queries/query.js'
import { QuerySyntaxError } from '../search/search.js'
import type { Args } from './arguments.js'
import { blockMethods, infoMethods } from './chain-methods.js'
import { internalError, RpcFailure } from './failure.js'
import type { Method } from './method.js'
import { txMethods } from './tx-methods.js'

/** Every method of the RPC but the three of subscriptions. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...infoMethods, ...blockMethods, ...txMethods }),
)

/** The names of the arguments of the methods that need a WebSocket. */
export const socketMethods: ReadonlyMap<string, readonly string[]> = new Map([
  ['subscribe', ['query']],
  ['unsubscribe', ['query']],
  ['unsubscribe_all', []],
])

/**
 * Runs a method.
 *
 * @throws RpcFailure
 */
export async function run(node: Node, found: Method, args: Args): Promise<unknown> {
  try {
    return await found.run(node, args)
  } catch (error) {
    if (error instanceof RpcFailure) throw error
    if (error instanceof QueryFailure || error instanceof QuerySyntaxError)
      throw internalError(error.message)
    throw error
  }
}
