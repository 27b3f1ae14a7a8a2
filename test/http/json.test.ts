import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { readJson } from '../../src/app/body/read-json.js'
import { SwapError } from '../../src/errors.js'

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

describe('a body is read as it is written', () => {
  for (const text of ['1', '9007199254740991', '"9007199254740993"', '"1"', '150000000'])
    test(`${text} can be an amount`, () => assert.equal(codeOf(amount(text)), undefined))

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
    test(`${text} cannot`, () => assert.equal(codeOf(amount(text)), 'INVALID_AMOUNT /input/amount'))

  test('numbers that are not amounts may have a point', () => {
    assert.deepEqual(readJson('{"max_impact_bps":1.5,"deep":[1e3]}'), {
      max_impact_bps: 1.5,
      deep: [1000],
    })
  })
  test('a guard that is an amount is told by its own name, also in a batch', () => {
    assert.equal(codeOf('{"min_out":1e9}'), 'INVALID_AMOUNT /min_out')
    assert.equal(
      codeOf('{"requests":[{},{"route":{"min_out":1.5}}]}'),
      'INVALID_AMOUNT /requests/1/route/min_out',
    )
  })
  test('a member that stands twice is refused, however it is escaped', () => {
    assert.equal(codeOf('{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}'), undefined)
    assert.equal(codeOf('{"a":1,"a":1}'), 'INVALID_REQUEST')
    assert.equal(codeOf('{"a":1,"\\u0061":2}'), 'INVALID_REQUEST')
    assert.equal(codeOf('{"x":{"amount":"1","amount":"2"}}'), 'INVALID_REQUEST')
  })
  test('the prototype is no member', () => {
    assert.equal(codeOf('{"__proto__":{"polluted":1}}'), 'INVALID_REQUEST')
    assert.equal(codeOf('{"a":{"\\u005f_proto__":1}}'), 'INVALID_REQUEST')
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })
  test('what is no JSON is refused, and so is what is too deep', () => {
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
  test('anything else reads as JSON.parse reads it', () => {
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value))
    fc.assert(
      fc.property(json, (text) => {
        if (/"(amount|min_out|__proto__)"/.test(text)) return
        assert.deepEqual(readJson(text), JSON.parse(text))
      }),
      { numRuns: 300 },
    )
  })
  test('text in any order of bytes is read or refused, never a bug', () => {
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
