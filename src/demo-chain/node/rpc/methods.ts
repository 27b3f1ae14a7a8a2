import type { Node } from '../queries/node.js'
import { QueryFailure } from '../queries/query.js'
import { QuerySyntaxError } from '../search/match.js'
import { type Arg, ArgumentError, argOf } from './arguments.js'
import { blockMethods, infoMethods } from './chain-methods.js'
import {
  Args,
  internalError,
  invalidParams,
  type Method,
  type Parameter,
  RpcFailure,
} from './method.js'
import { txMethods } from './tx-methods.js'

/** Every method of the RPC but the three of subscriptions. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...infoMethods, ...blockMethods, ...txMethods }),
)

/** The parameters of the methods that need a WebSocket. */
export const socketMethods: ReadonlyMap<string, readonly Parameter[]> = new Map<
  string,
  readonly Parameter[]
>([
  ['subscribe', [['query', 'string']]],
  ['unsubscribe', [['query', 'string']]],
  ['unsubscribe_all', []],
])

/**
 * The arguments of a JSON-RPC call, named or in order.
 *
 * @param params as parsed; `undefined` when the call has none
 * @throws RpcFailure
 */
export function argsOf(parameters: readonly Parameter[], params: unknown = {}): Args {
  try {
    return new Args(new Map(read(parameters, params)))
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    throw invalidParams(`error converting json params to arguments: ${error.message}`)
  }
}

function read(parameters: readonly Parameter[], params: unknown): [string, Arg][] {
  if (params !== null && typeof params !== 'object')
    throw new ArgumentError('unknown type for JSON params. Expected map or array')
  if (Array.isArray(params) && params.length !== parameters.length)
    throw new ArgumentError(`expected ${parameters.length} parameters, got ${params.length}`)
  const given = new Map<string, unknown>(Object.entries(params ?? {}))
  return parameters.map(([name, type], at) => [
    name,
    argOf(type, given.get(Array.isArray(params) ? String(at) : name)),
  ])
}

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
