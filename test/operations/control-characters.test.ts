import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { SwapError } from '../../src/engine/errors.js'
import { readHistoryRequest } from '../../src/operations/history/history-documents.js'
import { readRouteRequest } from '../../src/operations/route/route-request.js'

const control = fc.oneof(fc.integer({ min: 0, max: 31 }), fc.integer({ min: 127, max: 159 }))
const pointers = (error: unknown): unknown =>
  error instanceof SwapError && error.code === 'INVALID_REQUEST' ? error.members['errors'] : error

describe('a control character in a text of a request', () => {
  const route = (at: string, text: string) => ({
    input: { denom: at === '/input/denom' ? text : 'btc-btc', amount: '1' },
    output: { denom: 'rune' },
    ...(at === '/recipient' && { recipient: text }),
    ...(at === '/affiliate' && { affiliate: text }),
    ...(at === '/via/1' && { via: ['rune', text] }),
    ...(at === '/path/0' && { path: [text] }),
  })
  const places = ['/input/denom', '/recipient', '/affiliate', '/via/1', '/path/0']
  test('is refused with the pointer of its member', () => {
    fc.assert(
      fc.property(control, fc.constantFrom(...places), (code, at) => {
        const text = `a${String.fromCharCode(code)}b`
        try {
          readRouteRequest(route(at, text))
          assert.fail('it was accepted')
        } catch (error) {
          assert.deepEqual(pointers(error), [
            { pointer: at, detail: 'must not have control characters' },
          ])
        }
      }),
    )
    assert.throws(() => readHistoryRequest({ affiliate: '\0' }), { code: 'INVALID_REQUEST' })
  })
  test('is the only kind of character that is refused', () => {
    for (const at of places) assert.ok(readRouteRequest(route(at, 'ä 中 ~')))
  })
})
