import assert from 'node:assert/strict'
import { createHash, randomBytes, scryptSync } from 'node:crypto'
import { chacha20poly1305 } from '@noble/ciphers/chacha'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa'
import bcrypt from 'bcryptjs'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { KeyfileInvalid } from '../../../src/wallet/errors.js'
import {
  bcryptKey,
  protectionOf,
  readArmor,
  readCosmosArmor,
  writeArmor,
  writeCosmosArmor,
} from '../../../src/wallet/formats/cosmos-armor.js'
import { recogniseKey } from '../../../src/wallet/formats/recognise.js'
import { requireUsualCost } from '../../../src/wallet/keyfile/kdf-cost.js'
import { InvalidKeyDocument } from '../../../src/wallet/keyfile/key-document.js'
import { DecryptionFailed } from '../../../src/wallet/keyfile/seal.js'
import { runs, TIMES } from '../../support/books.js'
import { longTest } from '../../support/long.js'
import { argon2idAsync } from '../../support/remembered-argon2.js'
import { mnemonicSecret, PASSWORD, rawSecret } from '../keyring.js'

/** An export of the Cosmos SDK itself, out of its own tests, which run bcrypt at a cost of 10. */
const FROM_SDK = `-----BEGIN TENDERMINT PRIVATE KEY-----
kdf: bcrypt
salt: 6BC5D5187F9DF241E1A1243EECFF9C17
type: secp256k1

GDPpPfrSVZloiwufbal19fmd75QeiqwToZ949SwmnxxM03qL75xXVf3tTD/BrF4l
Fs14HuhwntDBM2xgZvymTBk2edHlEI20Phv6oC0=
=/zZh
-----END TENDERMINT PRIVATE KEY-----`
const SDK_PASSPHRASE = 'this passphrase has been used for all test vectors'

/** An export of a chain with a newer SDK and keys of another curve; the passphrase is its name. */
const FROM_INJECTIVE = `-----BEGIN TENDERMINT PRIVATE KEY-----
kdf: argon2
salt: 9525DF03818AE3105B1BDC2FED00341E
type: eth_secp256k1

9w/BPDJ2YZOHxbaP1zK+uZad6EZEjYIkmVNUPnEA7mtxPK1/lYX6td3zPovIui5V
k4o89FU=
=WJit
-----END TENDERMINT PRIVATE KEY-----`

const AMINO = Buffer.from('e1b0f79b20', 'hex')
const inside = Buffer.concat([AMINO, rawSecret().bytes])
const salt = Buffer.from('00112233445566778899aabbccddeeff', 'hex')

const argonKey = await argon2idAsync(PASSWORD, salt, { t: 1, m: 65536, p: 4, dkLen: 32 })

/** The three ways of the published format, put together here from their definitions. */
const built = {
  bcrypt: () => {
    const setting = `$2a$12$${bcrypt.encodeBase64([...salt] as never, 16)}`
    const hash = bcrypt.hashSync(PASSWORD.toString(), setting)
    const key = createHash('sha256').update(hash).digest()
    const nonce = randomBytes(24)
    return armored({ kdf: 'bcrypt' }, Buffer.concat([nonce, box(key, nonce)]))
  },
  argon2: () => {
    return armored(
      { kdf: 'argon2' },
      chacha20poly1305(argonKey, new Uint8Array(12)).encrypt(inside),
    )
  },
  scrypt: () => {
    const key = scryptSync(PASSWORD, salt, 32, { N: 32768, r: 8, p: 1, maxmem: 2 ** 26 })
    const nonce = randomBytes(24)
    const headers = { kdf: 'scrypt', kdfparams: 'n=32768,r=8,p=1,dklen=32' }
    return armored(headers, Buffer.concat([nonce, box(key, nonce)]))
  },
}

const box = (key: Uint8Array, nonce: Uint8Array) => xsalsa20poly1305(key, nonce).encrypt(inside)

const armored = (headers: Record<string, string>, body: Uint8Array, type = 'secp256k1') =>
  writeArmor({
    type: 'TENDERMINT PRIVATE KEY',
    headers: new Map(
      Object.entries({ ...headers, salt: salt.toString('hex').toUpperCase(), type }),
    ),
    body: Buffer.from(body),
  })

