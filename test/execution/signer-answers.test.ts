import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Secp256k1 } from '@cosmjs/crypto'
import { describe, test } from 'vitest'
import { signBytesOf } from '../../src/chain/tx/decode-sign-doc.js'
import { signatureFits } from '../../src/execution/request-signature.js'
import { DEMO } from '../../src/wallet/demo-key.js'
import type { SignRequest } from '../../src/wallet/signing/protocol.js'
import {
  answer,
  answering,
  bytesOf,
  draft,
  failed,
  isAmino,
  otherKey,
  otherSecret,
  publicKey,
  sign,
  signed,
} from './external-signer.js'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const withSignature = (bytes: Uint8Array) => ({ signature: Buffer.from(bytes).toString('base64') })
const bitOf = (at: number) => (request: SignRequest) => {
  const changed = signed(bytesOf(request))
  changed[at] = changed[at]! ^ 1
  return answer(request, withSignature(changed))
}
const scalar = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const s = (signature: Buffer): bigint => BigInt(`0x${signature.toString('hex', 32)}`)

const other = Buffer.from(otherKey).toString('base64')
const publicKeyText = Buffer.from(publicKey).toString('base64')
const der = (signature: Buffer): Uint8Array => {
  const [R, S] = [signature.subarray(0, 32), signature.subarray(32)].map((part) =>
    part[0]! > 0x7f ? Buffer.concat([Buffer.of(0), part]) : part,
  )
  const parts = [Buffer.of(2, R!.length), R!, Buffer.of(2, S!.length), S!]
  return Buffer.concat([Buffer.of(0x30, R!.length + S!.length + 4), ...parts])
}

