import type { Node } from '../queries/node.js'
import type { Args } from './arguments.js'
import { internalError } from './rpc-failure.js'

/** A method of the node's RPC. */
export type Method = {
  /** The names of its arguments in Go's order: a call may name them or list them. */
  readonly names: readonly string[]
  /** @throws RpcFailure, QuerySyntaxError */
  run(node: Node, args: Args): unknown
}

export const method = (names: readonly string[], run: Method['run']): Method => ({ names, run })

const DEFAULT = 30n
const MOST = 100n

const perPageOf = (asked: bigint | undefined): bigint =>
  asked === undefined || asked < 1n ? DEFAULT : asked > MOST ? MOST : asked

/**
 * The requested page of `items`: 30 of them by default, at most 100.
 *
 * @throws RpcFailure when there is no such page
 */
export function pageOf<T>(items: readonly T[], args: Args): readonly T[] {
  const perPage = perPageOf(args.whole('per_page'))
  const page = args.whole('page') ?? 1n
  // Without items there is one page, as CometBFT counts.
  const pages = items.length === 0 ? 1n : (BigInt(items.length) - 1n) / perPage + 1n
  if (page <= 0n || page > pages)
    throw internalError(`page should be within [1, ${pages}] range, given ${page}`)
  const from = Number((page - 1n) * perPage)
  return items.slice(from, from + Number(perPage))
}
