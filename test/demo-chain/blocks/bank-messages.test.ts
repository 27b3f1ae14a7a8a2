import assert from 'node:assert/strict'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { describe, test } from 'vitest'
import { moduleAddress } from '../../../src/demo-chain/modules/addresses.js'
import { balanceOf } from '../../../src/demo-chain/modules/bank.js'
import { sendMessage } from '../../../src/demo-chain/tx/sign.js'
import { signedBy } from '../tx/chain.js'
import { alice, bob, run, rune, stateWith, till } from './signed-txs.js'

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
