import type { PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { invalidArgument, plain } from './query.js'

/** Entries of a page without a limit. */
const DEFAULT = 100n

export type Page<T> = {
  readonly items: readonly T[]
  readonly pagination: PageResponse
}

/** A text of one character a byte; byte strings compare as their bytes do. */
export const byteString = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
export const bytesOf = (key: string): Uint8Array => Uint8Array.from(Buffer.from(key, 'latin1'))

/** Sorted keys from the start of a page, in its order. */
function ordered(
  keys: readonly string[],
  start: string | undefined,
  reverse: boolean,
): readonly string[] {
  if (start === undefined) return reverse ? keys.toReversed() : keys
  const at = keys.findIndex((key) => key >= start)
  if (!reverse) return at < 0 ? [] : keys.slice(at)
  // The first key that is not before `start` leads, as the SDK's reverse iterator has it.
  return (at < 0 ? keys : keys.slice(0, at + 1)).toReversed()
}

function cut(
  keys: readonly string[],
  limit: bigint,
): { taken: readonly string[]; nextKey: Uint8Array } {
  const size = limit > BigInt(keys.length) ? keys.length : Number(limit)
  const next = keys[size]
  return {
    taken: keys.slice(0, size),
    nextKey: next === undefined ? new Uint8Array() : bytesOf(next),
  }
}

/**
 * A page as the SDK's modules cut it.
 *
 * @param keys sorted byte strings
 * @throws QueryFailure when both an offset and a key are given
 */
export function sdkPage(keys: readonly string[], request: PageRequest | undefined): Page<string> {
  const { key, offset, limit, countTotal, reverse } = request ?? NO_PAGE
  if (offset > 0n && key.length > 0)
    throw plain('invalid request, either offset or key is expected, got both')
  if (key.length > 0) {
    const { taken, nextKey } = cut(
      ordered(keys, byteString(key), reverse),
      limit === 0n ? DEFAULT : limit,
    )
    return { items: taken, pagination: { nextKey, total: 0n } }
  }
  const all = ordered(keys, undefined, reverse)
  const skip = offset > BigInt(all.length) ? all.length : Number(offset)
  const { taken, nextKey } = cut(all.slice(skip), limit === 0n ? DEFAULT : limit)
  // Without a limit the SDK counts the entries.
  const total = countTotal || limit === 0n ? BigInt(all.length) : 0n
  return { items: taken, pagination: { nextKey, total } }
}

/**
 * A page as wasmd cuts it: at most 100 entries, by key only, never counted.
 *
 * @throws QueryFailure when an offset or a count is requested
 */
export function wasmPage(keys: readonly string[], request: PageRequest | undefined): Page<string> {
  const { key, offset, limit, countTotal, reverse } = request ?? NO_PAGE
  if (offset > 0n || countTotal) throw invalidArgument('offset and count queries not supported')
  const start = key.length > 0 ? byteString(key) : undefined
  const { taken, nextKey } = cut(
    ordered(keys, start, reverse),
    limit > DEFAULT || limit <= 0n ? DEFAULT : limit,
  )
  return { items: taken, pagination: { nextKey, total: 0n } }
}

const NO_PAGE: PageRequest = {
  key: new Uint8Array(),
  offset: 0n,
  limit: 0n,
  countTotal: false,
  reverse: false,
}
