import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  addressBytes,
  addressOfKey,
  Bech32Error,
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

  test('names the right checksum, whatever the last six characters are', () => {
    const wrong = fc.stringMatching(/^[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{6}$/)
    fc.assert(
      fc.property(anyBytes, wrong, (bytes, got) => {
        const text = encodeBech32('demo', bytes)
        fc.pre(!text.endsWith(got))
        const message = `invalid checksum (expected ${text.slice(-6)} got ${got})`
        assert.throws(() => decodeBech32(text.slice(0, -6) + got), { message })
      }),
      runs(50),
    )
  })

  test('throws only its own error for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        try {
          decodeBech32(text)
        } catch (error) {
          assert.ok(error instanceof Bech32Error)
        }
      }),
      runs(300),
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
    [
      'thor1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqafwfvn',
      'decoding bech32 failed: invalid checksum (expected 4yeyjz got afwfvn)',
    ],
    ['notanaddress', 'decoding bech32 failed: invalid separator index -1'],
    ['thor1', 'decoding bech32 failed: invalid bech32 string length 5'],
    [
      'thor1b9xqqqqqqq',
      'decoding bech32 failed: Unknown letter "b". Allowed: qpzry9x8gf2tvdw0s3jn54khce6mua7l',
    ],
    ['Thor1qqqqqqqqq', 'decoding bech32 failed: mixed-case string not allowed'],
    [
      'thor1 qqqqqqqqq',
      'decoding bech32 failed: Unknown letter " ". Allowed: qpzry9x8gf2tvdw0s3jn54khce6mua7l',
    ],
    [encodeBech32('demo', new Uint8Array(20)), 'invalid Bech32 prefix; expected thor, got demo'],
    [encodeBech32('thor', new Uint8Array(21)), 'invalid address'],
    [encodeBech32('thor', new Uint8Array(0)), 'invalid address'],
    [`thor1${'q'.repeat(1100)}`, 'decoding bech32 failed: invalid bech32 string length 1105'],
  ]
  for (const [text, reason] of invalid)
    test(`is malformed: “${text.slice(0, 50)}”: ${reason}`, () => {
      assert.equal(invalidAddress('thor', text), reason)
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
