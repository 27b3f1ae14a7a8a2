import { pageCount } from '../queries/search/pages.js'
import { internalError } from './failure.js'
import type { Args } from './method.js'

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
