import assert from 'node:assert/strict'
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { byteString, sdkPage, wasmPage } from '../../../../src/demo-chain/node/queries/query.js'

const keys = Array.from({ length: 250 }, (_, at) =>
  String.fromCharCode(1 + (at >> 4), 200 + (at % 16)),
)
const page = (request: Partial<PageRequest>): PageRequest => PageRequest.fromPartial(request)

/** Walks all pages by their keys. */
function walk(cut: typeof sdkPage, limit: bigint): readonly string[] {
  const seen: string[] = []
  let key = new Uint8Array()
  do {
    const { items, pagination } = cut(keys, page({ key, limit }))
    seen.push(...items)
    key = Uint8Array.from(pagination.nextKey)
  } while (key.length > 0)
  return seen
}

describe('paginated queries', () => {
  test('return everything once and in order when walked by their keys', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 300n), (limit) => {
        assert.deepEqual(walk(sdkPage, limit), keys)
        assert.deepEqual(walk(wasmPage, limit), keys)
      }),
      { numRuns: 30 },
    )
  })

  test('of a module return 100 entries by default, and count when no page is requested', () => {
    const usual = sdkPage(keys, undefined)
    assert.deepEqual([usual.items.length, usual.pagination.total], [100, 250n])
    const large = sdkPage(keys, page({ limit: 1000n }))
    assert.deepEqual([large.items.length, large.pagination.total], [250, 0n])
    assert.equal(sdkPage(keys, page({ limit: 1n, countTotal: true })).pagination.total, 250n)
    assert.deepEqual(sdkPage(keys, page({ limit: 2n, offset: 248n })).items, keys.slice(248))
    assert.deepEqual(sdkPage(keys, page({ offset: 1n << 63n })).items, [])
  })

  test('of x/wasm never return more than 100 entries, and refuse a count and an offset', () => {
    assert.equal(wasmPage(keys, page({ limit: 200n })).items.length, 100)
    assert.equal(wasmPage(keys, undefined).pagination.total, 0n)
    for (const request of [page({ offset: 1n }), page({ countTotal: true })])
      assert.throws(
        () => wasmPage(keys, request),
        /InvalidArgument desc = offset and count queries not supported: invalid request$/,
      )
  })

  test('start with the next entry if their key does not exist', () => {
    const start = Buffer.from([1, 205, 0])
    assert.equal(
      wasmPage(keys, page({ key: start, limit: 1n })).items[0],
      byteString(Buffer.from([1, 206])),
    )
    assert.deepEqual(wasmPage(keys, page({ key: Buffer.from([255]) })).items, [])
  })

  test('in reverse start with the first key from the start on, and descend', () => {
    const start = Buffer.from([1, 202, 0])
    const { items, pagination } = wasmPage(keys, page({ key: start, limit: 3n, reverse: true }))
    assert.deepEqual(items, [keys[3], keys[2], keys[1]])
    assert.equal(byteString(pagination.nextKey), keys[0])
    assert.deepEqual(wasmPage(keys, page({ reverse: true, limit: 1n })).items, keys.slice(-1))
  })

  test('take an offset or a key, not both', () => {
    assert.throws(
      () => sdkPage(keys, page({ key: Buffer.from('x'), offset: 1n })),
      /either offset or key is expected, got both/,
    )
  })
})
