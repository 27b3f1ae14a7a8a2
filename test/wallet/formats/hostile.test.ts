import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { formatNames } from '../../../src/wallet/formats/foreign.js'
import { recognise } from '../../../src/wallet/formats/recognise.js'
import { NoKeyDocument } from '../../../src/wallet/keyfile/document.js'
import { runs } from '../../support/books.js'

const scrypt = { n: 262144, r: 8, p: 1, dklen: 32, salt: 'ab'.repeat(32) }
const pbkdf2 = { c: 262144, prf: 'hmac-sha256', dklen: 32, salt: 'ab'.repeat(32) }

const keystore = (change: object = {}, kdfparams: object = scrypt) => ({
  version: 3,
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '00'.repeat(16) },
    ciphertext: '00'.repeat(32),
    kdf: 'scrypt',
    kdfparams,
    mac: '00'.repeat(32),
    ...change,
  },
})

const cosmjs = (params: object = {}, change: object = {}) => ({
  type: 'directsecp256k1hdwallet-v1',
  kdf: {
    algorithm: 'argon2id',
    params: { outputLength: 32, opsLimit: 24, memLimitKib: 12288, ...params },
  },
  encryption: { algorithm: 'xchacha20poly1305-ietf' },
  data: 'AAAA',
  ...change,
})

const refused: readonly (readonly [string, object | string, RegExp])[] = [
  ['scrypt over 1 GiB', keystore({}, { ...scrypt, n: 2 ** 21 }), /1 GiB/],
  ['scrypt with a great p', keystore({}, { ...scrypt, p: 100 }), /1 GiB or ten seconds/],
  ['scrypt with a great r', keystore({}, { ...scrypt, r: 2 ** 20 }), /1 GiB/],
  ['scrypt with n of no power of two', keystore({}, { ...scrypt, n: 1000 }), /cannot be read/],
  ['scrypt with n=1', keystore({}, { ...scrypt, n: 1 }), /cannot be read/],
  ['scrypt with p=0', keystore({}, { ...scrypt, p: 0 }), /cannot be read/],
  ['scrypt with texts for numbers', keystore({}, { ...scrypt, n: '262144' }), /member n/],
  ['pbkdf2 of a billion', keystore({ kdf: 'pbkdf2' }, { ...pbkdf2, c: 1e9 }), /ten seconds/],
  ['pbkdf2 of none', keystore({ kdf: 'pbkdf2' }, { ...pbkdf2, c: 0 }), /cannot be read/],
  ['another prf', keystore({ kdf: 'pbkdf2' }, { ...pbkdf2, prf: 'hmac-md5' }), /prf/],
  ['another length', keystore({}, { ...scrypt, dklen: 16 }), /dklen/],
  ['another kdf', keystore({ kdf: 'md5' }), /neither scrypt nor pbkdf2/],
  ['another cipher', keystore({ cipher: 'aes-128-cbc' }), /another than aes-128-ctr/],
  ['a short mac', keystore({ mac: '00' }), /mac/],
  ['a short iv', keystore({ cipherparams: { iv: '00' } }), /iv/],
  ['no crypto', { version: 3 }, /none of the formats/],
  ['version 1 of Ethereum', { ...keystore(), version: 1 }, /version is another than 3/],
  ['version 2 of xchain', { ...keystore(), version: 2, meta: 'xchain-keystore' }, /version 1/],
  ['argon2id over 1 GiB', cosmjs({ memLimitKib: 2 ** 21 }), /1 GiB/],
  ['argon2id for hours', cosmjs({ opsLimit: 100_000 }), /ten seconds/],
  ['argon2id with nothing', cosmjs({ memLimitKib: 0 }), /cannot be read/],
  ['argon2id with half a pass', cosmjs({ opsLimit: 1.5 }), /opsLimit/],
  ['another output', cosmjs({ outputLength: 64 }), /outputLength/],
  ['another cosmjs cipher', cosmjs({}, { encryption: { algorithm: 'rot13' } }), /encryption/],
  ['another cosmjs kdf', cosmjs({}, { kdf: { algorithm: 'md5', params: {} } }), /argon2id/],
  ['data that is not base64', cosmjs({}, { data: '!!' }), /data/],
  ['a key file of ours with n=2^30', '{"format":"swap.key/1"}', /cannot be read/],
  ['JSON of nothing', '{}', /none of the formats/],
  ['half a JSON', '{"type":', /not JSON/],
  ['a key of zeros', '00'.repeat(32), /below the order/],
  ['a short text', 'hello', /12, 15, 18, 21 or 24/],
]

describe('a file to import', () => {
  for (const [what, file, why] of refused)
    test(`with ${what} is refused before anything is derived`, () => {
      assert.throws(
        () => recognise(typeof file === 'string' ? file : JSON.stringify(file), 'auto'),
        (error) => {
          assert.ok(error instanceof NoKeyDocument, String(error))
          assert.match(error.message, why)
          return true
        },
      )
    })
  test('within bounds is taken', () => {
    recognise(JSON.stringify(keystore()), 'auto')
    recognise(JSON.stringify(cosmjs()), 'auto')
  })
  test('is refused in words of ours, whatever it is, and repeats nothing of it', () => {
    const canary = 'canarycanary'
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((text) => `-----BEGIN ${text}-----\n${canary}\n-----END ${text}-----`),
      fc.object().map((object) => JSON.stringify({ ...keystore(object), type: canary })),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom('auto' as const, ...formatNames), (text, format) => {
        try {
          recognise(text, format)
        } catch (error) {
          assert.ok(error instanceof NoKeyDocument, String(error))
          assert.ok(!error.message.includes(canary))
        }
      }),
      runs(300),
    )
  })
})
