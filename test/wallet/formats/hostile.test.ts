import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { formatNames } from '../../../src/wallet/formats/foreign.js'
import { recogniseKey } from '../../../src/wallet/formats/recognise.js'
import { requireUsualCost } from '../../../src/wallet/keyfile/kdf-cost.js'
import { encodeKey, InvalidKeyDocument } from '../../../src/wallet/keyfile/key-document.js'
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
  ['scrypt of 2 GiB', keystore({}, { ...scrypt, n: 2 ** 21 }), /2 GiB of memory or more/],
  ['scrypt with a great r', keystore({}, { ...scrypt, r: 2 ** 20 }), /2 GiB of memory or more/],
  ['scrypt of 2 GiB by its p', keystore({}, { ...scrypt, n: 2, p: 2 ** 21 }), /2 GiB/],
  ['scrypt with n of no power of two', keystore({}, { ...scrypt, n: 1000 }), /cannot be read/],
  ['scrypt with n=1', keystore({}, { ...scrypt, n: 1 }), /cannot be read/],
  ['scrypt with p=0', keystore({}, { ...scrypt, p: 0 }), /cannot be read/],
  ['scrypt with texts for numbers', keystore({}, { ...scrypt, n: '262144' }), /member n/],
  ['pbkdf2 of none', keystore({ kdf: 'pbkdf2' }, { ...pbkdf2, c: 0 }), /cannot be read/],
  ['pbkdf2 of 2^31', keystore({ kdf: 'pbkdf2' }, { ...pbkdf2, c: 2 ** 31 }), /cannot be read/],
  ['another prf', keystore({ kdf: 'pbkdf2' }, { ...pbkdf2, prf: 'hmac-md5' }), /prf/],
  ['another length', keystore({}, { ...scrypt, dklen: 16 }), /dklen/],
  ['another kdf', keystore({ kdf: 'md5' }), /neither scrypt nor pbkdf2/],
  ['another cipher', keystore({ cipher: 'aes-128-cbc' }), /another than aes-128-ctr/],
  ['a short mac', keystore({ mac: '00' }), /mac/],
  ['a short iv', keystore({ cipherparams: { iv: '00' } }), /iv/],
  ['no crypto', { version: 3 }, /none of the formats/],
  ['version 1 of Ethereum', { ...keystore(), version: 1 }, /version is another than 3/],
  ['version 2 of xchain', { ...keystore(), version: 2, meta: 'xchain-keystore' }, /version 1/],
  ['argon2id of 2 GiB', cosmjs({ memLimitKib: 2 ** 21 }), /2 GiB of memory or more/],
  ['argon2id of 2^33 passes', cosmjs({ memLimitKib: 8, opsLimit: 2 ** 33 }), /cannot be read/],
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

const armor = (kdfparams: string) =>
  [
    '-----BEGIN TENDERMINT PRIVATE KEY-----',
    'kdf: scrypt',
    `kdfparams: ${kdfparams}`,
    `salt: ${'AB'.repeat(16)}`,
    'type: secp256k1',
    '',
    'AAAA',
    '-----END TENDERMINT PRIVATE KEY-----',
  ].join('\n')

const ownFile = (kdf: object) =>
  encodeKey({
    format: 'swap.key/1',
    id: 'ab'.repeat(16),
    created_at: '2025-08-02T10:00:00.000Z',
    backup: 'checked',
    address: `thor1${'q'.repeat(38)}`,
    pubkey: `02${'ab'.repeat(32)}`,
    prefix: 'thor',
    hd_path: null,
    secret: 'private_key',
    kdf: { name: 'scrypt', n: 2 ** 20, r: 8, p: 1, salt: 'ab'.repeat(32), ...kdf },
    cipher: { name: 'aes-256-gcm', nonce: 'ab'.repeat(12) },
    sealed: 'ab'.repeat(48),
  }).toString()

/** What programs write. */
const usual: readonly (readonly [string, object | string])[] = [
  ["geth's scrypt", keystore()],
  ["eth-keyfile's scrypt", keystore({}, { ...scrypt, r: 1, p: 8 })],
  ["THORChain's pbkdf2", keystore({ kdf: 'pbkdf2' }, pbkdf2)],
  ["cosmjs' argon2id", cosmjs()],
  ["swap's highest scrypt cost", ownFile({})],
]

/** What none writes, with the time and the memory that it would take. */
const slow: readonly (readonly [string, object | string, RegExp])[] = [
  ['scrypt n=2^21 r=1 p=8', keystore({}, { ...scrypt, n: 2 ** 21, r: 1, p: 8 }), /50 s.* 268 MB/],
  ['scrypt of 1 GiB', keystore({}, { ...scrypt, n: 2 ** 20 }), /3 s .* 1074 MB/],
  ['scrypt with a great p', keystore({}, { ...scrypt, p: 100 }), /84 s .* 269 MB/],
  ['scrypt of an armored key', armor('n=524288,r=8,p=1,dklen=32'), /2 s .* 537 MB/],
  ['pbkdf2 of a billion', keystore({ kdf: 'pbkdf2' }, { ...pbkdf2, c: 1e9 }), /1000 s/],
  ['argon2id of 1.1 GB', cosmjs({ memLimitKib: 2 ** 20, opsLimit: 1 }), /3 s .* 1074 MB/],
  ['argon2id for hours', cosmjs({ opsLimit: 1_000_000 }), /9 hours/],
  ['a key file of ours with p=4', ownFile({ p: 4 }), /13 s .* 1074 MB/],
]

describe('a file to import', () => {
  for (const [what, file, why] of refused)
    test(`with ${what} is refused before anything is derived`, () => {
      assert.throws(
        () => recogniseKey(typeof file === 'string' ? file : JSON.stringify(file), 'auto'),
        (error) => {
          assert.ok(error instanceof InvalidKeyDocument, String(error))
          assert.match(error.message, why)
          return true
        },
      )
    })
  for (const [what, file] of usual)
    test(`${what} is opened without a flag`, () => {
      const { cost } = recogniseKey(typeof file === 'string' ? file : JSON.stringify(file), 'auto')
      assert.ok(cost)
      requireUsualCost('a file', cost, false)
    })
  for (const [what, file, why] of slow)
    test(`${what} is refused before deriving unless --allow-slow-kdf is given`, () => {
      const { cost } = recogniseKey(typeof file === 'string' ? file : JSON.stringify(file), 'auto')
      assert.ok(cost)
      assert.throws(
        () => requireUsualCost('a file', cost, false),
        (error) => {
          assert.ok(error instanceof SwapError)
          assert.equal(error.code, 'KEYFILE_INVALID')
          assert.match(error.why ?? '', why)
          assert.match(error.hint ?? '', /--allow-slow-kdf/)
          return true
        },
      )
      requireUsualCost('a file', cost, true)
    })
  test('is refused with an error of this program that repeats none of its contents', () => {
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
          recogniseKey(text, format)
        } catch (error) {
          assert.ok(error instanceof InvalidKeyDocument, String(error))
          assert.ok(!error.message.includes(canary))
        }
      }),
      runs(300),
    )
  })
})
