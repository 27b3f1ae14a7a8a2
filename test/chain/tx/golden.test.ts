import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { aminoSignBytes } from '../../../src/chain/tx/amino.js'
import { decodeSignDoc } from '../../../src/chain/tx/decode-sign-doc.js'
import { decodeTx } from '../../../src/chain/tx/decode-tx.js'
import {
  authInfoBytesOf,
  bodyBytesOf,
  signDocOf,
  signedBytesOf,
} from '../../../src/chain/tx/draft.js'
import { isSdkTx, readSdkTx, signedJson, unsignedJson } from '../../../src/chain/tx/sdk-json.js'
import { type Draft, signHashOf, txHashOf } from '../../../src/chain/tx/unsigned-tx.js'
import type { SwapError } from '../../../src/engine/errors.js'
import { signatureFits } from '../../../src/execution/request-signature.js'
import { addressOf } from '../../../src/wallet/address.js'
import { readJson } from '../../support/vectors.js'

type Golden = Readonly<Record<string, string>> & {
  readonly fee: readonly { readonly denom: string; readonly amount: string }[]
}
const golden = readJson<Golden>('signing_golden_mainnet.json')

const draft: Draft = {
  chainId: golden['chain_id']!,
  accountNumber: BigInt(golden['account_number']!),
  sequence: BigInt(golden['sequence']!),
  sender: golden['sender']!,
  publicKey: Uint8Array.from(Buffer.from(golden['pubkey_base64']!, 'base64')),
  calls: [
    {
      contract: 'thor1efrmwk6fzhaugu056mz3nkq4vl0fgpfacm3gp6fhgrdkm4q8rrmsd5a6r5',
      message: golden['msg_json_utf8']!,
      funds: [
        { denom: 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', amount: 8_000_000_000n },
      ],
    },
  ],
  memo: golden['memo']!,
  timeoutHeight: 0n,
  fee: [{ denom: 'rune', amount: 0n }],
  gasLimit: 400_000n,
}
const signature = Buffer.from(golden['signature_base64']!, 'base64')
const signDoc = signDocOf(draft)
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('a rebuilt mainnet transaction', () => {
  test('has the same body bytes', () =>
    assert.equal(hex(bodyBytesOf(draft)), golden['body_bytes_hex']))

  test('has the same auth info bytes', () =>
    assert.equal(hex(authInfoBytesOf(draft)), golden['auth_info_bytes_hex']))

  test('has the same sign bytes and digest', () => {
    assert.equal(hex(signDoc), golden['sign_doc_hex'])
    assert.equal(signHashOf(signDoc), golden['sign_doc_sha256'])
  })

  test('has the same bytes and hash', () => {
    const bytes = signedBytesOf({ ...draft, signature })
    assert.equal(Buffer.from(bytes).toString('base64'), golden['tx_raw_base64'])
    assert.equal(txHashOf(bytes), golden['tx_hash'])
  })

  test('verifies with the recorded signature, and with no other', () => {
    assert.ok(signatureFits(draft.publicKey, signDoc, signature))
    const other = signDocOf({ ...draft, sequence: draft.sequence + 1n })
    assert.ok(!signatureFits(draft.publicKey, other, signature))
  })

  test('is refused with the high-S form of its signature, as on chains', () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = BigInt(`0x${signature.subarray(32).toString('hex')}`)
    const high = (order - s).toString(16).padStart(64, '0')
    const highS = Buffer.concat([signature.subarray(0, 32), Buffer.from(high, 'hex')])
    assert.ok(!signatureFits(draft.publicKey, signDoc, highS))
  })

  test('has the address of its key as sender', () =>
    assert.equal(addressOf(draft.publicKey, 'thor'), golden['sender']))

  test('is decoded to the members it was built from', () => {
    assert.deepEqual(decodeSignDoc(signDoc), draft)
    const { chainId: _, accountNumber: __, ...content } = draft
    const raw = Buffer.from(golden['tx_raw_base64']!, 'base64')
    assert.deepEqual(decodeTx(raw), { ...content, signature: Uint8Array.from(signature) })
  })

  test('has sorted members and escaped HTML characters in Amino JSON', () => {
    const [call] = draft.calls
    const message = '{"b":{"z":"1","a":["<&>"]},"a":null}'
    const bytes = aminoSignBytes({ ...draft, timeoutHeight: 7n, calls: [{ ...call!, message }] })
    assert.equal(
      Buffer.from(bytes).toString(),
      `{"account_number":"${draft.accountNumber}","chain_id":"${draft.chainId}",` +
        '"fee":{"amount":[{"amount":"0","denom":"rune"}],"gas":"400000"},' +
        `"memo":"${draft.memo}","msgs":[{"type":"wasm/MsgExecuteContract","value":` +
        `{"contract":"${call!.contract}","funds":[{"amount":"8000000000",` +
        `"denom":"${call!.funds[0]!.denom}"}],"msg":{"a":null,"b":{"a":["\\u003c\\u0026\\u003e"],` +
        `"z":"1"}},"sender":"${draft.sender}"}}],"sequence":"${draft.sequence}","timeout_height":"7"}`,
    )
  })

  test('is refused with numbers that cosmjs would round', () => {
    for (const member of ['accountNumber', 'sequence', 'gasLimit'] as const) {
      assert.ok(signDocOf({ ...draft, [member]: 2n ** 53n - 1n }))
      assert.throws(() => signDocOf({ ...draft, [member]: 2n ** 53n }), { code: 'INVALID_REQUEST' })
    }
  })

  test("is read from the SDK's JSON, signed and unsigned", () => {
    const unsigned = JSON.parse(JSON.stringify(unsignedJson(draft)))
    assert.ok(isSdkTx(unsigned))
    const { sender, calls, memo, timeoutHeight, fee, gasLimit } = draft
    assert.deepEqual(readSdkTx(unsigned), { sender, calls, memo, timeoutHeight, fee, gasLimit })
    const signed = readSdkTx(JSON.parse(JSON.stringify(signedJson({ ...draft, signature }))))
    assert.equal(hex(signed.signature!), hex(signature))
    assert.equal(signed.sequence, draft.sequence)
    assert.equal(signed.isAmino, undefined)
    const amino = { ...draft, signature, isAmino: true }
    assert.equal(readSdkTx(JSON.parse(JSON.stringify(signedJson(amino)))).isAmino, true)
  })
})

