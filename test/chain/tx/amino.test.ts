import assert from 'node:assert/strict'
import { makeSignDoc, Secp256k1Wallet, serializeSignDoc } from '@cosmjs/amino'
import { createWasmAminoConverters } from '@cosmjs/cosmwasm-stargate'
import { AminoTypes } from '@cosmjs/stargate'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { aminoSignBytes } from '../../../src/chain/tx/amino.js'
import { decodeAminoSignBytes, decodeSignDoc, decodeTx } from '../../../src/chain/tx/decode.js'
import { signDocOf, signedBytesOf } from '../../../src/chain/tx/draft.js'
import { txHashOf } from '../../../src/chain/tx/hash.js'
import { readSdkTx, signedJson } from '../../../src/chain/tx/sdk-json.js'
import type { Draft } from '../../../src/chain/tx/unsigned-tx.js'
import { codecOf, signatureFits } from '../../../src/compose/execution/codec.js'
import { decodeTx as decodeOnChain } from '../../../src/demo-chain/tx/decode.js'
import { signBytes } from '../../../src/demo-chain/tx/verify.js'
import { runs } from '../../support/books.js'
import { readJson } from '../../support/vectors.js'

type Claim = {
  readonly [name in
    | 'tx_hash'
    | 'chain_id'
    | 'sender'
    | 'contract'
    | 'memo'
    | 'public_key_base64'
    | 'sequence'
    | 'signature_base64']: string
} & {
  readonly msg: object
  readonly fee: {
    readonly amount: readonly [{ readonly denom: string; readonly amount: string }]
    readonly gas: string
  }
}
const claim = readJson<Claim>('order_claim_mainnet.json')
const signature = Uint8Array.from(Buffer.from(claim.signature_base64, 'base64'))
const [fee] = claim.fee.amount
const draft: Draft = {
  chainId: claim.chain_id,
  // The account's number is not in a transaction.
  accountNumber: 7n,
  sequence: BigInt(claim.sequence),
  sender: claim.sender,
  publicKey: Uint8Array.from(Buffer.from(claim.public_key_base64, 'base64')),
  calls: [{ contract: claim.contract, message: JSON.stringify(claim.msg), funds: [] }],
  memo: claim.memo,
  timeoutHeight: 0n,
  fee: [{ denom: fee.denom, amount: BigInt(fee.amount) }],
  gasLimit: BigInt(claim.fee.gas),
  isAmino: true,
}
const codec = codecOf('thor')

describe('the claim of an order that was signed in Amino JSON on mainnet', () => {
  const { chainId: _, accountNumber: __, ...content } = draft

  test('is rebuilt to its recorded hash', () => {
    assert.equal(txHashOf(signedBytesOf({ ...draft, signature })), claim.tx_hash)
    assert.equal(codec.seal({ ...draft, signature }).hash, claim.tx_hash)
  })

  test('is decoded to the members it was built from, and to the same hash through the JSON of the SDK', () => {
    const decoded = decodeTx(signedBytesOf({ ...draft, signature }))
    assert.deepEqual(decoded, { ...content, signature })
    const { publicKey, sequence, ...read } = readSdkTx(
      JSON.parse(JSON.stringify(signedJson(decoded))),
    )
    const again = { ...read, publicKey: publicKey!, sequence: sequence!, signature }
    assert.equal(txHashOf(signedBytesOf(again)), claim.tx_hash)
  })

  test('has another hash if the sign mode is that of the bytes', () =>
    assert.notEqual(
      txHashOf(signedBytesOf({ ...draft, signature, isAmino: false })),
      claim.tx_hash,
    ))
})

const types = new AminoTypes(createWasmAminoConverters())

/** The sign bytes that cosmjs makes of the message's bytes, with the two escapes of Go that it lacks. */
function bytesOfCosmjs(tx: Draft): Uint8Array {
  const coins = (all: Draft['fee']) =>
    all.map(({ denom, amount }) => ({ denom, amount: `${amount}` }))
  const msgs = tx.calls.map(({ contract, message, funds }) =>
    types.toAmino({
      typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract',
      value: { sender: tx.sender, contract, msg: Buffer.from(message), funds: coins(funds) },
    }),
  )
  const document = makeSignDoc(
    msgs,
    { amount: coins(tx.fee), gas: `${tx.gasLimit}` },
    tx.chainId,
    tx.memo,
    `${tx.accountNumber}`,
    `${tx.sequence}`,
    tx.timeoutHeight,
  )
  const text = Buffer.from(serializeSignDoc(document)).toString()
  return Buffer.from(text.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029'))
}

const record = ((model: object) =>
  fc.record(model, { noNullPrototype: true })) as unknown as typeof fc.record
const wellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('', '<>&', '\u2028\u2029', '"\\\n', 'ü😀', '</script>', '\u0000\u007f'),
  )
  .filter(wellFormed)
