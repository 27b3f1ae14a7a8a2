import type { Node } from '../queries/node.js'
import { QueryFailure } from '../queries/query-failure.js'
import { QuerySyntaxError } from '../search/query-text.js'
import { type Arg, ArgumentError, absent, argOf } from './arguments.js'
import { blockMethods } from './block-methods.js'
import { infoMethods } from './info-methods.js'
import { jsonKind } from './json-text.js'
import { Args, type Method, type Parameter } from './method.js'
import { internalError, invalidParams, RpcFailure } from './rpc-failure.js'
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

/** A call without `params` to a method that takes some, on which CometBFT panics. */
export class MissingParams extends Error {
  override name = 'MissingParams'
  override message = 'reflect: Call with too few input arguments'
}

/** The text of each member of a JSON object, or of each element of an array. */
const members = (value: object): ReadonlyMap<string, string> =>
  new Map(Object.entries(value).map(([name, each]) => [name, JSON.stringify(each)]))

const goBytes = (json: string): string => `[${[...Buffer.from(json)].join(' ')}]`

/**
 * The arguments of a JSON-RPC call.
 *
 * @param params as parsed; `undefined` when the call has none
 * @throws RpcFailure, MissingParams
 */
export function argsOf(parameters: readonly Parameter[], params: unknown): Args {
  if (params === undefined) {
    if (parameters.length > 0) throw new MissingParams()
    return new Args(new Map())
  }
  try {
    return new Args(new Map(read(parameters, params)))
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    throw invalidParams(`error converting json params to arguments: ${error.message}`)
  }
}

function read(parameters: readonly Parameter[], params: unknown): [string, Arg][] {
  if (params !== null && typeof params !== 'object')
    throw new ArgumentError(
      `unknown type for JSON params: json: cannot unmarshal ${jsonKind(params)} into Go value of type []json.RawMessage. Expected map or array`,
    )
  const given = members(params ?? {})
  if (Array.isArray(params) && params.length !== parameters.length) {
    const names = parameters.map(([name]) => name).join(' ')
    const got = [...given.values()].map(goBytes).join(' ')
    throw new ArgumentError(
      `expected ${parameters.length} parameters ([${names}]), got ${params.length} ([${got}])`,
    )
  }
  return parameters.map(([name, type], at) => {
    const json = given.get(Array.isArray(params) ? String(at) : name)
    return [name, json === undefined ? absent(type) : argOf(type, json)]
  })
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