describe('transaction bytes in another encoding', () => {
  const variants: readonly (readonly [string, Uint8Array])[] = [
    ['an unknown field at the end', Buffer.concat([signDoc, Buffer.from('2a03616263', 'hex')])],
    ['half of it', signDoc.subarray(0, 100)],
    ['nothing', new Uint8Array()],
    ['zeros', new Uint8Array(64)],
  ]
  for (const [title, bytes] of variants)
    test(`with ${title} are refused`, () =>
      assert.throws(() => decodeSignDoc(bytes), { code: 'INVALID_REQUEST' }))

  test('are detected for every single byte that is cut or changed', () => {
    for (let at = 0; at < signDoc.length; at += 1) {
      const cut = Buffer.concat([signDoc.subarray(0, at), signDoc.subarray(at + 1)])
      const changed = Buffer.from(signDoc)
      changed[at] = changed[at]! ^ 0x55
      for (const bytes of [cut, changed]) {
        let same = false
        try {
          // Bytes that can be decoded must give another transaction.
          same = JSON.stringify(decodeSignDoc(bytes), big) === JSON.stringify(draft, big)
        } catch {}
        assert.ok(!same, `byte ${at}`)
      }
    }
  })
})

const big = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

describe('a JSON transaction of another form', () => {
  const good = unsignedJson(draft) as {
    readonly body: { readonly messages: readonly object[] }
    readonly auth_info: { readonly fee: object }
  }
  const body = (own: object) => ({ ...good, body: { ...good.body, ...own } })
  const info = (own: object) => ({ ...good, auth_info: { ...good.auth_info, ...own } })
  const [message] = good.body.messages
  const sent = (...own: readonly object[]) =>
    body({ messages: own.map((members) => ({ ...message, ...members })) })
  const bad: readonly (readonly [string, object, string])[] = [
    ['another message', sent({ '@type': '/x' }), '/body/messages/0/@type'],
    [
      'another message with its members',
      sent({ '@type': '/x', more: 1 }),
      '/body/messages/0/@type',
    ],
    ['another member of a message', sent({ more: 1 }), '/body/messages/0/more'],
    [
      'another member of an attached coin',
      sent({ funds: [{ denom: 'rune', amount: '1', more: 1 }] }),
      '/body/messages/0/funds/0/more',
    ],
    ['a second sender', sent({}, { sender: 'thor1x' }), '/body/messages/1'],
    ['a text as message', sent({ msg: '{}' }), '/body/messages/0/msg'],
    ['null as message', sent({ msg: null }), '/body/messages/0/msg'],
    ['no message', body({ messages: [] }), '/body/messages'],
    ['half of a surrogate pair as memo', body({ memo: 'a\ud800' }), '/body/memo'],
    ['half of a surrogate pair', sent({ contract: '\udc00' }), '/body/messages/0/contract'],
    ['an extension', body({ extension_options: [{}] }), '/body/extension_options'],
    ['an unknown member', body({ surprise: 1 }), '/body/surprise'],
    ['an unordered one', body({ unordered: true }), '/body/unordered'],
    ['a timeout of 2^64', body({ timeout_height: `${2n ** 64n}` }), '/body/timeout_height'],
    ['a letter before a timeout', body({ timeout_height: 'x1' }), '/body/timeout_height'],
    ['a letter after a timeout', body({ timeout_height: '1x' }), '/body/timeout_height'],
    ['a tip', info({ tip: { amount: [] } }), '/auth_info/tip'],
    [
      'another member of a coin of the fee',
      info({ fee: { ...good.auth_info.fee, amount: [{ denom: 'rune', amount: '1', more: 1 }] } }),
      '/auth_info/fee/amount/0/more',
    ],
    ['a payer', info({ fee: { ...good.auth_info.fee, payer: 'x' } }), '/auth_info/fee/payer'],
    [
      'a key of several signers',
      {
        ...info({ signer_infos: [{ public_key: { '@type': '/x', threshold: 2 } }] }),
        signatures: ['AAAA'],
      },
      '/auth_info/signer_infos/0/public_key',
    ],
    ['a signature without a signer', { ...good, signatures: ['AAAA'] }, '/signatures'],
  ]
  for (const [title, document, pointer] of bad)
    test(`with ${title} is refused`, () => {
      assert.throws(
        () => readSdkTx(document),
        ({ code, why, members }: SwapError) => {
          const errors = [{ pointer, detail: `${why}`.slice(pointer.length + 1) }]
          assert.deepEqual({ code, members }, { code: 'INVALID_REQUEST', members: { errors } })
          return true
        },
      )
    })

  test('is read where members that must be empty are false, or a number is the last one', () => {
    const { timeoutHeight } = readSdkTx(
      body({ unordered: false, timeout_height: `${2n ** 64n - 1n}` }),
    )
    assert.equal(timeoutHeight, 2n ** 64n - 1n)
  })

  test('is not taken for one of the SDK without its three members', () => {
    const { signatures, ...unsigned } = good as { readonly signatures?: unknown }
    const others = [null, 'body', unsigned, { ...unsigned, body: undefined }, { signatures }]
    for (const document of [...others, { body: 1, signatures }, { auth_info: 1, signatures }])
      assert.equal(isSdkTx(document), false, JSON.stringify(document))
  })
})

