import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  addressBytes,
  addressOfKey,
  decodeBech32,
  encodeBech32,
  invalidAddress,
  moduleAddress,
} from '../../../src/demo-chain/modules/addresses.js'
import { runs } from '../../support/books.js'
import { recorded } from '../tx/chain.js'

const anyBytes = fc.oneof(
  fc.uint8Array({ minLength: 20, maxLength: 20 }),
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
)

describe('the bech32 codec', () => {
  test('decodes what it encoded, in lower or upper case', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.constantFrom('demo', 'thor'), (bytes, p) => {
        const text = encodeBech32(p, bytes)
        assert.deepEqual(decodeBech32(text), { prefix: p, bytes })
        assert.deepEqual(decodeBech32(text.toUpperCase()).bytes, bytes)
      }),
      runs(100),
    )
  })
})

describe('an address', () => {
  test('is derived from a key as on a real chain', () => {
    const { pubkey_base64 = '', sender = '' } = recorded.mainnet
    assert.equal(addressOfKey('thor', Buffer.from(pubkey_base64, 'base64')), sender)
  })

  test('of a module is that of a real chain', () => {
    assert.equal(
      moduleAddress('thor', 'fee_collector'),
      'thor17xpfvakm2amg962yls6f84z3kell8c5lk76m7z',
    )
  })

  const invalid: readonly (readonly [text: string, reason: string])[] = [
    ['', 'empty address string is not allowed'],
    ['  ', 'empty address string is not allowed'],
    ['thor1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqafwfvn', 'decoding bech32 failed: '],
    ['notanaddress', 'decoding bech32 failed: '],
    ['thor1', 'decoding bech32 failed: '],
    ['thor1b9xqqqqqqq', 'decoding bech32 failed: '],
    ['Thor1qqqqqqqqq', 'decoding bech32 failed: '],
    ['thor1 qqqqqqqqq', 'decoding bech32 failed: '],
    [encodeBech32('demo', new Uint8Array(20)), 'invalid Bech32 prefix; expected thor, got demo'],
    [encodeBech32('thor', new Uint8Array(21)), 'invalid address'],
    [encodeBech32('thor', new Uint8Array(0)), 'invalid address'],
    [`thor1${'q'.repeat(1100)}`, 'decoding bech32 failed: '],
  ]
  for (const [text, reason] of invalid)
    test(`is malformed: “${text.slice(0, 50)}”: ${reason}`, () => {
      assert.ok(invalidAddress('thor', text)?.startsWith(reason))
    })

  test('of an account or a contract is valid and gives its bytes back', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const address = encodeBech32('demo', bytes)
        assert.equal(invalidAddress('demo', address), undefined)
        assert.equal(invalidAddress('demo', address.toUpperCase()), undefined)
        assert.deepEqual(addressBytes(address), bytes)
      }),
      runs(50),
    )
  })
})
