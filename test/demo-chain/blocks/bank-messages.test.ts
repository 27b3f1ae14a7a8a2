import assert from 'node:assert/strict'
import { MsgMultiSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { describe, test } from 'vitest'
import { moduleAddress } from '../../../src/demo-chain/modules/addresses.js'
import { balanceOf } from '../../../src/demo-chain/modules/bank.js'
import { sendMessage } from '../../../src/demo-chain/tx/sign.js'
import { type Signer, signedBy } from '../tx/chain.js'
import { alice, bob, carol, run, rune, signedByAll, stateWith, till } from './signed-txs.js'

describe('a multi-send', () => {
  const multi = (inputs: [Signer, bigint][], outputs: [Signer, bigint][]) => {
    const party = ([{ address }, amount]: [Signer, bigint]) => ({
      address,
      coins: [{ denom: 'rune', amount: String(amount) }],
    })
    const message = MsgMultiSend.fromPartial({
      inputs: inputs.map(party),
      outputs: outputs.map(party),
    })
    return Any.fromPartial({
      typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend',
      value: MsgMultiSend.encode(message).finish(),
    })
  }

  test('pays each recipient, with events in the order of the bank', () => {
    const state = stateWith(alice)
    const messages = [
      multi(
        [[alice, 30n]],
        [
          [bob, 10n],
          [carol, 20n],
        ],
      ),
    ]
    const result = run(state, signedBy(alice, { messages }))
    assert.equal(result.log, '')
    assert.deepEqual(
      [alice, bob, carol].map(({ address }) => balanceOf(state, address, 'rune')),
      [970n, 10n, 20n],
    )
    assert.deepEqual(
      result.events.slice(3).map(({ type }) => type),
      [
        'message',
        'coin_spent',
        'message',
        ...['coin_received', 'transfer', 'coin_received', 'transfer'],
      ],
    )
  })

  test('fails as a whole when the sums differ or the balance is too small', () => {
    const failing = (message: Any) =>
      run(stateWith(alice), signedBy(alice, { messages: [message] }))
    assert.match(failing(multi([[alice, 30n]], [[bob, 31n]])).log, /sum inputs != sum outputs$/)
    assert.match(failing(multi([[alice, 30n]], [])).log, /no outputs to send transaction$/)
    assert.match(
      failing(
        multi(
          [[alice, 2_000n]],
          [
            [bob, 1_000n],
            [carol, 1_000n],
          ],
        ),
      ).log,
      /spendable balance 1000rune is smaller than 2000rune: insufficient funds$/,
    )
  })

  test('has one sender only', () => {
    const messages = [
      multi(
        [
          [alice, 1n],
          [bob, 1n],
        ],
        [[carol, 2n]],
      ),
    ]
    const signers = [
      { ...alice, number: 0n, sequence: 0n },
      { ...bob, number: 1n, sequence: 0n },
    ]
    const result = run(stateWith(alice, bob), signedByAll(signers, messages))
    assert.deepEqual([result.code, result.codespace], [9, 'bank'])
  })
})

describe('a bank send', () => {
  const failing = (message: Any) => run(stateWith(alice), signedBy(alice, { messages: [message] }))

  test('of nothing, of zero or of unsorted coins fails when it runs', () => {
    for (const coins of [[], [rune(0n)], [rune(1n), { denom: 'abc', amount: 1n }]])
      assert.equal(failing(sendMessage(alice.address, till, coins)).code, 10)
  })

  test('is refused to the fee collector and to an empty address', () => {
    const collector = moduleAddress('demo', 'fee_collector')
    assert.equal(
      failing(sendMessage(alice.address, collector, [rune(1n)])).log,
      `failed to execute message; message index: 0: ${collector} is not allowed to receive funds: unauthorized`,
    )
    assert.match(failing(sendMessage(alice.address, 'demo1', [rune(1n)])).log, /invalid to address/)
  })

  test('to an address in capitals reaches the address', () => {
    const state = stateWith(alice)
    const messages = [sendMessage(alice.address, bob.address.toUpperCase(), [rune(3n)])]
    assert.equal(run(state, signedBy(alice, { messages })).log, '')
    assert.equal(balanceOf(state, bob.address, 'rune'), 3n)
  })
})