describe('a signed JSON transaction', () => {
  const good = JSON.stringify(signedJson({ ...draft, signature }))
  const [key, sealed] = [draft.publicKey, signature].map((bytes) =>
    Buffer.from(bytes!).toString('base64'),
  )
  const signerOf = (text: string) =>
    text.slice(text.indexOf('{"public_key"'), text.indexOf('],"fee"'))
  const malformed = Buffer.from([5, ...draft.publicKey.subarray(1)]).toString('base64')
  const short = Buffer.from(signature.subarray(0, 63)).toString('base64')
  const bad: readonly (readonly [string, string])[] = [
    ['a key that begins with the byte 5', good.replace(key!, malformed)],
    ['a key of another kind', good.replace('secp256k1', 'ed25519')],
    ['another member of the signer', good.replace('"mode_info"', '"more":1,"mode_info"')],
    ['another member of the key', good.replace('"key"', '"more":1,"key"')],
    ['another mode', good.replace('"single"', '"multi":{},"single"')],
    ['a textual mode', good.replace('SIGN_MODE_DIRECT', 'SIGN_MODE_TEXTUAL')],
    ['another member of the mode', good.replace('"mode"', '"more":1,"mode"')],
    ['a key with a blank', good.replace(key!, `${key} `)],
    ['a signature with a letter that is skipped', good.replace(sealed!, `*${sealed}`)],
    ['a signature of 63 bytes', good.replace(sealed!, short)],
    ['a second signature', good.replace(`"${sealed}"`, `"${sealed}","${sealed}"`)],
    ['a second signer', good.replace(signerOf(good), `${signerOf(good)},${signerOf(good)}`)],
    ['a signer alone', good.replace(`"${sealed}"`, '')],
  ]
  for (const [title, text] of bad)
    test(`with ${title} is refused`, () => {
      assert.notEqual(text, good)
      assert.throws(() => readSdkTx(JSON.parse(text)), { code: 'INVALID_REQUEST' })
    })
})
