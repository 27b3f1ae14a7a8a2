import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'vitest'
import { signBytesOf } from '../../src/chain/tx/decode-sign-doc.js'
import type { SignRequest } from '../../src/wallet/signing/protocol.js'
import {
  address,
  answer,
  answering,
  bytesOf,
  draft,
  otherKey,
  publicKey,
  sign,
} from './external-signer.js'

describe('the request of a signature', () => {
  test('describes the contents of the bytes', async () => {
    const seen: SignRequest[] = []
    const watched = answering((request) => {
      seen.push(request)
      return answer(request)
    })
    await sign(watched, draft)
    await sign(watched, { ...draft, isAmino: true })
    const [direct, amino] = seen
    const { sign_bytes: _, sign_bytes_sha256: digest, sign_mode, ...same } = direct!
    assert.deepEqual([sign_mode, amino!.sign_mode], ['direct', 'amino'])
    assert.equal(digest, createHash('sha256').update(signBytesOf(draft)).digest('hex'))
    assert.equal(JSON.parse(bytesOf(amino!).toString()).memo, draft.memo)
    assert.deepEqual(same, {
      format: 'swap.sign/1',
      chain_id: 'demo-1',
      address,
      public_key: publicKey.toString('base64'),
      account_number: '107',
      sequence: '12',
      content: {
        messages: [
          {
            contract: draft.calls[0]!.contract,
            msg: JSON.parse(draft.calls[0]!.message),
            funds: [{ denom: 'btc-btc', amount: '100' }],
          },
        ],
        memo: draft.memo,
        timeout_height: '520',
        fee: [{ denom: 'rune', amount: '0' }],
        gas_limit: '9000000',
      },
      text: [
        'demo-1: account 107, sequence 12',
        `from ${address}`,
        `message 1 of 1 calls ${draft.calls[0]!.contract} and sends 100 btc-btc`,
        draft.calls[0]!.message,
        'fee 0 rune, gas limit 9000000',
        'valid until block 520',
        'memo "a <memo>"',
      ],
    })
  })

  test('requires the public key in its bytes, except in Amino JSON', async () => {
    const unknown = { ...draft, publicKey: otherKey }
    await assert.rejects(sign(answering(answer), unknown), { code: 'INVALID_REQUEST' })
    let asked: SignRequest | undefined
    const made = await sign(
      answering((request) => answer((asked = request))),
      { ...unknown, isAmino: true },
    )
    assert.equal(asked!.public_key, null)
    assert.deepEqual(Buffer.from(made.publicKey), publicKey)
  })

  test('has lines without terminal control characters', async () => {
    const hostile = '\u202e\u009b31m\u2028'
    const message = JSON.stringify({ swap: hostile })
    const funds = [{ denom: hostile, amount: 1n }]
    const calls = [{ ...draft.calls[0]!, message, funds }]
    let asked: SignRequest | undefined
    await sign(
      answering((request) => answer((asked = request))),
      { ...draft, calls, memo: hostile },
    )
    assert.doesNotMatch(asked!.text.join(''), /[\p{Cc}\p{Cf}\p{Zl}]/u)
    assert.equal((asked!.content as { memo: string }).memo, hostile)
  })
})
