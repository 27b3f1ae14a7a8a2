import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import {
  decodeKey,
  encodeKey,
  InvalidKeyDocument,
  type KeyDocument,
} from '../../../src/wallet/keyfile/key-document.js'
import { DecryptionFailed, openKey, passwordKey, unseal } from '../../../src/wallet/keyfile/seal.js'
import { TIMES } from '../../support/books.js'
import { deriveCheaply } from '../../support/remembered-scrypt.js'
import { mnemonicSecret, PASSWORD, rawSecret, sealed, sealedAnew } from '../keyring.js'

let document: KeyDocument
let key: Buffer
beforeAll(async () => {
  deriveCheaply()
  document = await sealed()
  key = await passwordKey(document.kdf, PASSWORD)
})

/** Whether a file is refused by its form, refused by the cipher, or opened. */
async function resultOf(bytes: Uint8Array): Promise<'unreadable' | 'unopened' | 'opened'> {
  try {
    // The key of the untouched file: a changed salt would give another one, and change the header.
    await unseal(decodeKey(bytes), key)
    return 'opened'
  } catch (error) {
    if (error instanceof InvalidKeyDocument) return 'unreadable'
    if (error instanceof DecryptionFailed) return 'unopened'
    throw error
  }
}

describe('a sealed key', () => {
  test('is opened by its password in any Unicode form', async () => {
    for (const secret of [mnemonicSecret(), rawSecret()])
      assert.deepEqual(await openKey(await sealed(secret), PASSWORD), secret)
    const wide = Buffer.from('ｔｉｄａｌ vexing mauve lantern')
    assert.deepEqual(await openKey(document, wide), mnemonicSecret())
  })
  test('is not opened by another password', async () => {
    for (const other of ['', 'tidal vexing mauve lanterN', 'tidal vexing mauve lantern\n'])
      await assert.rejects(openKey(document, Buffer.from(other)), DecryptionFailed)
  })
  test('has a salt and a nonce of its own every time', async () => {
    const again = await sealedAnew()
    assert.notEqual(again.kdf.salt, document.kdf.salt)
    assert.notEqual(again.cipher.nonce, document.cipher.nonce)
    assert.notEqual(again.sealed, document.sealed)
  })
  test('is refused when any bit of its file is changed', async () => {
    const bytes = encodeKey(document)
    assert.equal(await resultOf(bytes), 'opened')
    const results = { unreadable: 0, unopened: 0, opened: 0 }
    for (let at = 0; at < bytes.length; at++)
      for (let bit = TIMES > 1 ? 0 : at % 8; bit < 8; bit += TIMES > 1 ? 1 : 8) {
        const flipped = Buffer.from(bytes)
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit)
        results[await resultOf(flipped)] += 1
      }
    assert.equal(results.opened, 0)
    assert.equal(results.unreadable + results.unopened, bytes.length * (TIMES > 1 ? 8 : 1))
    assert.ok(results.unopened > 60, `only ${results.unopened} reached the cipher`)
  })
  test('is refused when any byte of it is changed', async () => {
    const bytes = encodeKey(document)
    const from = bytes.indexOf('"sealed"')
    for (let at = from; at < bytes.length; at += TIMES > 1 ? 7 : 50)
      for (let value = 0; value < 256; value += 1) {
        if (value === bytes[at]) continue
        const changed = Buffer.from(bytes)
        changed[at] = value
        assert.notEqual(await resultOf(changed), 'opened')
      }
  })
  test('is refused when its header has the address or the public key of another secret', async () => {
    const other = await sealed(rawSecret())
    const { sealKey } = await import('../../../src/wallet/keyfile/seal.js')
    const { address, pubkey } = document
    for (const change of [{ address, pubkey }, { address }, { pubkey }]) {
      const forged = await sealKey({ ...other, ...change }, rawSecret(), PASSWORD)
      await assert.rejects(openKey(forged, PASSWORD), DecryptionFailed)
    }
  })
})
