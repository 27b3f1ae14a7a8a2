import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  bodyOf,
  isRead,
  parseNodeJson,
  readReplies,
} from '../../../../src/chain/rpc/http/json-rpc.js'
import { retryAfterOf } from '../../../../src/chain/rpc/http/judge.js'
import { JsonLimitError } from '../../../../src/platform/json-limits.js'
import { runs } from '../../../support/books.js'

const FIRST = 41
const answer = (id: unknown, result: unknown = {}) => ({ jsonrpc: '2.0', id, result })
const refusal = (id: unknown, code: unknown = -1, message: unknown = 'no') => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
const read = (value: unknown, count: number) => readReplies(JSON.stringify(value), FIRST, count)

describe('a JSON-RPC request body', () => {
  test('is one object for one call, and a list for several, with ascending ids', () => {
    const call = { method: 'm', params: { a: '1' } }
    assert.deepEqual(JSON.parse(bodyOf([call], 7)), { jsonrpc: '2.0', id: 7, ...call })
    assert.deepEqual(JSON.parse(bodyOf([call, call], 7)), [
      { jsonrpc: '2.0', id: 7, ...call },
      { jsonrpc: '2.0', id: 8, ...call },
    ])
  })

  test('may be repeated unless it broadcasts', () => {
    const reads = ['status', 'abci_query', 'tx_search', 'broadcast_tx_sync', 'broadcast_tx_async']
    assert.deepEqual(
      reads.map((method) => isRead({ method, params: {} })),
      [true, true, true, false, false],
    )
  })
})

describe('a JSON-RPC answer body', () => {
  test('is accepted in any order, and returned in that of the calls', () => {
    const reading = read([answer(43, 'c'), refusal(42, -5, 'why'), answer(41, 'a')], 3)
    assert.deepEqual(reading, {
      is: 'outcomes',
      outcomes: [
        { ok: true, result: 'a' },
        { ok: false, code: -5, text: 'why' },
        { ok: true, result: 'c' },
      ],
    })
  })

  const wrongs: readonly (readonly [string, unknown, number])[] = [
    ['null', null, 1],
    ['a missing answer', [answer(41)], 2],
    ['an extra answer', [answer(41), answer(42), answer(43)], 2],
    ['a duplicate id', [answer(41), answer(41)], 2],
    ['an unknown id', [answer(41), answer(44)], 2],
    ['an id that is text', answer('41'), 1],
    ['an id between two', answer(41.5), 1],
    ['no id', answer(undefined), 1],
    ['another version', { ...answer(41), jsonrpc: '1.0' }, 1],
    ['neither result nor error', { jsonrpc: '2.0', id: 41 }, 1],
    ['both result and error', { ...answer(41), ...refusal(41) }, 1],
    ['an error without a code', refusal(41, '1'), 1],
    ['an error without a message', refusal(41, 1, 5), 1],
    ['an error that is a text', { jsonrpc: '2.0', id: 41, error: 'no' }, 1],
    ['one answer for several', answer(41), 2],
    ['a list in a list', [[answer(41)], answer(42)], 2],
  ]
  for (const [name, value, count] of wrongs)
    test(`is malformed with ${name}`, () => assert.equal(read(value, count).is, 'wrong'))

  test('is a refusal of the whole batch if it is one error without an id', () => {
    const refusalReading = {
      is: 'refused',
      code: -32600,
      text: 'Invalid Request: exceeds maximum (10)',
    }
    const error = { code: -32600, message: 'Invalid Request', data: 'exceeds maximum (10)' }
    for (const id of [undefined, null, -1]) {
      assert.deepEqual(read({ jsonrpc: '2.0', id, error }, 5), refusalReading)
      assert.deepEqual(read({ jsonrpc: '2.0', id, error }, 1), refusalReading)
    }
  })

  test('of arbitrary JSON is read as a whole or not at all', () => {
    const element = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          jsonrpc: fc.constantFrom('2.0', '1.0', 2),
          id: fc.oneof(fc.integer({ min: 39, max: 46 }), fc.jsonValue()),
          result: fc.jsonValue(),
          error: fc.oneof(
            fc.jsonValue(),
            fc.record({ code: fc.integer(), message: fc.string(), data: fc.jsonValue() }),
          ),
        },
        { requiredKeys: [] },
      ),
    )
    const body = fc.oneof(
      fc.string(),
      fc.oneof(element, fc.array(element, { maxLength: 5 })).map((value) => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(body, fc.integer({ min: 1, max: 5 }), (text, count) => {
        const reading = readReplies(text, FIRST, count)
        if (reading.is !== 'outcomes') return
        assert.equal(reading.outcomes.length, count)
        for (const outcome of reading.outcomes) assert.equal(typeof outcome.ok, 'boolean')
      }),
      runs(2_000),
    )
  })
})

describe('the pause of a Retry-After header', () => {
  const date = 'Wed, 21 Oct 2015 07:28:00 GMT'
  const cases: readonly (readonly [string | undefined, string | undefined, number | undefined])[] =
    [
      [undefined, date, undefined],
      ['0', undefined, 0],
      ['3', undefined, 3_000],
      [' 1.5 ', undefined, 1_500],
      ['-1', undefined, undefined],
      ['soon', date, undefined],
      ['Wed, 21 Oct 2015 07:28:05 GMT', date, 5_000],
      ['Wed, 21 Oct 2015 07:27:00 GMT', date, 0],
      ['Wed, 21 Oct 2015 07:28:05 GMT', undefined, undefined],
    ]
  for (const [text, now, pause] of cases)
    test(`${text} at ${now} is ${pause} ms`, () =>
      assert.equal(
        retryAfterOf({
          ...(text !== undefined && { 'retry-after': text }),
          ...(now !== undefined && { date: now }),
        }),
        pause,
      ))
})

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
      is: 'wrong',
      kind: 'too_large',
      reason: 'answered JSON of more than 64 levels',
    })
  })
})
