import assert from 'node:assert/strict'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract, MsgMigrateContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { describe, test } from 'vitest'
import { decodeAminoSignBytes, decodeSignDoc } from '../../src/chain/tx/decode-sign-doc.js'
import { signDocOf } from '../../src/chain/tx/draft.js'
import type { Draft } from '../../src/chain/tx/unsigned-tx.js'

const draft: Draft = {
  chainId: 'demo-1',
  accountNumber: 107n,
  sequence: 12n,
  sender: 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn',
  publicKey: Uint8Array.from({ length: 33 }, (_, i) => (i === 0 ? 2 : i)),
  calls: [
    {
      contract: 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08',
      message: '{"swap":{"stages":[],"min_return":{"denom":"rune","amount":"5"}}}',
      funds: [{ denom: 'btc-btc', amount: 100n }],
    },
  ],
  memo: '',
  timeoutHeight: 520n,
  fee: [{ denom: 'rune', amount: 0n }],
  gasLimit: 9_000_000n,
}
const honest = signDocOf(draft)
const { bodyBytes, authInfoBytes, chainId, accountNumber } = SignDoc.decode(honest)

type Body = ReturnType<typeof TxBody.decode>
type Auth = ReturnType<typeof AuthInfo.decode>

/** The bytes of a builder that does one thing wrongly. */
function built(change: { body?: (body: Body) => void; auth?: (auth: Auth) => void }): Uint8Array {
  const [body, auth] = [TxBody.decode(bodyBytes), AuthInfo.decode(authInfoBytes)]
  change.body?.(body)
  change.auth?.(auth)
  return SignDoc.encode({
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(auth).finish(),
    chainId,
    accountNumber,
  }).finish()
}

const send = {
  typeUrl: MsgSend.typeUrl,
  value: MsgSend.encode({
    fromAddress: draft.sender,
    toAddress: draft.sender,
    amount: [{ denom: 'rune', amount: '1' }],
  }).finish(),
}
const other = { typeUrl: '/cosmos.gov.v1.MsgVote', value: new Uint8Array() }

/** Appends a field to the body, the auth info or the document: what no decoder of ours knows. */
const appended = (field: string, to: 'body' | 'auth' | 'document'): Uint8Array => {
  const more = (bytes: Uint8Array, isIt: boolean) =>
    isIt ? Buffer.concat([bytes, Buffer.from(field, 'hex')]) : bytes
  const document = SignDoc.encode({
    bodyBytes: more(bodyBytes, to === 'body'),
    authInfoBytes: more(authInfoBytes, to === 'auth'),
    chainId,
    accountNumber,
  }).finish()
  return more(document, to === 'document')
}

const faults: readonly (readonly [string, Uint8Array])[] = [
  ['a payment beside the call', built({ body: (body) => body.messages.push(send) })],
  ['a payment before the call', built({ body: (body) => body.messages.unshift(send) })],
  ['a payment in place of the call', built({ body: (body) => void (body.messages = [send]) })],
  ['a message of another module', built({ body: (body) => body.messages.push(other) })],
  [
    'the call under the name of another message',
    built({ body: (body) => void (body.messages[0]!.typeUrl = MsgMigrateContract.typeUrl) }),
  ],
  ['no message', built({ body: (body) => void (body.messages = []) })],
  [
    'a call of another account beside it',
    built({
      body: (body) => {
        const call = MsgExecuteContract.decode(body.messages[0]!.value)
        const value = MsgExecuteContract.encode({ ...call, sender: call.contract }).finish()
        body.messages.push({ ...body.messages[0]!, value })
      },
    }),
  ],
  ['an extension', built({ body: (body) => void (body.extensionOptions = [other]) })],
  [
    'an extension that may be passed over',
    built({ body: (body) => void (body.nonCriticalExtensionOptions = [other]) }),
  ],
  [
    'another account that pays the fee',
    built({ auth: (auth) => void (auth.fee!.payer = draft.calls[0]!.contract) }),
  ],
  [
    'another account that grants the fee',
    built({ auth: (auth) => void (auth.fee!.granter = draft.calls[0]!.contract) }),
  ],
  [
    'a tip',
    built({
      auth: (auth) =>
        void (auth.tip = { tipper: draft.sender, amount: [{ denom: 'rune', amount: '1' }] }),
    }),
  ],
  ['no fee at all', built({ auth: (auth) => void delete auth.fee })],
  ['a second signer', built({ auth: (auth) => auth.signerInfos.push(auth.signerInfos[0]!) })],
  ['no signer', built({ auth: (auth) => void (auth.signerInfos = []) })],
  [
    'another way to sign',
    built({
      auth: (auth) =>
        void (auth.signerInfos[0]!.modeInfo = {
          single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON },
        }),
    }),
  ],
  [
    'a key of several',
    built({
      auth: (auth) =>
        void (auth.signerInfos[0]!.publicKey = {
          typeUrl: LegacyAminoPubKey.typeUrl,
          value: LegacyAminoPubKey.encode({ threshold: 1, publicKeys: [] }).finish(),
        }),
    }),
  ],
  ['no key', built({ auth: (auth) => void delete auth.signerInfos[0]!.publicKey })],
  // SDK 0.53: `unordered` is field 4 of the body, `timeout_timestamp` field 5.
  ['an order of its own', appended('2001', 'body')],
  ['a time after which it is dead', appended('2a020801', 'body')],
  ['an unknown field in the body', appended('f23f03616263', 'body')],
  ['an unknown field beside the fee', appended('f23f03616263', 'auth')],
  ['an unknown field in the document', appended('f23f03616263', 'document')],
  ['another chain id behind the first', appended('1a066f746865722d', 'document')],
  ['another account number behind the first', appended('2009', 'document')],
  ['another memo behind the first', appended('120568656c6c6f', 'body')],
]

describe('bytes from a builder that builds more than it declares', () => {
  test('from a correct builder are accepted, and decode to what they were built from', () =>
    assert.deepEqual(decodeSignDoc(built({})), draft))

  for (const [what, bytes] of faults)
    test(`with ${what} are refused or shown`, () => {
      let decoded: Draft | undefined
      try {
        decoded = decodeSignDoc(bytes)
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'INVALID_REQUEST')
      }
      // What can be read is what is shown and compared: it must not look like the honest one.
      if (decoded !== undefined) assert.notDeepEqual(decoded, draft)
    })

  test('that are not a transaction are refused with an error text of this program', () => {
    const [signDoc, amino, key] = [Buffer.of(255), Buffer.from('{"a":'), draft.publicKey]
    const broken = [() => decodeSignDoc(signDoc), () => decodeAminoSignBytes(amino, key)]
    for (const decode of broken) assert.throws(decode, { why: 'its bytes cannot be decoded' })
    const [, beside] = faults[0]!
    assert.throws(() => decodeSignDoc(beside), { why: `it holds a ${MsgSend.typeUrl}` })
  })
})
