import assert from 'node:assert/strict'
import { makeSignDoc, Secp256k1Wallet, serializeSignDoc } from '@cosmjs/amino'
import { createWasmAminoConverters } from '@cosmjs/cosmwasm-stargate'
import { AminoTypes } from '@cosmjs/stargate'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { aminoSignBytes } from '../../../src/chain/tx/amino.js'
import {
  decodeAminoSignBytes,
  decodeSignBytes,
  decodeSignDoc,
  signBytesOf,
} from '../../../src/chain/tx/decode-sign-doc.js'
import { decodeTx } from '../../../src/chain/tx/decode-tx.js'
import { signDocOf, signedBytesOf } from '../../../src/chain/tx/draft.js'
import { readSdkTx, signedJson } from '../../../src/chain/tx/sdk-json.js'
import { type Draft, txHashOf } from '../../../src/chain/tx/unsigned-tx.js'
import { decodeTx as decodeOnChain } from '../../../src/demo-chain/tx/decode.js'
import { signBytes } from '../../../src/demo-chain/tx/verify.js'
import { signatureFits } from '../../../src/execution/request-signature.js'
import { runs } from '../../support/books.js'
import { anyDraft, claim, draft, signature } from './amino-drafts.js'

describe('the claim of an order that was signed in Amino JSON on mainnet', () => {
  const { chainId: _, accountNumber: __, ...content } = draft

  test('is rebuilt to its recorded hash', () => {
    assert.equal(txHashOf(signedBytesOf({ ...draft, signature })), claim.tx_hash)
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
        const bytes = signBytesOf(tx)
        const decoded = decodeSignBytes(bytes, tx.publicKey)
        assert.deepEqual(signBytesOf(decoded), bytes)
        const parsed = ({ calls, ...rest }: Draft) => ({
          ...rest,
          calls: calls.map((call) => ({ ...call, message: JSON.parse(call.message) })),
        })
        assert.deepEqual(parsed(decoded), parsed(tx))
        const { isAmino: _, ...direct } = tx
        assert.deepEqual(decodeSignBytes(signBytesOf(direct), tx.publicKey), direct)
      }),
      runs(100),
    )
  })

  test('are those that the demo chain computes from the transaction that is sent', () => {
    fc.assert(
      fc.property(anyDraft, (tx) => {
        const sent = decodeSignBytes(signBytesOf(tx), tx.publicKey)
        const onChain = decodeOnChain(signedBytesOf({ ...sent, signature }))
        const [signer] = onChain.signers
        const computed = signBytes(onChain, signer!, tx.chainId, tx.accountNumber)
        assert.deepEqual(Buffer.from(computed!), Buffer.from(signBytesOf(tx)))
      }),
      runs(100),
    )
  })

  test('have a valid signature by a wallet of cosmjs', async () => {
    const wallet = await Secp256k1Wallet.fromKey(Buffer.alloc(32, 7), 'thor')
    const [account] = await wallet.getAccounts()
    const tx = { ...draft, sender: account!.address, publicKey: account!.pubkey }
    const document = JSON.parse(Buffer.from(aminoSignBytes(tx)).toString())
    const { signature: expectedSignature } = await wallet.signAmino(account!.address, document)
    const bytes = Buffer.from(expectedSignature.signature, 'base64')
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
      '{"\u{1f600}":1,"\uff01":2}',
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
          const decoded = decodeSignBytes(other, draft.publicKey)
          assert.notEqual(JSON.stringify(decoded, big), meant, `byte ${at}`)
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'INVALID_REQUEST', `byte ${at}`)
        }
    }
  })

  const signText = Buffer.from(aminoSignBytes(draft)).toString()
  const faults: readonly (readonly [string, string])[] = [
    ['another message', signText.replace('wasm/MsgExecuteContract', 'cosmos-sdk/MsgSend')],
    ['a member of its own', signText.replace('"memo"', '"maxmemo":"","memo"')],
    ['another order of members', `{${signText.slice(signText.indexOf('"chain_id"'), -1)}}`],
    ['a space', signText.replace(',"memo"', ', "memo"')],
    [
      'a second sender',
      signText
        .replace(/("msgs":\[)(.*)(\],"sequence")/, '$1$2,$2$3')
        .replace(draft.sender, draft.calls[0]!.contract),
    ],
    ['no message', signText.replace(/"msgs":\[.*\],"seq/, '"msgs":[],"seq')],
    ['a payer of the fee', signText.replace('"gas":"2788128"', '"gas":"2788128","payer":"x"')],
    ['a number in place of a text', signText.replace('"sequence":"225"', '"sequence":225')],
    ['a character that Go escapes', signText.replace('"memo":""', '"memo":"<"')],
    ['half of it', signText.slice(0, 100)],
  ]
  for (const [title, changed] of faults)
    test(`are refused with ${title}`, () => {
      assert.notEqual(changed, signText)
      assert.throws(() => decodeAminoSignBytes(Buffer.from(changed), draft.publicKey), {
        code: 'INVALID_REQUEST',
      })
    })

  test('are not a sign document of the other mode', () => {
    assert.throws(() => decodeSignDoc(aminoSignBytes(draft)), { code: 'INVALID_REQUEST' })
    assert.throws(() => decodeSignDoc(signDocOf(draft)), { code: 'INVALID_REQUEST' })
    assert.throws(() => decodeAminoSignBytes(signDocOf(draft), draft.publicKey), {
      code: 'INVALID_REQUEST',
    })
  })
})