describe('a Cosmos armored key', () => {
  test('of the SDK itself is opened with the derived key', async () => {
    assert.equal(recogniseKey(FROM_SDK, 'auto').description, 'Cosmos armored key, bcrypt cost 12')
    const { body, headers } = readArmor(FROM_SDK)
    const given = Buffer.from(headers.get('salt') ?? '', 'hex')
    const key = await bcryptKey(Buffer.from(SDK_PASSPHRASE), given, 10)
    const opened = xsalsa20poly1305(key, body.subarray(0, 24)).decrypt(body.subarray(24))
    assert.deepEqual(Buffer.from(opened.subarray(0, 5)), AMINO)
    assert.equal(opened.length, 37)
  })
  longTest('of a newer SDK is opened, and refused for its curve', async () => {
    const opened = await protectionOf(readArmor(FROM_INJECTIVE)).open(
      Buffer.from('injective'),
      readArmor(FROM_INJECTIVE).body,
    )
    assert.equal(opened.length, 37)
    assert.equal(opened[4], 32)
    assert.throws(() => recogniseKey(FROM_INJECTIVE, 'auto'), /another than secp256k1/)
  })
  for (const [kdf, make] of Object.entries(built))
    test(`with ${kdf}, as the format is published, is opened`, async () => {
      const key = readCosmosArmor(make())
      assert.deepEqual((await key.open(PASSWORD)).secret, rawSecret())
      // Of bcrypt and argon2 each derivation takes a second.
      if (kdf === 'scrypt' || TIMES > 1)
        await assert.rejects(key.open(Buffer.from('another')), DecryptionFailed)
    })
  test('written by this program is opened again, and has the headers of the SDK', async () => {
    const privateKey = rawSecret().bytes
    const made = { secret: mnemonicSecret(), privateKey, hdPath: 'm/0', prefix: 'thor' }
    const text = await writeCosmosArmor(made, PASSWORD)
    assert.deepEqual([...readArmor(text).headers.keys()], ['kdf', 'salt', 'type'])
    assert.deepEqual((await readCosmosArmor(text).open(PASSWORD)).secret, rawSecret())
  })
  test('may be surrounded by text, and have line ends of Windows', async () => {
    const text = `Enter passphrase:\r\n${FROM_SDK.replaceAll('\n', '\r\n')}\r\nbye`
    assert.equal(readArmor(text).body.length, 24 + 16 + 37)
  })
  test('that contains no key is refused as such, not as a wrong password', async () => {
    const other = Buffer.concat([Buffer.from('e1b0f79b21', 'hex'), rawSecret().bytes])
    const body = chacha20poly1305(argonKey, new Uint8Array(12)).encrypt(other)
    await assert.rejects(
      readCosmosArmor(armored({ kdf: 'argon2' }, body)).open(PASSWORD),
      /the password opens it, and what is inside is not a private key of secp256k1/,
    )
  })

  const body = Buffer.alloc(77)
  const refused: readonly (readonly [string, string, RegExp])[] = [
    [
      'of another curve',
      armored({ kdf: 'argon2' }, body, 'eth_secp256k1'),
      /another than secp256k1/,
    ],
    ['with an unknown kdf', armored({ kdf: 'md5' }, body), /none of bcrypt/],
    ['without a kdf', armored({}, body), /none of bcrypt/],
    [
      'that asks for a terabyte',
      armored({ kdf: 'scrypt', kdfparams: 'n=536870912,r=8,p=1,dklen=32' }, body),
      /2 GiB of memory or more/,
    ],
    [
      'with parameters that are none',
      armored({ kdf: 'scrypt', kdfparams: 'n=1000,r=8,p=1,dklen=32' }, body),
      /cannot be read/,
    ],
    ['that is a public key', FROM_SDK.replaceAll('PRIVATE', 'PUBLIC'), /not a TENDERMINT PRIVATE/],
    ['that was cut', FROM_SDK.slice(0, -20), /BEGIN and END/],
    ['with another letter in it', FROM_SDK.replace('GDPp', 'GDPq'), /checksum/],
    ['with a short salt', FROM_SDK.replace('6BC5', '6B'), /salt/],
    ['with a header that is none', FROM_SDK.replace('kdf: ', 'kdf:'), /headers/],
    ['that is not base64', FROM_SDK.replace('GDPp', '????'), /base64/],
  ]
  for (const [what, text, why] of refused)
    test(`${what} is refused before anything is derived`, () => {
      assert.throws(
        () => recogniseKey(text, 'armor'),
        (error) => {
          assert.ok(error instanceof InvalidKeyDocument)
          assert.match(error.message, why)
          return true
        },
      )
    })

  test('that takes minutes to derive is refused unless --allow-slow-kdf is given', () => {
    const kdfparams = 'n=1024,r=8,p=100000,dklen=32'
    const { cost } = recogniseKey(armored({ kdf: 'scrypt', kdfparams }, body), 'armor')
    assert.ok(cost)
    assert.throws(() => requireUsualCost('file', cost, false), KeyfileInvalid)
    requireUsualCost('file', cost, true)
  })
})

test('armor is decoded to the bytes that were encoded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
      const armor = { type: 'A B', headers: new Map([['a', 'b: c']]), body: Buffer.from(bytes) }
      assert.deepEqual(readArmor(writeArmor(armor)), armor)
    }),
    runs(50),
  )
})
