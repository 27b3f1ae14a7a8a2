import assert from 'node:assert/strict'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { describe, test } from 'vitest'
import { decodeTx } from '../../../src/chain/tx/decode-tx.js'
import { authInfoBytesOf, bodyBytesOf } from '../../../src/chain/tx/draft.js'
import type { SwapError } from '../../../src/engine/errors.js'
import { draft, signature } from './amino-drafts.js'

type Message = TxBody['messages'][number]

const body = TxBody.decode(bodyBytesOf(draft))
const info = AuthInfo.decode(authInfoBytesOf(draft))
const [signer] = info.signerInfos
const [message] = body.messages
const call = MsgExecuteContract.decode(message!.value)

/** The bytes of the transaction with other parts. */
const encoded = (
  ownBody: Partial<TxBody>,
  ownInfo: Partial<AuthInfo> = {},
  signatures: readonly Uint8Array[] = [signature],
): Uint8Array =>
  TxRaw.encode({
    bodyBytes: TxBody.encode(TxBody.fromPartial({ ...body, ...ownBody })).finish(),
    authInfoBytes: AuthInfo.encode(AuthInfo.fromPartial({ ...info, ...ownInfo })).finish(),
    signatures: [...signatures],
  }).finish()

const calling = (own: Partial<MsgExecuteContract>): Message => ({
  typeUrl: MsgExecuteContract.typeUrl,
  value: MsgExecuteContract.encode(MsgExecuteContract.fromPartial({ ...call, ...own })).finish(),
})
const signedBy = (own: object) => ({ signerInfos: [{ ...signer!, ...own }] })
const otherKey = {
  typeUrl: '/cosmos.crypto.ed25519.PubKey',
  value: PubKey.encode({ key: new Uint8Array(33) }).finish(),
}

test('a transaction of several calls by one sender is decoded', () => {
  const { sender, calls } = decodeTx(encoded({ messages: [message!, calling({ contract: 'c' })] }))
  assert.equal(sender, draft.sender)
  assert.deepEqual(
    calls.map(({ contract }) => contract),
    [draft.calls[0]!.contract, 'c'],
  )
})

describe('the bytes of a transaction', () => {
  const rows: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ['no signature', encoded({}, {}, []), /one signature/],
    ['two signatures', encoded({}, {}, [signature, signature]), /one signature/],
    ['a short signature', encoded({}, {}, [signature.subarray(1)]), /one signature/],
    ['no message', encoded({ messages: [] }), /one sender/],
    ['two senders', encoded({ messages: [message!, calling({ sender: 'b' })] }), /one sender/],
    ['another message', encoded({ messages: [{ ...message!, typeUrl: '/x' }] }), /holds a \/x/],
    ['no signer', encoded({}, { signerInfos: [] }), /one signer/],
    ['two signers', encoded({}, { signerInfos: [signer!, signer!] }), /one signer/],
    ['no sign mode', encoded({}, signedBy({ modeInfo: undefined })), /signed neither/],
    ['several sign modes', encoded({}, signedBy({ modeInfo: { multi: {} } })), /signed neither/],
    [
      'a textual sign mode',
      encoded({}, signedBy({ modeInfo: { single: { mode: 2 } } })),
      /neither/,
    ],
    ['no key', encoded({}, signedBy({ publicKey: undefined })), /not secp256k1/],
    ['a key of another kind', encoded({}, signedBy({ publicKey: otherKey })), /not secp256k1/],
    ['no fee', encoded({}, { fee: undefined as never }), /has no fee/],
    [
      'a negative amount',
      encoded({ messages: [calling({ funds: [{ denom: 'rune', amount: '-1' }] })] }),
      /^-1 is not an amount$/,
    ],
    [
      'a message that is not UTF-8',
      encoded({ messages: [calling({ msg: Uint8Array.of(0xff) })] }),
      /cannot be decoded/,
    ],
  ]
  for (const [what, bytes, why] of rows)
    test(`are refused with ${what}`, () => {
      assert.throws(
        () => decodeTx(bytes),
        ({ code, why: said, members }: SwapError) => {
          assert.equal(code, 'INVALID_REQUEST')
          assert.match(said ?? '', why)
          assert.deepEqual(members, { errors: [{ pointer: '', detail: `${said}` }] })
          return true
        },
      )
    })
})
