import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { SwapError } from '../../src/engine/errors.js'
import { readBatchJson, readJson } from '../../src/operations/body/read-json.js'

const codeOf = (text: string): string | undefined => {
  try {
    readJson(text)
    return undefined
  } catch (error) {
    assert.ok(error instanceof SwapError)
    return `${error.code} ${String(error.members['pointer'] ?? '')}`.trimEnd()
  }
}

const amount = (text: string) => `{"input":{"denom":"a","amount":${text}},"output":{"denom":"b"}}`

describe('the JSON reader of a request body', () => {
  for (const text of ['1', '9007199254740991', '"9007199254740993"', '"1"', '150000000'])
    test(`accepts ${text} as an amount`, () => assert.equal(codeOf(amount(text)), undefined))

  const wrong = [
    '9007199254740993',
    '9007199254740992',
    '1.0',
    '1.5',
    '1e3',
    '1E3',
    '-1',
    '-0',
    '0',
  ]
  for (const text of [...wrong, '9007199254740991.4', '1e400', '0.99999999999999999999'])
    test(`refuses ${text} as an amount`, () =>
      assert.equal(codeOf(amount(text)), 'INVALID_AMOUNT /input/amount'))

  test('refuses more names and values than a batch of a hundred requests has', () => {
    const list = (length: number) => `[${Array(length).fill('1').join(',')}]`
    for (const text of [list(16_383), list(16_383).replaceAll(',', ' ,\t\n')])
      assert.doesNotThrow(() => readBatchJson(text))
    for (const text of [list(16_384), `{"requests":${list(20_000)}}`, `[${'{},'.repeat(20_000)}1]`])
      for (const read of [readJson, readBatchJson])
        assert.throws(() => read(text), { why: 'it has more than 16384 names and values' })
  })

  test('names a byte order mark and bytes that are not UTF-8 as the cause', () => {
    const text = Buffer.from('{"a":"b\xff"}', 'latin1').toString()
    for (const read of [readJson, readBatchJson]) {
      assert.throws(() => read('\ufeff{}'), { why: 'it begins with a byte order mark' })
      assert.throws(() => read(text), { code: 'INVALID_REQUEST', why: /bytes that are not UTF-8/ })
    }
  })
  test('accepts fractions for numbers that are not amounts', () => {
    assert.deepEqual(readJson('{"max_impact_bps":1.5,"deep":[1e3]}'), {
      max_impact_bps: 1.5,
      deep: [1000],
    })
  })
  test('refuses a number that would be rounded to a whole one', () => {
    for (const text of [
      '50.00000000000000000001',
      '9007199254740993',
      '1e400',
      '0.0000e-1',
      '5e-400',
    ])
      assert.equal(
        codeOf(`{"slippage_bps":${text}}`),
        text === '0.0000e-1' ? undefined : 'INVALID_REQUEST',
        text,
      )
    for (const text of [
      '50',
      '50.0',
      '5e1',
      '0.5e2',
      '0',
      '-0',
      '1e21',
      '1.5',
      '100000000000000000000',
    ])
      assert.equal(codeOf(`{"slippage_bps":${text},"many":[${text}]}`), undefined, text)
    const zeros = '0'.repeat(8_000_000)
    assert.equal(codeOf(`{"slippage_bps":5.${zeros}1}`), 'INVALID_REQUEST')
  })
  test('reads strings of megabytes, with escapes and without', () => {
    for (const part of ['x', '\\n', '\\\\', '\\"'])
      assert.equal(codeOf(`{"a":"${part.repeat(4_000_000)}","b":{"c":1}}`), undefined, part)
    assert.equal(codeOf(`{"a":"${'\\"'.repeat(4)}","a":1}`), 'INVALID_REQUEST')
    assert.equal(codeOf(`{"a":"${'\\\\'.repeat(3)}","a":1}`), 'INVALID_REQUEST')
  })
  test('names a guard that is a malformed amount, also in a batch', () => {
    assert.equal(codeOf('{"min_out":1e9}'), 'INVALID_AMOUNT /min_out')
    assert.equal(
      codeOf('{"requests":[{},{"route":{"min_out":1.5}}]}'),
      'INVALID_AMOUNT /requests/1/route/min_out',
    )
  })
  test('reads what an order offers as an amount, and zero as its cancel', () => {
    const entry = (target: string) => `{"entries":[{"target":${target}}]}`
    for (const text of ['1e3', '1.0', '-0', '-1', '9007199254740993'])
      assert.equal(codeOf(entry(text)), 'INVALID_AMOUNT /entries/0/target', text)
    for (const text of ['0', '5', 'null']) assert.equal(codeOf(entry(text)), undefined, text)
    for (const text of ['0', '1e3'])
      assert.equal(codeOf(`{"ladder":{"total":${text}}}`), 'INVALID_AMOUNT /ladder/total')
  })
  test('refuses a duplicate member, however it is escaped', () => {
    assert.equal(codeOf('{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}'), undefined)
    assert.equal(codeOf('{"a":1,"a":1}'), 'INVALID_REQUEST')
    assert.equal(codeOf('{"a":1,"\\u0061":2}'), 'INVALID_REQUEST')
    assert.equal(codeOf('{"x":{"amount":"1","amount":"2"}}'), 'INVALID_REQUEST')
  })
  test('refuses a member named __proto__', () => {
    assert.equal(codeOf('{"__proto__":{"polluted":1}}'), 'INVALID_REQUEST')
    assert.equal(codeOf('{"a":{"\\u005f_proto__":1}}'), 'INVALID_REQUEST')
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })
  test('names the member that is given twice, is no member or is rounded', () => {
    const faults = {
      '{"a":{"b":1,"b":2}}': '/a/b is given twice',
      '{"__proto__":{}}': '/__proto__ is not a member of this request',
      '{"a":[1e400]}': '/a/0 cannot be read exactly',
      '1e400': 'it cannot be read exactly',
    }
    for (const [text, why] of Object.entries(faults))
      assert.throws(() => readJson(text), { code: 'INVALID_REQUEST', why })
  })
  test('refuses invalid JSON and JSON that is nested too deep', () => {
    for (const text of [
      '',
      ' ',
      '{',
      '{"a":1,}',
      "{'a':1}",
      'undefined',
      'NaN',
      '\ufeff{}',
      '{"a":01}',
    ])
      assert.equal(codeOf(text), 'INVALID_REQUEST', text)
    assert.equal(codeOf('['.repeat(16) + ']'.repeat(16)), undefined)
    assert.equal(codeOf('['.repeat(17) + ']'.repeat(17)), 'INVALID_REQUEST')
    assert.equal(codeOf('['.repeat(8_000) + ']'.repeat(8_000)), 'INVALID_REQUEST')
  })
  test('reads everything else as JSON.parse does', () => {
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value))
    fc.assert(
      fc.property(json, (text) => {
        if (/"(amount|min_out|__proto__)"/.test(text)) return
        assert.deepEqual(readJson(text), JSON.parse(text))
      }),
      { numRuns: 300 },
    )
  })
  test('reads or refuses arbitrary bytes, and never throws another error', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"amount"',
      '1',
      '-1e5',
      'true',
      ' ',
      '"\\',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => void codeOf(pieces.join(''))),
      { numRuns: 500 },
    )
  })
})