/** What a signer may answer wrongly, and what is said of it. */
const ANSWERS: readonly (readonly [
  string,
  (request: SignRequest) => string | Uint8Array,
  RegExp,
])[] = [
  ['a bit of r changed', bitOf(5), /not valid for these bytes/],
  ['a bit of s changed', bitOf(60), /not valid for these bytes/],
  [
    'the key of another account and its signature',
    (request) =>
      answer(request, {
        public_key: other,
        ...withSignature(signed(bytesOf(request), otherSecret)),
      }),
    /its key is that of demo1/,
  ],
  [
    'the signature of another key',
    (request) => answer(request, withSignature(signed(bytesOf(request), otherSecret))),
    /not valid/,
  ],
  ['its document twice', (request) => `${answer(request)}\n${answer(request)}`, /not one JSON/],
  ['nothing', () => '', /answered nothing/],
  ['garbage', () => Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256), /not one JSON/],
  ['bytes that are no UTF-8', () => Buffer.from([0x22, 0xff, 0x22]), /not one JSON/],
  ['a list', (request) => `[${answer(request)}]`, /not one JSON/],
  ['null', () => 'null', /not one JSON/],
  ['half of its document', (request) => answer(request).slice(0, 80), /not one JSON/],
  ['text behind its document', (request) => `${answer(request)} done`, /not one JSON/],
  ['no public key', (request) => answer(request, { public_key: undefined }), /public_key is not/],
  ['no signature', (request) => answer(request, { signature: undefined }), /signature is not/],
  [
    'a number in place of the signature',
    (request) => answer(request, { signature: 7 }),
    /is not r/,
  ],
  [
    'a public key of 65 bytes',
    (request) =>
      answer(request, {
        public_key: Buffer.from(Secp256k1.uncompressPubkey(publicKey)).toString('base64'),
      }),
    /33 bytes/,
  ],
  [
    'a public key in hexadecimal',
    (request) => answer(request, { public_key: DEMO.publicKey }),
    /33 bytes/,
  ],
  [
    'a public key that is no point',
    (request) => answer(request, { public_key: Buffer.alloc(33, 2).toString('base64') }),
    /its key is that of/,
  ],
  [
    'its signature in hexadecimal',
    (request) => answer(request, { signature: signed(bytesOf(request)).toString('hex') }),
    /64 bytes in base64/,
  ],
  [
    'a letter that is skipped in its public key',
    (request) => answer(request, { public_key: `*${publicKeyText}` }),
    /33 bytes/,
  ],
  [
    'bits behind its signature that are not zero',
    (request) =>
      answer(request, {
        signature: signed(bytesOf(request)).toString('base64').replace(/.==$/, 'x=='),
      }),
    /64 bytes in base64$/,
  ],
  [
    'DER in place of r and s',
    (request) => answer(request, withSignature(der(signed(bytesOf(request))))),
    /this one is DER/,
  ],
  [
    'a recovery byte behind r and s',
    (request) =>
      answer(request, withSignature(Buffer.concat([signed(bytesOf(request)), Buffer.of(1)]))),
    /64 bytes/,
  ],
  [
    'a high s',
    (request) => {
      const made = signed(bytesOf(request))
      return answer(
        request,
        withSignature(Buffer.concat([made.subarray(0, 32), scalar(ORDER - s(made))])),
      )
    },
    /high s/,
  ],
  [
    'r of 0',
    (request) =>
      answer(
        request,
        withSignature(Buffer.concat([Buffer.alloc(32), signed(bytesOf(request)).subarray(32)])),
      ),
    /not valid/,
  ],
  [
    's of 0',
    (request) =>
      answer(
        request,
        withSignature(Buffer.concat([signed(bytesOf(request)).subarray(0, 32), Buffer.alloc(32)])),
      ),
    /not valid/,
  ],
  [
    'r of the order',
    (request) =>
      answer(
        request,
        withSignature(Buffer.concat([scalar(ORDER), signed(bytesOf(request)).subarray(32)])),
      ),
    /not valid/,
  ],
  [
    'the signature of the digest of the digest',
    (request) =>
      answer(
        request,
        withSignature(signed(createHash('sha256').update(bytesOf(request)).digest())),
      ),
    /not valid/,
  ],
  [
    'the signature of the base64 text',
    (request) => answer(request, withSignature(signed(Buffer.from(request.sign_bytes)))),
    /not valid/,
  ],
  [
    'the signature of another sequence',
    (request) =>
      answer(
        request,
        withSignature(signed(signBytesOf({ ...draft, isAmino: isAmino(request), sequence: 13n }))),
      ),
    /not valid/,
  ],
  [
    'the signature for another chain',
    (request) =>
      answer(
        request,
        withSignature(
          signed(signBytesOf({ ...draft, isAmino: isAmino(request), chainId: 'thorchain-1' })),
        ),
      ),
    /not valid/,
  ],
  [
    'the signature of the other sign mode',
    (request) =>
      answer(request, withSignature(signed(signBytesOf({ ...draft, isAmino: !isAmino(request) })))),
    /not valid/,
  ],
  [
    'another sign mode',
    (request) => answer(request, { sign_mode: isAmino(request) ? 'direct' : 'amino' }),
    /another mode/,
  ],
  [
    'a transaction of its own',
    (request) => answer(request, { signed: { fee: { gas: '1' } } }),
    /a member signed/,
  ],
]

describe('the answer of a signer', () => {
  test('is tested with more than thirty wrong answers', () => assert.ok(ANSWERS.length >= 30))

  for (const mode of [false, true]) {
    const tx = { ...draft, isAmino: mode }
    test(`is accepted where it is correct, ${mode ? 'in Amino JSON' : 'over the bytes'}`, async () => {
      const made = await sign(
        answering((request) => answer(request, { sign_mode: request.sign_mode })),
        tx,
      )
      const { isAmino: _, ...direct } = tx
      const { signature, ...content } = made
      assert.deepEqual(
        { ...content, publicKey: Buffer.from(content.publicKey) },
        mode ? { ...tx, calls: content.calls } : direct,
      )
      assert.ok(signatureFits(publicKey, signBytesOf(tx), signature))
    })
    for (const [what, made, why] of ANSWERS)
      test(`is refused with ${what}, ${mode ? 'in Amino JSON' : 'over the bytes'}`, () =>
        assert.rejects(sign(answering(made), tx), failed(why)))
  }
})
