import assert from 'node:assert/strict'
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { byteString, pageOf } from '../../../../src/demo-chain/node/queries/query.js'

const keys = Array.from({ length: 250 }, (_, at) =>
  String.fromCharCode(1 + (at >> 4), 200 + (at % 16)),
)
const page = (request: Partial<PageRequest>): PageRequest => PageRequest.fromPartial(request)

/** Walks all pages by their keys. */
function walk(limit: bigint): readonly string[] {
  const seen: string[] = []
  let key = new Uint8Array()
  do {
    const { items, pagination } = pageOf(keys, page({ key, limit }))
    seen.push(...items)
    key = Uint8Array.from(pagination.nextKey)
  } while (key.length > 0)
  return seen
}

describe('paginated queries', () => {
  test('return everything once and in order when walked by their keys', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 300n), (limit) => {
        assert.deepEqual(walk(limit), keys)
      }),
      { numRuns: 30 },
    )
  })

  test('return at most 100 entries, and 100 by default', () => {
    assert.equal(pageOf(keys, page({ limit: 200n })).items.length, 100)
    assert.equal(pageOf(keys, page({ limit: 99n })).items.length, 99)
    assert.equal(pageOf(keys, undefined).items.length, 100)
  })

  test('refuse a count, an offset and the reverse order', () => {
    for (const request of [{ offset: 1n }, { countTotal: true }, { reverse: true }])
      assert.throws(
        () => pageOf(keys, page(request)),
        /InvalidArgument desc = only pages from a key on are supported: invalid request$/,
      )
  })

  test('start with the next entry if their key does not exist', () => {
    const start = Buffer.from([1, 205, 0])
    assert.equal(
      pageOf(keys, page({ key: start, limit: 1n })).items[0],
      byteString(Buffer.from([1, 206])),
    )
    assert.deepEqual(pageOf(keys, page({ key: Buffer.from([255]) })).items, [])
  })
})
