import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import {
  decodeKey,
  encodeKey,
  InvalidKeyDocument,
  type KeyDocument,
} from '../../../src/wallet/keyfile/key-document.js'
import { rawSecret, sealed } from '../keyring.js'

let document: KeyDocument
let bytes: Buffer
beforeAll(async () => {
  document = await sealed()
  bytes = encodeKey(document)
})

const refuses = (given: Uint8Array, why?: RegExp): void =>
  assert.throws(
    () => decodeKey(given),
    (error) => {
      assert.ok(error instanceof InvalidKeyDocument)
      if (why) assert.match(error.message, why)
      return true
    },
  )

/** The document with members replaced, written as JSON and not by us. */
const written = (change: object): Buffer =>
  Buffer.from(`${JSON.stringify({ ...document, ...change }, null, 2)}\n`)

describe('a key file', () => {
  test('is read back as it was written, for both kinds of secret', async () => {
    assert.deepEqual(decodeKey(bytes), document)
    const raw = await sealed(rawSecret())
    assert.deepEqual(decodeKey(encodeKey(raw)), raw)
    assert.equal(raw.hd_path, null)
  })
  test('contains no part of its secret in the clear', async () => {
    const { bytes: key } = rawSecret()
    const raw = encodeKey(await sealed(rawSecret())).toString()
    assert.ok(!raw.includes(key.toString('hex')))
  })
  test('is refused when it was cut at any byte', () => {
    for (let length = 0; length < bytes.length; length++) refuses(bytes.subarray(0, length))
  })
  test('has only one valid form: other spaces, order, members and capitals are refused', () => {
    const text = bytes.toString()
    refuses(Buffer.from(JSON.stringify(document)), /changed it/)
    refuses(Buffer.from(`${text}\n`), /changed it/)
    refuses(Buffer.from(text.replace('"format"', '"\\u0066ormat"')), /changed it/)
    refuses(written({ more: 1 }), /changed it/)
    const { format, ...rest } = document
    refuses(Buffer.from(`${JSON.stringify({ ...rest, format }, null, 2)}\n`), /changed it/)
    refuses(written({ sealed: document.sealed.toUpperCase() }), /sealed/)
  })
  test('is refused before anything is derived when its parameters are too high or too low', () => {
    const kdfs = [
      { n: 2 ** 30 },
      { n: 2 ** 21 },
      { n: 2 ** 16 },
      { n: 1 },
      { n: 131073 },
      { n: '131072' },
      { n: 2 ** 17 + 0.5 },
      { p: 1_000_000 },
      { p: 0 },
      { p: 5 },
      { p: 1.5 },
      { r: 2 ** 20 },
      { r: 1 },
      { name: 'pbkdf2' },
      { salt: 'ab' },
      { salt: null },
    ]
    for (const change of kdfs) refuses(written({ kdf: { ...document.kdf, ...change } }), /kdf/)
    refuses(written({ kdf: null }), /kdf/)
  })
  test('accepts the most expensive valid parameters', () => {
    const kdf = { ...document.kdf, n: 2 ** 20, p: 4 }
    assert.deepEqual(decodeKey(written({ kdf })).kdf, kdf)
  })
  const broken: readonly (readonly [string, object, RegExp])[] = [
    ['another format', { format: 'swap.key/2' }, /format/],
    ['another cipher', { cipher: { name: 'aes-128-ctr', nonce: '0'.repeat(24) } }, /cipher/],
    ['a short nonce', { cipher: { name: 'aes-256-gcm', nonce: '00' } }, /cipher/],
    ['no cipher', { cipher: undefined }, /cipher/],
    ['no address', { address: 7 }, /address/],
    ['a path that is none', { hd_path: 'm/x' }, /hd_path/],
    ['a mnemonic without a path', { hd_path: null }, /hd_path/],
    ['a private key with a path', { secret: 'private_key' }, /hd_path/],
    ['another kind of secret', { secret: 'seed' }, /secret/],
    ['a secret of one byte', { sealed: '00' }, /sealed/],
    ['a date that is none', { created_at: 'yesterday' }, /created_at/],
  ]
  for (const [what, change, why] of broken)
    test(`is refused with ${what}`, () => refuses(written(change), why))
  for (const text of ['', 'null', '[]', '7', '{}', '"swap.key/1"', '\u0000', '{"format":'])
    test(`is not ${JSON.stringify(text)}`, () => refuses(Buffer.from(text)))
  test('is refused when it is not UTF-8', () =>
    refuses(Buffer.from([0x7b, 0xff, 0x7d]), /not JSON/))
})
