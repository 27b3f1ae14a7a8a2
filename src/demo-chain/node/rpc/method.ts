import type { Node } from '../queries/node.js'
import { pageCount } from '../search/search.js'
import type { Arg, ArgType } from './arguments.js'
import { internalError } from './rpc-failure.js'

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
