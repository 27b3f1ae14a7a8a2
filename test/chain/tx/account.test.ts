import assert from 'node:assert/strict'
import { QueryAccountInfoResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { describe, test } from 'vitest'
import { accountInfo, PLACEHOLDER_KEY } from '../../../src/chain/tx/account.js'
import { MalformedDocument } from '../../../src/engine/snapshot/json-cursor.js'
import { toHex } from '../../../src/platform/encoding.js'

const address = 'demo1account'

const read = (info: object, key: Uint8Array = PLACEHOLDER_KEY) => {
  const pubKey = { typeUrl: PubKey.typeUrl, value: PubKey.encode({ key }).finish() }
  const answer = { address, accountNumber: 7n, sequence: 3n, pubKey, ...info }
  const bytes = QueryAccountInfoResponse.encode(
    QueryAccountInfoResponse.fromPartial({ info: answer }),
  ).finish()
  return accountInfo(address).read(bytes)
}

describe('the account that a node describes', () => {
  test('has its numbers and its key', () => {
    const { accountNumber, sequence, publicKey } = read({})
    assert.deepEqual([accountNumber, sequence], [7n, 3n])
    assert.equal(toHex(publicKey!), toHex(PLACEHOLDER_KEY))
    assert.equal(read({ pubKey: undefined }).publicKey, undefined)
    const ofEthereum = { typeUrl: '/ethermint.crypto.v1.ethsecp256k1.PubKey' }
    assert.equal(read({ pubKey: ofEthereum }).publicKey, undefined)
  })

  const rows: readonly (readonly [string, () => unknown])[] = [
    ['another address', () => read({ address: 'demo1other' })],
    ['a number from 2^53 on', () => read({ accountNumber: 2n ** 53n })],
    ['a sequence from 2^53 on', () => read({ sequence: 2n ** 53n })],
    ['a key of 5 bytes', () => read({}, new Uint8Array(5).fill(2))],
    ['a key that is not compressed', () => read({}, new Uint8Array(65).fill(4))],
    ['a key that begins with another byte', () => read({}, new Uint8Array(33).fill(5))],
    ['an empty key', () => read({}, new Uint8Array())],
  ]
  for (const [what, made] of rows)
    test(`is refused with ${what}`, () => {
      assert.throws(made, MalformedDocument)
    })
})
