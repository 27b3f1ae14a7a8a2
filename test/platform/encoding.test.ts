import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { strictBase64, toBase64 } from '../../src/platform/encoding.js'

const STANDARD = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

describe('strict base64', () => {
  test('gives the bytes that were encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        assert.deepEqual(strictBase64(toBase64(bytes)), Buffer.from(bytes))
      }),
    )
  })
  test('refuses other letters, other padding and parts of groups', () => {
    const letter = fc.constantFrom(...'Az09+/Az09+/==-_ \n.é')
    fc.assert(
      fc.property(fc.string({ unit: letter, maxLength: 12 }), (text) => {
        assert.equal(strictBase64(text) !== undefined, STANDARD.test(text))
      }),
      { numRuns: 2_000 },
    )
  })
})
