import type { Node } from '../queries/node.js'
import { pageCount } from '../search/search.js'
import type { Arg, ArgType } from './arguments.js'

/** Arguments of a call by name; what was left out is Go's zero value, or `undefined` for a pointer. */
export class Args {
  constructor(readonly values: ReadonlyMap<string, Arg>) {}

  bigint(name: string): bigint | undefined {
    return this.values.get(name) as bigint | undefined
  }
  text(name: string): string {
    return (this.values.get(name) ?? '') as string
  }
  bool(name: string): boolean {
    return this.values.get(name) === true
  }
  bytes(name: string): Uint8Array {
    return (this.values.get(name) ?? new Uint8Array()) as Uint8Array
  }
}

export type Parameter = readonly [name: string, type: ArgType]

/** A method of the node's RPC. */
export type Method = {
  /** In Go's order: a call may name its arguments or list them. */
  readonly parameters: readonly Parameter[]
  /** @throws RpcFailure, QueryFailure, QuerySyntaxError */
  run(node: Node, args: Args): unknown
}

export const method = (parameters: readonly Parameter[], run: Method['run']): Method => ({
  parameters,
  run,
})

const DEFAULT = 30n
const MOST = 100n

const perPageOf = (asked: bigint | undefined): bigint =>
  asked === undefined || asked < 1n ? DEFAULT : asked > MOST ? MOST : asked

/**
 * The page of `items` that a call asks for: 30 of them, or up to 100.
 *
 * @throws RpcFailure when there is no such page
 */
export function pageOf<T>(items: readonly T[], args: Args): readonly T[] {
  const perPage = perPageOf(args.bigint('per_page'))
  const page = args.bigint('page') ?? 1n
  const pages = pageCount(items.length, perPage)
  if (page <= 0n || page > pages)
    throw internalError(`page should be within [1, ${pages}] range, given ${page}`)
  const from = Number((page - 1n) * perPage)
  return items.slice(from, from + Number(perPage))
}

/** A JSON-RPC error as CometBFT answers it. */
export class RpcFailure extends Error {
  override name = 'RpcFailure'
  constructor(
    readonly code: number,
    message: string,
    readonly data?: string,
  ) {
    super(message)
  }
}

export const parseError = (data: string): RpcFailure =>
  new RpcFailure(-32700, 'Parse error. Invalid JSON', data)
export const invalidRequest = (data: string): RpcFailure =>
  new RpcFailure(-32600, 'Invalid Request', data)
export const methodNotFound = (): RpcFailure => new RpcFailure(-32601, 'Method not found')
export const invalidParams = (data: string): RpcFailure =>
  new RpcFailure(-32602, 'Invalid params', data)
export const internalError = (data: string): RpcFailure =>
  new RpcFailure(-32603, 'Internal error', data)

/** `{ code, message, data? }` */
export const errorJson = ({ code, message, data }: RpcFailure) => ({
  code,
  message,
  ...(data !== undefined && { data }),
})
