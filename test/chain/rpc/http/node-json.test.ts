import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { readReplies } from '../../../../src/chain/rpc/http/json-rpc.js'
import { JsonLimitError, parseNodeJson } from '../../../../src/chain/rpc/http/node-json.js'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const list = (items: number) => `[${'0,'.repeat(items - 1)}0]`

describe('the JSON of a node', () => {
  test('is parsed as JSON.parse does within the limits', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(0, 2), (value, space) => {
        const text = JSON.stringify(value, null, space)
        assert.deepEqual(parseNodeJson(text), JSON.parse(text))
      }),
      { numRuns: 200 },
    )
  })
  test('counts no brackets inside strings', () => {
    for (const text of ['[[[{{{,,,', '\\"[[', '"', '\\\\']) {
      const many = JSON.stringify(Array(100).fill(text.repeat(100)))
      assert.deepEqual(parseNodeJson(many), JSON.parse(many))
    }
    const commas = JSON.stringify(','.repeat(2_000_000))
    assert.equal(parseNodeJson(commas), ','.repeat(2_000_000))
  })
  test('is refused beyond 64 levels, before it is parsed', () => {
    assert.ok(parseNodeJson(nested(64)))
    for (const text of [nested(65), '['.repeat(1_000_000), '{"a":'.repeat(65)])
      assert.throws(() => parseNodeJson(text), JsonLimitError)
  })
  test('is refused beyond a million items, before it is parsed', () => {
    assert.ok(parseNodeJson(list(999_999)))
    for (const text of [list(1_000_001), `[${'[],'.repeat(600_000)}`, '[{},'.repeat(10)])
      if (text.length > 100) assert.throws(() => parseNodeJson(text), JsonLimitError)
      else assert.throws(() => parseNodeJson(text), SyntaxError)
  })
  test('is reported as too large when it exceeds a limit', () => {
    const text = `{"jsonrpc":"2.0","id":1,"result":${nested(100)}}`
    assert.deepEqual(readReplies(text, 1, 1), {
      is: 'too_large',
      reason: 'answered JSON of more than 64 levels',
    })
  })
})