describe('the JSON reader of a batch', () => {
  const many = (...elements: readonly string[]) => `{"requests":[${elements.join(',')}]}`
  const faultsOf = (text: string) =>
    [...readBatchJson(text).faults].map(([index, { code, members }]) => {
      const [first] = (members['errors'] ?? [{}]) as readonly { readonly pointer?: string }[]
      return [index, code, members['pointer'] ?? first?.pointer]
    })
  const good = `{"route":${amount('"1"')}}`

  test('reports a malformed element with the pointer within that element', () => {
    const text = many(
      good,
      `{"route":${amount('1e18')}}`,
      `{"sroute":${amount('9007199254740993')}}`,
      good,
      `{"route":{"min_out":1.0}}`,
      `{"sroute":{"legs":[{"amount":1},{"amount":0.5}]}}`,
      `{"route":{"a":1,"a":2}}`,
      `{"route":{"input":{"__proto__":1}}}`,
    )
    assert.deepEqual(faultsOf(text), [
      [1, 'INVALID_AMOUNT', '/input/amount'],
      [2, 'INVALID_AMOUNT', '/input/amount'],
      [4, 'INVALID_AMOUNT', '/min_out'],
      [5, 'INVALID_AMOUNT', '/legs/1/amount'],
      [6, 'INVALID_REQUEST', '/a'],
      [7, 'INVALID_REQUEST', '/input/__proto__'],
    ])
  })
  test('reports the same error for an element as for a single request', () => {
    for (const text of [
      amount('1e3'),
      amount('-0'),
      '{"a":1,"a":1}',
      '['.repeat(20) + ']'.repeat(20),
    ]) {
      const { faults } = readBatchJson(many(good, `{"route":${text}}`))
      assert.throws(
        () => readJson(text),
        (error) => {
          const fault = faults.get(1)
          assert.ok(error instanceof SwapError)
          assert.deepEqual([fault?.code, fault?.why], [error.code, error.why])
          assert.deepEqual(fault?.members, error.members)
          return true
        },
      )
    }
  })
  test('refuses the whole body for a fault outside its elements', () => {
    for (const text of [
      '{"requests":[{"route":{}},]}',
      '{"requests":[{"route":{},"route":{}}]}',
      '{"requests":[],"requests":[]}',
      '{"amount":1.5,"requests":[]}',
      '{"others":[{"route":{"amount":1.5}}]}',
      '{"requests":{"0":{"route":{"amount":1.5}}}}',
    ])
      assert.throws(() => readBatchJson(text), SwapError, text)
  })
  test('accepts elements as deep as a single request', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    assert.deepEqual(faultsOf(many(`{"route":${deep(16)}}`)), [])
    assert.deepEqual(faultsOf(many(good, `{"route":${deep(17)}}`)), [[1, 'INVALID_REQUEST', '']])
  })
})