const uint128 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n })
const uint53 = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n })
const denom = fc.constantFrom('rune', 'btc-btc', 'x/ruji')
const coin = record({ denom, amount: uint128 })

/** The message of a swap through the router, as `messageOf` makes it. */
const swapMessage = fc
  .record({
    stages: fc.array(record({ address: text, denom }), { maxLength: 4 }),
    min: record({ denom, amount: uint128.map(String) }),
    recipient: fc.option(text, { nil: undefined }),
    affiliate: fc.option(text, { nil: undefined }),
  })
  .map(({ stages, min, recipient, affiliate }) => ({
    swap: {
      stages,
      min_return: min,
      ...(recipient !== undefined && { recipient }),
      ...(affiliate !== undefined && { affiliate_code: affiliate }),
    },
  }))
const price = fc.oneof(
  text.map((fixed) => ({ fixed })),
  fc.integer({ min: -32_768, max: 32_767 }).map((oracle) => ({ oracle })),
)
const side = fc.constantFrom('base', 'quote')
const amount = fc.option(uint128.map(String), { nil: null })
const orderMessage = fc
  .array(fc.tuple(side, price, amount), { maxLength: 4 })
  .map((entries) => ({ order: [entries, null] }))

const name = text.filter((key) => !/^\d+$/.test(key) && key !== '__proto__')
/** Any message, with empty members at every level. */
const anyMessage = fc.dictionary(
  name,
  fc.letrec((tie) => ({
    value: fc.oneof(
      text,
      fc.maxSafeInteger().map((value) => (value === 0 ? 0 : value)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    ),
  })).value,
  { maxKeys: 4 },
)
const anyDraft: fc.Arbitrary<Draft> = record({
  chainId: text,
  accountNumber: uint53,
  sequence: uint53,
  sender: fc.constant(draft.sender),
  publicKey: fc.constant(draft.publicKey),
  calls: fc.array(
    record({
      contract: fc.constant(draft.calls[0]!.contract),
      message: fc
        .oneof(swapMessage, orderMessage, anyMessage)
        .map((value) => JSON.stringify(value)),
      funds: fc.array(coin, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  memo: text,
  timeoutHeight: uint53,
  fee: fc.array(coin, { maxLength: 2 }),
  gasLimit: uint53,
  isAmino: fc.constant(true),
})

describe('Amino sign bytes', () => {
  test('are those of cosmjs for swaps, orders and any other message', () => {
    fc.assert(
      fc.property(anyDraft, (tx) => {
        assert.deepEqual(Buffer.from(aminoSignBytes(tx)), Buffer.from(bytesOfCosmjs(tx)))
      }),
      runs(200),
    )
  })

  test('are decoded to what they were built from, in a sorted message, in either mode', () => {
    fc.assert(
      fc.property(anyDraft, (tx) => {
        const bytes = codec.encode(tx)
        const decoded = codec.decode(bytes, tx.publicKey)
        assert.deepEqual(codec.encode(decoded), bytes)
        const parsed = ({ calls, ...rest }: Draft) => ({
          ...rest,
          calls: calls.map((call) => ({ ...call, message: JSON.parse(call.message) })),
        })
        assert.deepEqual(parsed(decoded), parsed(tx))
        const { isAmino: _, ...direct } = tx
        assert.deepEqual(codec.decode(codec.encode(direct), tx.publicKey), direct)
      }),
      runs(100),
    )
  })

  test('are those that the demo chain computes from the transaction that is sent', () => {
    fc.assert(
      fc.property(anyDraft, (tx) => {
        const sent = codec.decode(codec.encode(tx), tx.publicKey)
        const onChain = decodeOnChain(codec.seal({ ...sent, signature }).bytes)
        const [signer] = onChain.signers
        const computed = signBytes(onChain, signer!, tx.chainId, tx.accountNumber)
        assert.deepEqual(Buffer.from(computed!), Buffer.from(codec.encode(tx)))
      }),
      runs(100),
    )
  })

  test('are signed by a wallet of cosmjs so that the signature fits', async () => {
    const wallet = await Secp256k1Wallet.fromKey(Buffer.alloc(32, 7), 'thor')
    const [account] = await wallet.getAccounts()
    const tx = { ...draft, sender: account!.address, publicKey: account!.pubkey }
    const document = JSON.parse(Buffer.from(aminoSignBytes(tx)).toString())
    const { signature: made } = await wallet.signAmino(account!.address, document)
    const bytes = Buffer.from(made.signature, 'base64')
    assert.ok(signatureFits(account!.pubkey, aminoSignBytes(tx), bytes))
    assert.ok(!signatureFits(account!.pubkey, signDocOf(tx), bytes))
  })

  test('are refused for messages that Go and JavaScript write differently', () => {
    const messages = [
      '{"a":9007199254740993}',
      '{"a":1.5}',
      '{"a":-0}',
      '{"10":1,"9":2}',
      '{"a":{"__proto__":{}}}',
      '{"a":"\\ud800"}',
      '{"\\udc00":1}',
    ]
    for (const message of messages) {
      const calls = [{ ...draft.calls[0]!, message }]
      assert.throws(() => aminoSignBytes({ ...draft, calls }), { code: 'INVALID_REQUEST' }, message)
    }
  })

  test('are refused with numbers that cosmjs would round', () => {
    for (const member of ['accountNumber', 'sequence', 'gasLimit'] as const) {
      assert.ok(aminoSignBytes({ ...draft, [member]: 2n ** 53n - 1n }))
      assert.throws(() => aminoSignBytes({ ...draft, [member]: 2n ** 53n }), {
        code: 'INVALID_REQUEST',
      })
    }
  })

  test('are refused, or decoded to another transaction, for every byte that is cut or changed', () => {
    const bytes = Buffer.from(aminoSignBytes(draft))
    const big = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
    const meant = JSON.stringify(draft, big)
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = changed[at]! ^ 0x01
      for (const other of [Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]), changed])
        try {
          const decoded = codec.decode(other, draft.publicKey)
          assert.notEqual(JSON.stringify(decoded, big), meant, `byte ${at}`)
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'INVALID_REQUEST', `byte ${at}`)
        }
    }
  })

  const whole = Buffer.from(aminoSignBytes(draft)).toString()
  const faults: readonly (readonly [string, string])[] = [
    ['another message', whole.replace('wasm/MsgExecuteContract', 'cosmos-sdk/MsgSend')],
    ['a member of its own', whole.replace('"memo"', '"maxmemo":"","memo"')],
    ['another order of members', `{${whole.slice(whole.indexOf('"chain_id"'), -1)}}`],
    ['a space', whole.replace(',"memo"', ', "memo"')],
    [
      'a second sender',
      whole
        .replace(/("msgs":\[)(.*)(\],"sequence")/, '$1$2,$2$3')
        .replace(draft.sender, draft.calls[0]!.contract),
    ],
    ['no message', whole.replace(/"msgs":\[.*\],"seq/, '"msgs":[],"seq')],
    ['a payer of the fee', whole.replace('"gas":"2788128"', '"gas":"2788128","payer":"x"')],
    ['a number in place of a text', whole.replace('"sequence":"225"', '"sequence":225')],
    ['a character that Go escapes', whole.replace('"memo":""', '"memo":"<"')],
    ['half of it', whole.slice(0, 100)],
  ]
  for (const [what, changed] of faults)
    test(`are refused with ${what}`, () => {
      assert.notEqual(changed, whole)
      assert.throws(() => decodeAminoSignBytes(Buffer.from(changed), draft.publicKey), {
        code: 'INVALID_REQUEST',
      })
    })

  test('are no sign document of the other mode', () => {
    assert.throws(() => decodeSignDoc(aminoSignBytes(draft)), { code: 'INVALID_REQUEST' })
    assert.throws(() => decodeSignDoc(signDocOf(draft)), { code: 'INVALID_REQUEST' })
    assert.throws(() => decodeAminoSignBytes(signDocOf(draft), draft.publicKey), {
      code: 'INVALID_REQUEST',
    })
  })
})
