import assert from 'node:assert/strict'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { describe, test } from 'vitest'
import { accountOf } from '../../../src/demo-chain/modules/accounts.js'
import { balanceOf } from '../../../src/demo-chain/modules/bank.js'
import { executeMessage, sendMessage } from '../../../src/demo-chain/tx/sign.js'
import { RULES, signedBy, signer } from '../tx/chain.js'
import { alice, bob, call, carol, pay, run, rune, stateWith, till } from './signed-txs.js'

describe('the check of a transaction', () => {
  test('takes fee and sequence and runs no message', () => {
    const state = stateWith(alice)
    const messages = [call({ fail: 'not now' })]
    const result = run(state, signedBy(alice, { messages, fee: [rune(7n)] }), 'check')
    assert.deepEqual([result.code, result.events], [0, []])
    assert.equal(balanceOf(state, alice.address, 'rune'), 993n)
    assert.equal(accountOf(state, alice.address)?.sequence, 1n)
    assert.equal(run(state, signedBy(alice, { messages, sequence: 1n }), 'check').code, 0)
  })

  test('requires the minimum fee, rounded up, which a block does not', () => {
    const rules = { ...RULES, gasPrice: 150n }
    const signed = (amount: bigint, gas: bigint) =>
      signedBy(alice, { messages: [pay(1n)], fee: [rune(amount)], gas })
    const check = (amount: bigint, gas: bigint) =>
      run(stateWith(alice), signed(amount, gas), 'check', rules).log
    assert.equal(check(3n, 2_000_000n), '')
    assert.equal(
      check(3n, 2_000_001n),
      'insufficient fees; got: 3rune required: 4rune: insufficient fee',
    )
    assert.equal(check(4n, 2_000_001n), '')
    assert.equal(run(stateWith(alice), signed(0n, 2_000_000n), 'deliver', rules).log, '')
  })

  /** A payment of alice with other authentication data, which her signature is not over. */
  const changed = (change: (info: AuthInfo) => AuthInfo) => {
    const raw = TxRaw.decode(signedBy(alice, { messages: [pay(1n)] }))
    const authInfo = change(AuthInfo.decode(raw.authInfoBytes))
    return TxRaw.encode({ ...raw, authInfoBytes: AuthInfo.encode(authInfo).finish() }).finish()
  }
  const refused: readonly (readonly [name: string, bytes: () => Uint8Array, log: RegExp])[] = [
    [
      'after its timeout height',
      () => signedBy(alice, { messages: [pay(1n)], timeoutHeight: 6n }),
      /^block height: 7, timeout height: 6: tx timeout height$/,
    ],
    [
      'without gas',
      () => signedBy(alice, { messages: [pay(1n)], gas: 0n }),
      /^out of gas in location: ReadFlat; gasWanted: 0, gasUsed: 29000: out of gas$/,
    ],
    [
      'with an unsorted fee',
      () => signedBy(alice, { messages: [pay(1n)], fee: [rune(1n), { denom: 'abc', amount: 1n }] }),
      /^invalid fee amount: 1rune,1abc: insufficient fee$/,
    ],
    [
      'of a type that is not served',
      () =>
        signedBy(alice, {
          messages: [Any.fromPartial({ typeUrl: '/cosmos.staking.v1beta1.MsgDelegate' })],
        }),
      /^unable to resolve type URL \/cosmos.staking.v1beta1.MsgDelegate: tx parse error/,
    ],
    [
      'with an extension option',
      () => {
        const raw = TxRaw.decode(signedBy(alice, { messages: [pay(1n)] }))
        const extensionOptions = [{ typeUrl: '/x', value: new Uint8Array() }]
        const body = { ...TxBody.decode(raw.bodyBytes), extensionOptions }
        return TxRaw.encode({ ...raw, bodyBytes: TxBody.encode(body).finish() }).finish()
      },
      /^unknown extension options$/,
    ],
    [
      'from an address of another chain',
      () => signedBy(alice, { messages: [sendMessage(signer(1, 'thor').address, till, [])] }),
      /^invalid from address: invalid Bech32 prefix; expected demo, got thor: invalid address$/,
    ],
    [
      'for a contract that is no address',
      () => signedBy(alice, { messages: [executeMessage(alice.address, 'x', '{}')] }),
      /^contract: decoding bech32 failed: /,
    ],
    [
      'with a payload that is no JSON',
      () => signedBy(alice, { messages: [executeMessage(alice.address, till, '{')] }),
      /^payload msg: invalid$/,
    ],
    [
      'with zero funds',
      () => signedBy(alice, { messages: [call({}, [rune(0n)])] }),
      /^funds: coin 0rune amount is not positive$/,
    ],
    [
      'with funds twice',
      () => signedBy(alice, { messages: [call({}, [rune(1n), rune(1n)])] }),
      /^funds: duplicate denomination rune$/,
    ],
    [
      'with an impossible denom',
      () => signedBy(alice, { messages: [call({}, [{ denom: '1x', amount: 1n }])] }),
      /^funds: invalid denom: 1x$/,
    ],
    [
      'signed by another account',
      () => signedBy(bob, { messages: [pay(1n)] }),
      /^pubKey does not match signer address demo1\S+ with signer index: 0: invalid pubkey$/,
    ],
    [
      'without a message',
      () => signedBy(alice, { messages: [] }),
      /^must contain at least one message: invalid request$/,
    ],
    [
      'of two senders',
      () => signedBy(alice, { messages: [pay(1n), pay(1n, bob, carol)] }),
      /^a transaction of several signers is not supported: feature not supported$/,
    ],
    [
      'with a fee payer',
      () => changed((info) => ({ ...info, fee: { ...info.fee!, payer: bob.address } })),
      /^a transaction of several signers is not supported: feature not supported$/,
    ],
    [
      'with two keys',
      () =>
        changed((info) => ({ ...info, signerInfos: [info.signerInfos[0]!, info.signerInfos[0]!] })),
      /^wrong number of signers; expected 1, got 2: unauthorized$/,
    ],
  ]
  for (const [name, bytes, log] of refused)
    test(`refuses a transaction ${name}`, () => {
      const state = stateWith(alice, bob)
      const before = [...state.changes()]
      const result = run(state, bytes(), 'check')
      assert.notEqual(result.code, 0)
      assert.match(result.log, log)
      assert.deepEqual([...state.changes()], before)
    })
})
