import assert from 'node:assert/strict'
import { stringToPath } from '@cosmjs/crypto'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { HDNodeWallet, Mnemonic } from 'ethers'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { guestAddress } from '../../src/demo-chain/genesis/known-accounts.js'
import { addressOf, isHdPath } from '../../src/wallet/address.js'
import { DEMO } from '../../src/wallet/demo-key.js'
import { isPrivateKey, privateKeyOf, publicKeyOf } from '../../src/wallet/derive.js'
import { entropyOf, wordsOf } from '../../src/wallet/mnemonic.js'
import { runs } from '../support/books.js'

describe('an account', () => {
  test('has the key of ethers and the address of cosmjs, wherever it is derived', async () => {
    const steps = fc.array(fc.tuple(fc.nat(2 ** 31 - 1), fc.boolean()), {
      minLength: 1,
      maxLength: 6,
    })
    const entropies = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const prefixes = fc.constantFrom('thor', 'sthor', 'demo', 'cosmos')
    await fc.assert(
      fc.asyncProperty(entropies, steps, prefixes, async (entropy, path, prefix) => {
        const hdPath = `m/${path.map(([n, hard]) => `${n}${hard ? "'" : ''}`).join('/')}`
        assert.ok(isHdPath(hdPath))
        const secret = { kind: 'mnemonic' as const, bytes: Buffer.from(entropy) }
        const privateKey = await privateKeyOf(secret, hdPath)
        const words = wordsOf(entropy).toString()
        const theirs = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(words), hdPath)
        assert.equal(`0x${privateKey.toString('hex')}`, theirs.privateKey)
        const options = { prefix, hdPaths: [stringToPath(hdPath)] }
        const wallet = await DirectSecp256k1HdWallet.fromMnemonic(words, options)
        const [account] = await wallet.getAccounts()
        const publicKey = publicKeyOf(privateKey)
        assert.deepEqual(publicKey, account?.pubkey)
        assert.equal(addressOf(publicKey, prefix), account?.address)
      }),
      runs(10),
    )
  })

  const paths = [
    ["m/44'/931'/0'/0/0", true],
    ['m/0', true],
    ['m/2147483647', true],
    ['m/2147483648', false],
    ['m', false],
    ['44/931', false],
    ["m/44''/0", false],
    ['m/1/2/3/4/5/6/7/8/9/10/11', false],
    ['m/-1', false],
  ] as const
  for (const [path, isOne] of paths)
    test(`${path} ${isOne ? 'is' : 'is not'} a path`, () => assert.equal(isHdPath(path), isOne))

  test('has a private key between 0 and the order of the curve', () => {
    const order = Buffer.from(
      'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
      'hex',
    )
    const below = Buffer.from(order)
    below[31] = 0x40
    assert.equal(isPrivateKey(Buffer.alloc(32)), false)
    assert.equal(isPrivateKey(order), false)
    assert.equal(isPrivateKey(below), true)
    assert.equal(isPrivateKey(Buffer.alloc(31, 1)), false)
  })
})

test('the built-in key is that of its mnemonic, and the one that the demo chain funds', async () => {
  const words = 'thumb emerge spike abandon attend grace loop window lunch note idea guard'
  const privateKey = await privateKeyOf({ kind: 'mnemonic', bytes: entropyOf(words) }, DEMO.path)
  assert.equal(privateKey.toString('hex'), DEMO.privateKey)
  const publicKey = publicKeyOf(privateKey)
  assert.equal(Buffer.from(publicKey).toString('hex'), DEMO.publicKey)
  assert.equal(addressOf(publicKey, 'demo'), guestAddress('demo'))
})
